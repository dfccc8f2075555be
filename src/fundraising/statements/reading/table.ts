import { setImmediate } from 'node:timers/promises'
import { type Table, tableIn } from '#platform/csv-reading.ts'
import { textIn } from '#platform/file-text.ts'
import type { Entry } from './entry.ts'
import { notAStatement, StatementFileProblem } from './file-problem.ts'
import type { ReadingOptions, StatementMeta, StatementReading } from './statement.ts'
import { guessedFields, isEnough, isTableField, type TableField, tableFields } from './table-fields.ts'
import { findLayout } from './table-layouts.ts'
import { brokenRow, type Cells, isBalance, isBalanceLine, readRow } from './table-row.ts'
import { decimalIn, firstIn, type Habits } from './table-values.ts'
import { short } from './values.ts'

const rowsMax = 200_000
const columnsMax = 100
/** So many rows are read before others get their turn. */
const batchSize = 500

/** A table of bookings, as banks offer it for spreadsheets. What its columns are is known by their names, or told. */
export function readTable(bytes: Buffer, options: ReadingOptions): StatementReading {
  const { mapping, currency = 'EUR' } = options
  const text = textIn(bytes)
  if (text.includes('\0')) throw notAStatement()
  const { table, fields, meta, refine } = openTable(text, mapping)
  return {
    meta,
    async *[Symbol.asyncIterator]() {
      const habits = await habitsIn(table, fields)
      let position = 0
      let rows = 0
      for (const row of table.rows) {
        rows += 1
        if (rows > rowsMax) throw tooManyRows()
        if (rows % batchSize === 0) await setImmediate()
        const cells = cellsOf(row.cells, fields)
        if (!row.isBroken && isNoBooking(cells, row.cells)) continue
        position += 1
        const payment = row.isBroken
          ? brokenRow(row.line, currency)
          : readRow(refine(cells), row.line, habits, currency)
        yield { position, part: 1, ...payment } satisfies Entry
      }
    }
  }
}

interface OpenTable {
  table: Table
  fields: (TableField | undefined)[]
  meta: StatementMeta
  refine: (cells: Cells) => Cells
}

function openTable(text: string, mapping: ReadingOptions['mapping']): OpenTable {
  const table = tableWith(text, Object.keys(mapping ?? {}))
  const { columns } = table
  if (columns.length < 2 || columns.length > columnsMax) throw notAStatement()
  if (columns.some(looksLikeData)) return openNamelessTable(text, columns)
  const fields = fieldsOf(columns, mapping)
  const understood = Object.fromEntries(columns.map((column, place) => [column, fields[place] ?? '']))
  if (!isEnough(fields)) throw columnsUnknown(columns, understood)
  return { table, fields, meta: { format: 'csv', columns, mapping: understood }, refine: cells => cells }
}

function openNamelessTable(text: string, columns: string[]): OpenTable {
  const layout = findLayout(columns)
  if (layout === undefined) throw withoutHead()
  // The first row has bookings, too: a line with names goes before it, and is not counted.
  const { rows } = tableIn(`${layout.fields.map(field => field ?? '').join(';')}\n${text.replace(/^\ufeff/, '')}`)
  const moved = {
    *[Symbol.iterator]() {
      for (const row of rows) yield { ...row, line: row.line - 1 }
    }
  }
  return { table: { columns: [], rows: moved }, fields: layout.fields, meta: { format: 'csv' }, refine: layout.refine }
}

/** Below what banks say first: the row whose names are known or told, else the first of those with the most cells. */
function tableWith(text: string, told: string[]): Table {
  const isKnown = (cells: string[]) =>
    told.length > 0 ? told.every(column => cells.includes(column)) : isEnough(guessedFields(cells))
  const table = tableIn(text, cells => cells.length > 1 && isKnown(cells))
  if (isKnown(table.columns)) return table
  const widthOf = (cells: string[]) => cells.filter(cell => cell !== '').length
  let widest = 2
  tableIn(text, cells => {
    widest = Math.max(widest, widthOf(cells))
    return false
  })
  return tableIn(text, cells => widthOf(cells) === widest)
}

/** A day, an amount or an account: no name of a column, but the first of the bookings. It is nobody's business in a message. */
function looksLikeData(cell: string): boolean {
  return /^\d{1,4}[./-]\d\d?[./-]\d{2,4}$|^[+-]?[\d.,']{0,20}\d[.,]\d\d(?: ?\p{L}{0,3}| ?€)$|^[A-Z]{2}\d\d[\dA-Z ]{11,40}$/u.test(
    cell
  )
}

