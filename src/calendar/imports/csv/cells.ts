import type { Field, Meaning } from './fields.ts'

/** What a row says, without blanks around it. Texts in a language stand under `title_de` and so on, the others under the name of their field. */
export type Cells = Map<string, string>

/** Says what is wrong with a field of the row, in both languages. */
export type Wrong = (field: Field, en: string, de: string) => void

export function cellsOf(cells: string[], meanings: (Meaning | undefined)[]): Cells {
  const found: Cells = new Map()
  for (const [place, meaning] of meanings.entries()) {
    if (meaning === undefined) continue
    const name = meaning.language === undefined ? meaning.field : `${meaning.field}_${meaning.language}`
    // Our own exports put an apostrophe in front of what a spreadsheet would take for a formula.
    const cell = (cells[place] ?? '').replace(/^'(?=\s*[=+\-@])/, '').trim()
    // Of two columns with the same meaning the first that says something counts.
    if ((found.get(name) ?? '') === '') found.set(name, cell)
  }
  return found
}

const yes = new Set(['yes', 'y', 'true', '1', 'on', 'x', 'ja', 'j', 'wahr', 'ein', '✓'])
const no = new Set(['no', 'n', 'false', '0', 'off', 'nein', 'falsch', 'aus', '-'])

export function truthOf(cell: string): boolean | undefined {
  const word = cell.toLowerCase()
  return yes.has(word) ? true : no.has(word) ? false : undefined
}

/** Null where nothing is said; undefined where there is no such column. */
export function truthCell(cells: Cells, field: Field, wrong: Wrong): boolean | null | undefined {
  const cell = cells.get(field)
  if (cell === undefined || cell === '') return cell === undefined ? undefined : null
  const truth = truthOf(cell)
  if (truth === undefined)
    wrong(field, `“${shown(cell)}” must be yes or no.`, `„${shown(cell)}“ muss ja oder nein sein.`)
  return truth ?? null
}

export const shown = (cell: string) => cell.slice(0, 60).toWellFormed()
