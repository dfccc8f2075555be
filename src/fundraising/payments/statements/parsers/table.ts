import { setImmediate } from 'node:timers/promises'
import { decodeText } from '#platform/csv/decode.ts'
import { type CsvTable, parseCsv } from '#platform/csv/parse.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newNotAStatementProblem, StatementFileProblem } from './file-problems.ts'
import type { ParsedStatement, ParseOptions, StatementMeta } from './parse-statement.ts'
import type { Entry } from './parsed-entry.ts'
import { guessFields, hasRequiredFields, isTableField, type TableField, tableFields } from './table-fields.ts'
import { findLayout } from './table-layouts.ts'
import { type Cells, isBalance, isBalanceLine, newBrokenRow, parseRow } from './table-row.ts'
import { detectDateOrder, detectDecimalSign, type TableFormat } from './table-values.ts'
import { truncate } from './values.ts'

const rowsMax = 200_000
const columnsMax = 100
/** The number of rows after which we yield to the event loop. */
const batchSize = 500

/** A table of bookings as banks export it for spreadsheets. Columns are identified by name or by the given mapping. */
export function parseTable(bytes: Buffer, options: ParseOptions): ParsedStatement {
  const { mapping, currency = 'EUR' } = options
  const text = decodeText(bytes)
  if (text.includes('\0')) throw newNotAStatementProblem()
  const { table, fields, meta, refine } = openTable(text, mapping)
  return {
    meta,
    async *[Symbol.asyncIterator]() {
      const habits = await detectTableFormat(table, fields)
      let position = 0
      let rows = 0
      for (const row of table.rows) {
        rows += 1
        if (rows > rowsMax) throw newTooManyRowsProblem()
        if (rows % batchSize === 0) await setImmediate()
        const cells = toCells(row.cells, fields)
        if (!row.isUnterminated && isNoBooking(cells, row.cells)) continue
        position += 1
        const payment = row.isUnterminated
          ? newBrokenRow(row.line, currency)
          : parseRow(refine(cells), row.line, habits, currency)
        yield { position, part: 1, ...payment } satisfies Entry
      }
    }
  }
}

interface OpenTable {
  table: CsvTable
  fields: (TableField | undefined)[]
  meta: StatementMeta
  refine: (cells: Cells) => Cells
}

function openTable(text: string, mapping: ParseOptions['mapping']): OpenTable {
  const table = findTable(text, Object.keys(mapping ?? {}))
  const { columns } = table
  if (columns.length < 2 || columns.length > columnsMax) throw newNotAStatementProblem()
  if (columns.some(looksLikeData)) return openNamelessTable(text, columns)
  const fields = resolveFields(columns, mapping)
  const understood = Object.fromEntries(columns.map((column, place) => [column, fields[place] ?? '']))
  if (!hasRequiredFields(fields)) throw newUnknownColumnsProblem(columns, understood)
  return { table, fields, meta: { format: 'csv', columns, mapping: understood }, refine: cells => cells }
}

function openNamelessTable(text: string, columns: string[]): OpenTable {
  const layout = findLayout(columns)
  if (layout === undefined) throw newHeaderMissingProblem()
  // The first row is already a booking, so we prepend a header line and subtract it from the line numbers.
  const { rows } = parseCsv(`${layout.fields.map(field => field ?? '').join(';')}\n${text.replace(/^\ufeff/, '')}`)
  const moved = {
    *[Symbol.iterator]() {
      for (const row of rows) yield { ...row, line: row.line - 1 }
    }
  }
  return { table: { columns: [], rows: moved }, fields: layout.fields, meta: { format: 'csv' }, refine: layout.refine }
}

/** Skips the bank's preamble: finds the row with known or mapped column names, else the first of the widest rows. */
function findTable(text: string, required: string[]): CsvTable {
  const isKnown = (cells: string[]) =>
    required.length > 0 ? required.every(column => cells.includes(column)) : hasRequiredFields(guessFields(cells))
  const table = parseCsv(text, cells => cells.length > 1 && isKnown(cells))
  if (isKnown(table.columns)) return table
  const widthOf = (cells: string[]) => cells.filter(cell => cell !== '').length
  let widest = 2
  parseCsv(text, cells => {
    widest = Math.max(widest, widthOf(cells))
    return false
  })
  return parseCsv(text, cells => widthOf(cells) === widest)
}

