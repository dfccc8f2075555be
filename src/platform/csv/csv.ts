import { getNumberMarks, type Language } from '../language.ts'

/** Spreadsheets of languages with a decimal comma expect semicolons, and a byte order mark for UTF-8. */
export function getCsvFormat(language: Language): { mark: string; separator: string; decimalPoint: string } {
  const { decimalMark } = getNumberMarks(language)
  return decimalMark === ','
    ? { mark: '\ufeff', separator: ';', decimalPoint: ',' }
    : { mark: '', separator: ',', decimalPoint: '.' }
}

export interface CsvWriter {
  /** Formats the first line of a file, with the byte order mark. */
  formatHeader(names: string[]): string
  formatRow(cells: Cell[]): string
}

/** Numbers are decimal amounts; they are written with the decimal separator of the language. */
export type Cell = string | number | boolean | null

export function newCsvWriter(language: Language): CsvWriter {
  const { mark, separator, decimalPoint } = getCsvFormat(language)
  const line = (cells: Cell[]) => `${cells.map(written).join(separator)}\r\n`

  function written(cell: Cell): string {
    if (cell === null) return ''
    if (typeof cell === 'number') return cell.toFixed(2).replace('.', decimalPoint)
    return typeof cell === 'string' ? quoteCell(neutralizeFormula(cell)) : String(cell)
  }

  return { formatHeader: names => mark + line(names), formatRow: line }
}

/** A spreadsheet would run a cell that begins like a formula. */
export function neutralizeFormula(text: string): string {
  return /^[\s]*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}

/**
 * Quotes a cell with any common separator: a program that splits at another one could find a formula after the split.
 */
function quoteCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
