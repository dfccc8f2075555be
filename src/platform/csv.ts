import type { Language } from './language.ts'

/** Spreadsheets in German expect semicolons, and a mark that says UTF-8. */
const form: Record<Language, { mark: string; separator: string; decimalPoint: string }> = {
  en: { mark: '', separator: ',', decimalPoint: '.' },
  de: { mark: '\ufeff', separator: ';', decimalPoint: ',' }
}

export interface Csv {
  /** What a file begins with. */
  head(names: string[]): string
  line(cells: Cell[]): string
}

/** Numbers are decimal amounts; they are written with the decimal sign of the language. */
export type Cell = string | number | boolean | null

export function csvIn(language: Language): Csv {
  const { mark, separator, decimalPoint } = form[language]
  const line = (cells: Cell[]) => `${cells.map(written).join(separator)}\r\n`

  function written(cell: Cell): string {
    if (cell === null) return ''
    if (typeof cell === 'number') return cell.toFixed(2).replace('.', decimalPoint)
    return typeof cell === 'string' ? quoted(neutralizeFormula(cell)) : String(cell)
  }

  return { head: names => mark + line(names), line }
}

/** A cell that begins like a formula would be run by the spreadsheet that opens it. */
export function neutralizeFormula(text: string): string {
  return /^[\s]*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}

/** Around every separator there is: a program that takes another one for it would find a formula behind the cut. */
function quoted(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