function fieldsOf(columns: string[], mapping: ReadingOptions['mapping'] = {}): (TableField | undefined)[] {
  const isSaid = (column: string) => Object.hasOwn(mapping, column)
  for (const [column, field] of Object.entries(mapping)) {
    if (!columns.includes(column)) throw noSuchColumn(column, columns)
    if (field !== '' && !isTableField(field)) throw noSuchField(field)
  }
  const guessed = guessedFields(columns.map(column => (isSaid(column) ? '' : column)))
  const said = Object.values(mapping)
  return columns.map((column, place) => {
    const field = isSaid(column) ? (mapping[column] ?? '') : (guessed[place] ?? '')
    // What somebody says counts before what a name says.
    const isTaken = !isSaid(column) && said.includes(field)
    return field === '' || isTaken || !isTableField(field) ? undefined : field
  })
}

function cellsOf(cells: string[], fields: (TableField | undefined)[]): Cells {
  const found: Cells = {}
  for (const [place, field] of fields.entries()) {
    if (field !== undefined) found[field] = (cells[place] ?? '').trim()
  }
  return found
}

/** What banks write below a table, and balances that stand among the bookings. */
function isNoBooking(
  { bookedOn = '', valueOn = '', amount = '', debit = '', credit = '' }: Cells,
  all: string[]
): boolean {
  const isEmpty = amount + debit + credit === ''
  if (isEmpty && (bookedOn + valueOn === '' || isBalanceLine(all))) return true
  return all.some(isBalance)
}

/** One look at all rows, for what a single one does not show. */
async function habitsIn(table: Table, fields: (TableField | undefined)[]): Promise<Habits> {
  const decimals = new Set<Habits['decimal']>()
  const firsts = new Set<Habits['first']>()
  let rows = 0
  for (const row of table.rows) {
    rows += 1
    if (rows > rowsMax) throw tooManyRows()
    if (rows % batchSize === 0) await setImmediate()
    const { bookedOn = '', valueOn = '', amount = '', debit = '', credit = '' } = cellsOf(row.cells, fields)
    for (const cell of [amount, debit, credit]) decimals.add(decimalIn(cell))
    for (const cell of [bookedOn, valueOn]) firsts.add(firstIn(cell))
  }
  decimals.delete(undefined)
  firsts.delete(undefined)
  // Where both occur, each cell must speak for itself.
  return {
    decimal: decimals.size === 1 ? [...decimals][0] : undefined,
    first: firsts.size === 1 ? [...firsts][0] : undefined
  }
}

const withoutHead = () =>
  new StatementFileProblem('statement-without-columns', {
    en: 'The table has no line with the names of its columns. Add one above the bookings, or choose another format at your bank.',
    de: 'Die Tabelle hat keine Zeile mit den Namen ihrer Spalten. Fügen Sie über den Buchungen eine ein, oder wählen Sie bei Ihrer Bank ein anderes Format.'
  })

const columnsUnknown = (columns: string[], mapping: Record<string, string>) =>
  new StatementFileProblem(
    'statement-columns',
    {
      en: `Which columns are the day and the amount? Say so in mapping (bookedOn, amount). The table has ${shownList(columns)}.`,
      de: `Welche Spalten sind der Tag und der Betrag? Sagen Sie es in mapping (bookedOn, amount). Die Tabelle hat ${shownList(columns)}.`
    },
    { columns, mapping }
  )

const noSuchColumn = (column: string, columns: string[]) =>
  new StatementFileProblem('statement-mapping', {
    en: `mapping: the table has no column “${short(column, 60)}”. It has ${shownList(columns)}.`,
    de: `mapping: Die Tabelle hat keine Spalte „${short(column, 60)}“. Sie hat ${shownList(columns)}.`
  })

const noSuchField = (field: string) =>
  new StatementFileProblem('statement-mapping', {
    en: `mapping: “${short(field, 60)}” must be one of ${tableFields.join(', ')}, or empty.`,
    de: `mapping: „${short(field, 60)}“ muss eines von ${tableFields.join(', ')} sein oder leer.`
  })

const tooManyRows = () =>
  new StatementFileProblem('statement-too-many-entries', {
    en: `A table may have at most ${rowsMax} rows. Import it in parts.`,
    de: `Eine Tabelle darf höchstens ${rowsMax} Zeilen haben. Importieren Sie sie in Teilen.`
  })

const shownList = (columns: string[]) =>
  columns
    .slice(0, 30)
    .map(column => short(column, 60))
    .join(', ')
