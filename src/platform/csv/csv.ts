import type { Language } from '../language.ts'

/** Spreadsheets in German expect semicolons, and a mark that says UTF-8. */
const formats: Record<Language, { mark: string; separator: string; decimalPoint: string }> = {
  en: { mark: '', separator: ',', decimalPoint: '.' },
  de: { mark: '\ufeff', separator: ';', decimalPoint: ',' }
}

export interface CsvWriter {
  /** What a file begins with. */
  formatHeader(names: string[]): string
  formatRow(cells: Cell[]): string
}

/** Numbers are decimal amounts; they are written with the decimal sign of the language. */
export type Cell = string | number | boolean | null

export function newCsvWriter(language: Language): CsvWriter {
  const { mark, separator, decimalPoint } = formats[language]
  const line = (cells: Cell[]) => `${cells.map(written).join(separator)}\r\n`

  function written(cell: Cell): string {
    if (cell === null) return ''
    if (typeof cell === 'number') return cell.toFixed(2).replace('.', decimalPoint)
    return typeof cell === 'string' ? quoteCell(neutralizeFormula(cell)) : String(cell)
  }

  return { formatHeader: names => mark + line(names), formatRow: line }
}

/** A cell that begins like a formula would be run by the spreadsheet that opens it. */
export function neutralizeFormula(text: string): string {
  return /^[\s]*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}

/** Around every separator there is: a program that takes another one for it would find a formula behind the cut. */
function quoteCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
