import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { ColumnMeaning, Field } from './fields.ts'

/** Trimmed cells of a row by field name; texts with a language have keys such as `title_de`. */
export type Cells = Map<string, string>

/** Reports an error in a field of the row. */
export type ReportError = (field: Field, message: Text) => void

export function readCells(cells: string[], meanings: (ColumnMeaning | undefined)[]): Cells {
  const found: Cells = new Map()
  for (const [place, meaning] of meanings.entries()) {
    if (meaning === undefined) continue
    const name = meaning.language === undefined ? meaning.field : `${meaning.field}_${meaning.language}`
    // Our own exports put an apostrophe before cells that a spreadsheet would read as a formula.
    const cell = (cells[place] ?? '').replace(/^'(?=\s*[=+\-@])/, '').trim()
    // Of two columns with the same meaning, the first non-empty one counts.
    if ((found.get(name) ?? '') === '') found.set(name, cell)
  }
  return found
}

const trueWords = new Set(['yes', 'y', 'true', '1', 'on', 'x', 'ja', 'j', 'wahr', 'ein', '✓'])
const falseWords = new Set(['no', 'n', 'false', '0', 'off', 'nein', 'falsch', 'aus', '-'])

export function parseBool(cell: string): boolean | undefined {
  const word = cell.toLowerCase()
  return trueWords.has(word) ? true : falseWords.has(word) ? false : undefined
}

/** Returns null for an empty cell and undefined if there is no such column. */
export function readBoolCell(cells: Cells, field: Field, wrong: ReportError): boolean | null | undefined {
  const cell = cells.get(field)
  if (cell === undefined || cell === '') return cell === undefined ? undefined : null
  const truth = parseBool(cell)
  if (truth === undefined) wrong(field, buildText('import-source-reasons', 'yesOrNo', { cell: truncateCell(cell) }))
  return truth ?? null
}

export const truncateCell = (cell: string) => cell.slice(0, 60).toWellFormed()
