import { setImmediate } from 'node:timers/promises'
import { decodeText } from '#platform/csv/decode.ts'
import { type CsvRow, type CsvTable, parseCsv, toTable } from '#platform/csv/parse.ts'
import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { isZip } from '#platform/zip/zip-reader.ts'
import { buildFileKey, readSourceFile } from '../incoming/source-file.ts'
import type { ImportRequest, Incoming, Source, SourceContext } from '../source.ts'
import { type DayOrder, detectDayOrder } from './date-parser.ts'
import {
  type ColumnMeaning,
  type Field,
  fieldNames,
  formatMeaning,
  guessMeanings,
  isIgnoredColumn,
  parseMeaning
} from './fields.ts'
import { type RowContext, readRow } from './row.ts'
import { readXlsx } from './xlsx.ts'

const rowsMax = 50_000
const columnsMax = 200
const batchSize = 100

/** A table of events as CSV or as an Excel workbook, with a row of column names. */
export async function openCsv(request: ImportRequest, tools: SourceContext): Promise<Source> {
  const bytes = await readSourceFile(request, tools, 'text/csv, text/plain;q=0.5, */*;q=0.1')
  const table = isZip(bytes)
    ? toTable(await readXlsx(bytes, tools.signal), newHeaderTest(request.mapping))
    : readCsv(bytes, newHeaderTest(request.mapping))
  if (table.columns.length < 2) throw newNotATableProblem()
  if (table.columns.length > columnsMax) throw newTooManyColumnsProblem()
  const meanings = resolveColumns(table.columns, request.mapping)
  const about: RowContext = {
    meanings,
    columns: table.columns,
    language: request.language,
    timezone: request.timezone,
    order: 'unknown',
    home: getIdNamespace(request)
  }
  const state = { isComplete: true }
  const { rows, total, order } = await scanTable(table, about, tools)
  if (rows > rowsMax) throw newTooManyRowsProblem()
  return {
    origin: 'csv',
    place: about.home,
    isComplete: () => state.isComplete,
    total,
    columns: table.columns,
    mapping: Object.fromEntries(
      table.columns.map((column, place) => [
        column,
        meanings[place] === undefined ? '' : formatMeaning(meanings[place])
      ])
    ),
    batches: () => readBatches(table, { ...about, order, state }, describeUnknownColumns(about, request.mapping), tools)
  }
}

function readCsv(bytes: Buffer, isHead: (cells: string[]) => boolean): CsvTable {
  const text = decodeText(bytes)
  if (text.slice(0, 1000).includes('\0') || /^PK|^\s{0,100}</.test(text.slice(0, 200))) throw newNotATableProblem()
  return parseCsv(text, isHead)
}

/** People write a title above the table: the header is the row with the mapped columns, or with a title and a date. */
function newHeaderTest(mapping: ImportRequest['mapping']): (cells: string[]) => boolean {
  const mapped = Object.keys(mapping ?? {})
  if (mapped.length > 0) return cells => mapped.every(column => cells.includes(column))
  return cells => {
    const fields = guessMeanings(cells.slice(0, columnsMax)).map(meaning => meaning?.field)
    return fields.includes('title') && fields.includes('start_date')
  }
}

/** The meaning of each column: from the requested mapping, else guessed from its name. */
function resolveColumns(columns: string[], mapping: ImportRequest['mapping']): (ColumnMeaning | undefined)[] {
  const byName = guessMeanings(columns.map(column => (isMapped(mapping, column) ? '' : column)))
  for (const column of Object.keys(mapping ?? {})) {
    if (!columns.includes(column)) throw newUnknownColumnProblem(column, columns)
  }
  return columns.map((column, place) => {
    const said = isMapped(mapping, column) ? (mapping?.[column] ?? '').trim() : undefined
    if (said === undefined) return byName[place]
    const meaning = said === '' ? undefined : parseMeaning(said)
    if (said !== '' && meaning === undefined) throw newUnknownFieldProblem(said)
    return meaning
  })
}

const isMapped = (mapping: ImportRequest['mapping'], column: string) =>
  mapping !== null && Object.hasOwn(mapping, column)

/** Ids are only unique within a table. */
function getIdNamespace({ url, fileName }: ImportRequest): string {
  return url === null ? buildFileKey(fileName) : url.slice(0, 300)
}

const referenceFields: string[] = ['venue', 'organizer', 'categories', 'tags']

interface TableSummary {
  rows: number
  /** Rows plus the items they reference; approximate. */
  total: number
  order: DayOrder
}

