export interface CsvTable {
  columns: string[]
  rows: Iterable<CsvRow>
}

export interface CsvRow {
  /** The line on which the row starts, counted from 1. */
  line: number
  cells: string[]
  /** The last cell opens a quote that never closes, and contains the rest of the file. */
  isUnterminated: boolean
}

/**
 * Parses RFC 4180 and the variants that spreadsheets write. The first non-empty row is the header, unless `isHead`
 * recognises a later one: some programs write a description above the table.
 */
export function parseCsv(text: string, isHead?: (cells: string[]) => boolean): CsvTable {
  const known = isHead === undefined ? undefined : findHeader(text, isHead)
  const { start, separator } = known ?? detectSeparator(text)
  const all = () => parseRows(text, start, separator)
  let head = known?.head
  if (head === undefined) {
    for (const row of all()) {
      if (isEmpty(row)) continue
      head = row
      break
    }
  }
  return {
    columns: (head?.cells ?? []).map(name => name.trim()),
    rows: {
      *[Symbol.iterator]() {
        for (const row of all()) {
          if (row.line > (head?.line ?? 0) && !isEmpty(row)) yield row
        }
      }
    }
  }
}

/** Rows that are already parsed as a table: the header is the first row that `isHead` recognises, or that is not empty. */
export function toTable(rows: CsvRow[], isHead: (cells: string[]) => boolean): CsvTable {
  const filled = rows.filter(row => !isEmpty(row))
  const found = filled.slice(0, headerRowsMax).findIndex(({ cells }) => isHead(cells.map(name => name.trim())))
  const head = Math.max(found, 0)
  return { columns: (filled[head]?.cells ?? []).map(name => name.trim()), rows: filled.slice(head + 1) }
}

const isEmpty = ({ cells }: CsvRow) => cells.every(cell => cell.trim() === '')

/** How many rows are searched for the header. */
const headerRowsMax = 50

function findHeader(text: string, isHead: (cells: string[]) => boolean) {
  const { start } = detectSeparator(text)
  for (const separator of separators) {
    let rows = 0
    for (const head of parseRows(text.slice(0, sampleLength), start, separator)) {
      rows += 1
      if (rows > headerRowsMax) break
      if (isHead(head.cells.map(name => name.trim()))) return { start, separator, head }
    }
  }
  return undefined
}

/** More columns than any real table has; further cells of a row are dropped to save memory. */
const cellsMax = 1000

const separators = [';', '\t', ',', '|']
/** Characters that are examined to detect the separator. */
const sampleLength = 20_000

/** The most frequent separator outside quotes in the first line, or the one of Excel's `sep=;` line. */
function detectSeparator(text: string): { start: number; separator: string } {
  const said = /^\ufeff?sep=([;,|\t])\r?\n/i.exec(text.slice(0, 20))
  if (said?.[1] !== undefined) return { start: said[0].length, separator: said[1] }
  const start = text.startsWith('\ufeff') ? 1 : 0
  const sample = text.slice(start, start + sampleLength).trimStart()
  const counts = new Map<string, number>()
  let quoted = false
  for (const unit of sample) {
    if (unit === '"') quoted = !quoted
    else if (quoted) continue
    else if (unit === '\n' || unit === '\r') break
    else if (separators.includes(unit)) counts.set(unit, (counts.get(unit) ?? 0) + 1)
  }
  const [[separator] = [',']] = [...counts].sort(([, one], [, other]) => other - one)
  return { start, separator }
}

function* parseRows(text: string, start: number, separator: string): Generator<CsvRow> {
  let line = text.slice(0, start).split('\n').length
  let begun = line
  let cells: string[] = []
  const plainEnd = new RegExp(`[\\r\\n${separator === '|' ? '\\|' : separator}]`, 'g')
  for (let at = start; at <= text.length; ) {
    if (cells.length === 0 && (text[at] === '\n' || text[at] === '\r')) {
      at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
      line += 1
      begun = line
      continue
    }
    const cell = text[at] === '"' ? parseQuotedCell(text, at) : undefined
    if (cell?.isBroken === true) {
      yield { line: begun, cells: [...cells, cell.value], isUnterminated: true }
      return
    }
    // Text between a closing quote and the separator is invalid, but we keep it as part of the cell.
    const from = cell?.end ?? at
    plainEnd.lastIndex = from
    const end = plainEnd.exec(text)?.index ?? text.length
    if (cells.length < cellsMax) cells.push(unescapeFormula((cell?.value ?? '') + text.slice(from, end)))
    line += cell?.lines ?? 0
    at = end + 1
    if (text[end] === separator && end < text.length) continue
    if (text[end] === '\r' && text[at] === '\n') at += 1
    if (end < text.length || cells.length > 1 || cells[0] !== '') yield { line: begun, cells, isUnterminated: false }
    line += 1
    begun = line
    cells = []
  }
}

function parseQuotedCell(text: string, at: number): { value: string; end: number; lines: number; isBroken: boolean } {
  const pieces: string[] = []
  let from = at + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    const isBroken = quote === -1
    pieces.push(text.slice(from, isBroken ? text.length : quote))
    if (isBroken || text[quote + 1] !== '"') {
      const value = pieces.join('"')
      return { value, end: isBroken ? text.length : quote + 1, lines: countLines(value), isBroken }
    }
    from = quote + 2
  }
}

function countLines(value: string): number {
  return value.match(/\r\n|\n|\r/g)?.length ?? 0
}

/** Removes the apostrophe that spreadsheets and our own exports put before a formula; here every cell is text. */
function unescapeFormula(cell: string): string {
  return /^'\s*[=+\-@\t\r\n]/.test(cell) ? cell.slice(1) : cell
}