/** A date, an amount or an account is not a column name but the first booking; error messages must not quote it. */
function looksLikeData(cell: string): boolean {
  return /^\d{1,4}[./-]\d\d?[./-]\d{2,4}$|^[+-]?[\d.,']{0,20}\d[.,]\d\d(?: ?\p{L}{0,3}| ?€)$|^[A-Z]{2}\d\d[\dA-Z ]{11,40}$/u.test(
    cell
  )
}

function resolveFields(columns: string[], mapping: ParseOptions['mapping'] = {}): (TableField | undefined)[] {
  const isSaid = (column: string) => Object.hasOwn(mapping, column)
  for (const [column, field] of Object.entries(mapping)) {
    if (!columns.includes(column)) throw newColumnNotFoundProblem(column, columns)
    if (field !== '' && !isTableField(field)) throw newFieldNotFoundProblem(field)
  }
  const guessed = guessFields(columns.map(column => (isSaid(column) ? '' : column)))
  const said = Object.values(mapping)
  return columns.map((column, place) => {
    const field = isSaid(column) ? (mapping[column] ?? '') : (guessed[place] ?? '')
    // The given mapping takes precedence over column names.
    const isTaken = !isSaid(column) && said.includes(field)
    return field === '' || isTaken || !isTableField(field) ? undefined : field
  })
}

function toCells(cells: string[], fields: (TableField | undefined)[]): Cells {
  const found: Cells = {}
  for (const [place, field] of fields.entries()) {
    if (field !== undefined) found[field] = (cells[place] ?? '').trim()
  }
  return found
}

/** Footer rows, and balances among the bookings. */
function isNoBooking(
  { bookedOn = '', valueOn = '', amount = '', debit = '', credit = '' }: Cells,
  all: string[]
): boolean {
  const isEmpty = amount + debit + credit === ''
  if (isEmpty && (bookedOn + valueOn === '' || isBalanceLine(all))) return true
  return all.some(isBalance)
}

/** Scans all rows, because a single one can be ambiguous. */
async function detectTableFormat(table: CsvTable, fields: (TableField | undefined)[]): Promise<TableFormat> {
  const decimals = new Set<TableFormat['decimalSign']>()
  const firsts = new Set<TableFormat['dateOrder']>()
  let rows = 0
  for (const row of table.rows) {
    rows += 1
    if (rows > rowsMax) throw newTooManyRowsProblem()
    if (rows % batchSize === 0) await setImmediate()
    const { bookedOn = '', valueOn = '', amount = '', debit = '', credit = '' } = toCells(row.cells, fields)
    for (const cell of [amount, debit, credit]) decimals.add(detectDecimalSign(cell))
    for (const cell of [bookedOn, valueOn]) firsts.add(detectDateOrder(cell))
  }
  decimals.delete(undefined)
  firsts.delete(undefined)
  // If both formats occur, each cell is parsed on its own.
  return {
    decimalSign: decimals.size === 1 ? [...decimals][0] : undefined,
    dateOrder: firsts.size === 1 ? [...firsts][0] : undefined
  }
}

const newHeaderMissingProblem = () =>
  new StatementFileProblem('statement-without-columns', buildText('statement-file-problems', 'headerMissing'))

const newUnknownColumnsProblem = (columns: string[], mapping: Record<string, string>) =>
  new StatementFileProblem(
    'statement-columns',
    buildText('statement-file-problems', 'unknownColumns', { columns: formatColumns(columns) }),
    { columns, mapping }
  )

const newColumnNotFoundProblem = (column: string, columns: string[]) =>
  new StatementFileProblem(
    'statement-mapping',
    buildText('statement-file-problems', 'columnNotFound', {
      column: truncate(column, 60),
      columns: formatColumns(columns)
    })
  )

const newFieldNotFoundProblem = (field: string) =>
  new StatementFileProblem(
    'statement-mapping',
    buildText('statement-file-problems', 'fieldNotFound', {
      field: truncate(field, 60),
      tableFields: tableFields.join(', ')
    })
  )

const newTooManyRowsProblem = () =>
  new StatementFileProblem(
    'statement-too-many-entries',
    buildText('statement-file-problems', 'tooManyRows', { rowsMax })
  )

const formatColumns = (columns: string[]) =>
  columns
    .slice(0, 30)
    .map(column => truncate(column, 60))
    .join(', ')