/** Counts the rows, and detects from the dates of all rows whether 3/1/2027 is day-first or month-first. */
async function scanTable(table: CsvTable, { meanings }: RowContext, tools: SourceContext): Promise<TableSummary> {
  const places = [...meanings.entries()].flatMap(([place, meaning]) =>
    meaning?.field === 'start_date' || meaning?.field === 'end_date' ? [place] : []
  )
  const named = [...meanings.entries()].flatMap(([place, meaning]) =>
    referenceFields.includes(meaning?.field ?? '') ? [{ place, values: new Set<string>() }] : []
  )
  const found = new Set<DayOrder>()
  let rows = 0
  for (const { cells } of table.rows) {
    rows += 1
    for (const { place, values } of named) {
      for (const name of (cells[place] ?? '').split(/[,;|]/, 20)) values.add(name.trim().toLowerCase())
    }
    for (const place of places) {
      const order = detectDayOrder(cells[place] ?? '')
      if (order !== undefined) found.add(order)
    }
    if (rows % 1000 === 0) await pause(tools)
  }
  // If both orders occur, each cell is parsed on its own.
  const [order = 'unknown'] = found.size === 1 ? found : []
  for (const { values } of named) values.delete('')
  return { rows, total: named.reduce((sum, { values }) => sum + values.size, rows), order }
}

async function pause({ signal }: SourceContext): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}

async function* readBatches(
  table: CsvTable,
  { state, ...about }: RowContext & { state: { isComplete: boolean } },
  remarks: Text[],
  tools: SourceContext
): AsyncGenerator<Incoming[]> {
  const missing = (['title', 'start_date'] as const).filter(field => !hasField(about, field))
  if (missing.length > 0) {
    state.isComplete = false
    yield [newTableItem(missing.map(field => describeMissingColumn(field)))]
    return
  }
  const known = new Set<string>()
  const counts = new Map<string, number>()
  let notes = remarks
  let batch: Incoming[] = []
  for (const row of table.rows) {
    if (row.isUnterminated) {
      state.isComplete = false
      batch.push(newBrokenRowItem(row, about))
      break
    }
    const { named, event } = readRow(row, about)
    for (const one of named) {
      if (known.has(`${one.kind} ${one.sourceId}`)) continue
      known.add(`${one.kind} ${one.sourceId}`)
      batch.push(one)
    }
    // Identical rows are separate events: the author of the table wrote two rows.
    const count = (counts.get(event.sourceId) ?? 0) + 1
    counts.set(event.sourceId, count)
    if (count > 1) event.sourceId = `${event.sourceId} #${count}`
    if (notes.length > 0) event.notes = [...notes, ...(event.notes ?? [])]
    notes = []
    batch.push(event)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
    await pause(tools)
  }
  if (batch.length > 0) yield batch
}

const hasField = ({ meanings }: RowContext, field: Field) => meanings.some(meaning => meaning?.field === field)

/** A report row about the table as a whole. */
function newTableItem(problems: Text[]): Incoming {
  return { kind: 'event', sourceId: 'table', texts: { en: { title: 'The table' } }, fields: {}, problems }
}

function newBrokenRowItem({ line }: CsvRow, { language }: RowContext): Incoming {
  const problems = [describeUnclosedQuote(line)]
  return {
    kind: 'event',
    sourceId: `line ${line}`,
    texts: { [language]: { title: `Line ${line}` } },
    fields: {},
    problems
  }
}

/** Reported once, with the first event. Columns that the mapping leaves out on purpose are not reported. */
function describeUnknownColumns({ columns, meanings }: RowContext, mapping: ImportRequest['mapping']): Text[] {
  const unknown = columns.filter(
    (column, place) =>
      meanings[place] === undefined && column !== '' && !isIgnoredColumn(column) && !isMapped(mapping, column)
  )
  if (unknown.length === 0) return []
  const list = unknown.map(column => column.slice(0, 60).toWellFormed()).join(', ')
  return [buildText('import-source-reasons', 'unknownColumns', { list })]
}

const describeMissingColumn = (field: 'title' | 'start_date'): Text =>
  field === 'title'
    ? buildText('import-source-reasons', 'noTitleColumn')
    : buildText('import-source-reasons', 'noDateColumn')

const describeUnclosedQuote = (line: number): Text => buildText('import-source-reasons', 'unclosedQuote', { line })

const newNotATableProblem = () => new Problem(400, 'not-a-table', buildText('import-source-reasons', 'notATable'))

const newTooManyColumnsProblem = () =>
  new Problem(400, 'too-many-columns', buildText('import-source-reasons', 'tooManyColumns', { columnsMax }))

const newTooManyRowsProblem = () =>
  new Problem(400, 'too-many-rows', buildText('import-source-reasons', 'tooManyRows', { rowsMax }))

const newUnknownColumnProblem = (column: string, columns: string[]) =>
  new Problem(
    400,
    'import-mapping',
    buildText('import-source-reasons', 'unknownColumn', { column: column.slice(0, 60), list: formatList(columns) })
  )

const newUnknownFieldProblem = (field: string) =>
  new Problem(
    400,
    'import-mapping',
    buildText('import-source-reasons', 'unknownField', { field: field.slice(0, 60), fieldNames: fieldNames.join(', ') })
  )

const formatList = (columns: string[]) =>
  columns
    .slice(0, 30)
    .map(column => column.slice(0, 60).toWellFormed())
    .join(', ')
