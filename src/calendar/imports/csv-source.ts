import { setImmediate } from 'node:timers/promises'
import { type Table, type TableRow, tableIn } from '#platform/csv-reading.ts'
import { textIn } from '#platform/file-text.ts'
import type { Text } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { type DayOrder, orderIn } from './csv/dates.ts'
import { type Field, fieldNames, guessed, hasNoMeaning, type Meaning, meaningOf, nameOf } from './csv/fields.ts'
import { type About, readRow } from './csv/row.ts'
import { bytesOf } from './reading/bytes.ts'
import type { Incoming, Source, Tools, Wish } from './source.ts'

const rowsMax = 50_000
const columnsMax = 200
const batchSize = 100

/** A table of events, with names of columns in its first row. */
export async function openCsv(wish: Wish, tools: Tools): Promise<Source> {
  const text = textIn(await bytesOf(wish, tools, 'text/csv, text/plain;q=0.5, */*;q=0.1'))
  if (text.slice(0, 1000).includes('\0') || /^PK|^\s{0,100}</.test(text.slice(0, 200))) throw noTable()
  const table = tableIn(text)
  if (table.columns.length < 2) throw noTable()
  if (table.columns.length > columnsMax) throw tooManyColumns()
  const meanings = meaningsOf(table.columns, wish.mapping)
  const about: About = {
    meanings,
    columns: table.columns,
    language: wish.language,
    timezone: wish.timezone,
    order: 'unknown',
    home: homeOf(wish)
  }
  const { rows, total, order } = await surveyed(table, about, tools)
  if (rows > rowsMax) throw tooManyRows()
  return {
    origin: 'csv',
    total,
    columns: table.columns,
    mapping: Object.fromEntries(
      table.columns.map((column, place) => [column, meanings[place] === undefined ? '' : nameOf(meanings[place])])
    ),
    batches: () => batchesOf(table, { ...about, order }, unknownColumns(about, wish.mapping), tools)
  }
}

/** What each column is: as the wish says, and by its name where it says nothing. */
function meaningsOf(columns: string[], mapping: Wish['mapping']): (Meaning | undefined)[] {
  const byName = guessed(columns.map(column => (isSaid(mapping, column) ? '' : column)))
  for (const column of Object.keys(mapping ?? {})) {
    if (!columns.includes(column)) throw noSuchColumn(column, columns)
  }
  return columns.map((column, place) => {
    const said = isSaid(mapping, column) ? (mapping?.[column] ?? '').trim() : undefined
    if (said === undefined) return byName[place]
    const meaning = said === '' ? undefined : meaningOf(said)
    if (said !== '' && meaning === undefined) throw noSuchField(said)
    return meaning
  })
}

const isSaid = (mapping: Wish['mapping'], column: string) => mapping !== null && Object.hasOwn(mapping, column)

/** Ids of a table are only unique in it; the name of its file loses what copies and versions add: ` (1)`, `-2027-03`. */
function homeOf({ url, fileName }: Wish): string {
  if (url !== null) return url.slice(0, 300)
  return (fileName ?? '')
    .slice(0, 200)
    .toLowerCase()
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim()
}

const namingFields: string[] = ['venue', 'organizer', 'categories', 'tags']

interface Survey {
  rows: number
  /** With what the rows name, more or less. */
  total: number
  order: DayOrder
}

/** How much there is, and what the dates of all rows say together about 3/1/2027. */
async function surveyed(table: Table, { meanings }: About, tools: Tools): Promise<Survey> {
  const places = [...meanings.entries()].flatMap(([place, meaning]) =>
    meaning?.field === 'start_date' || meaning?.field === 'end_date' ? [place] : []
  )
  const named = [...meanings.entries()].flatMap(([place, meaning]) =>
    namingFields.includes(meaning?.field ?? '') ? [{ place, values: new Set<string>() }] : []
  )
  const found = new Set<DayOrder>()
  let rows = 0
  for (const { cells } of table.rows) {
    rows += 1
    for (const { place, values } of named) {
      for (const name of (cells[place] ?? '').split(/[,;|]/, 20)) values.add(name.trim().toLowerCase())
    }
    for (const place of places) {
      const order = orderIn(cells[place] ?? '')
      if (order !== undefined) found.add(order)
    }
    if (rows % 1000 === 0) await pause(tools)
  }
  // Where both occur, each cell must speak for itself.
  const [order = 'unknown'] = found.size === 1 ? found : []
  for (const { values } of named) values.delete('')
  return { rows, total: named.reduce((sum, { values }) => sum + values.size, rows), order }
}

async function pause({ signal }: Tools): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}

async function* batchesOf(table: Table, about: About, remarks: Text[], tools: Tools): AsyncGenerator<Incoming[]> {
  const missing = (['title', 'start_date'] as const).filter(field => !has(about, field))
  if (missing.length > 0) {
    yield [wholeTable(missing.map(field => withoutColumn(field)))]
    return
  }
  const known = new Set<string>()
  const counts = new Map<string, number>()
  let notes = remarks
  let batch: Incoming[] = []
  for (const row of table.rows) {
    if (row.isBroken) {
      batch.push(brokenRow(row, about))
      break
    }
    const { named, event } = readRow(row, about)
    for (const one of named) {
      if (known.has(`${one.kind} ${one.sourceId}`)) continue
      known.add(`${one.kind} ${one.sourceId}`)
      batch.push(one)
    }
    // The same twice is two events: somebody wrote two rows.
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

const has = ({ meanings }: About, field: Field) => meanings.some(meaning => meaning?.field === field)

/** A row in the report that stands for the table. */
function wholeTable(problems: Text[]): Incoming {
  return { kind: 'event', sourceId: 'table', texts: { en: { title: 'The table' } }, fields: {}, problems }
}

function brokenRow({ line }: TableRow, { language }: About): Incoming {
  const problems = [neverClosed(line)]
  return {
    kind: 'event',
    sourceId: `line ${line}`,
    texts: { [language]: { title: `Line ${line}` } },
    fields: {},
    problems
  }
}

/** Told once, with the first event. What somebody left out is no surprise to them. */
function unknownColumns({ columns, meanings }: About, mapping: Wish['mapping']): Text[] {
  const unknown = columns.filter(
    (column, place) =>
      meanings[place] === undefined && column !== '' && !hasNoMeaning(column) && !isSaid(mapping, column)
  )
  if (unknown.length === 0) return []
  const list = unknown.map(column => column.slice(0, 60).toWellFormed()).join(', ')
  return [
    {
      en: `Columns that were left out, for all rows: ${list}. Say in the mapping what they mean.`,
      de: `Diese Spalten wurden in allen Zeilen ausgelassen: ${list}. In der Zuordnung lässt sich sagen, was sie bedeuten.`
    }
  ]
}

const withoutColumn = (field: 'title' | 'start_date'): Text =>
  field === 'title'
    ? {
        en: 'No column is the title. Say in the mapping which one it is (title).',
        de: 'Keine Spalte ist der Titel. Sagen Sie in der Zuordnung, welche es ist (title).'
      }
    : {
        en: 'No column is the date. Say in the mapping which one it is (start_date).',
        de: 'Keine Spalte ist das Datum. Sagen Sie in der Zuordnung, welche es ist (start_date).'
      }

const neverClosed = (line: number): Text => ({
  en: `Line ${line} opens a quote (") that is never closed: this row and everything behind it could not be read.`,
  de: `Zeile ${line} öffnet ein Anführungszeichen ("), das nie geschlossen wird: Diese Zeile und alles danach ließ sich nicht lesen.`
})

const noTable = () =>
  new Problem(400, 'not-a-table', {
    en: 'This is no CSV file: the first row must name at least two columns, separated by commas, semicolons or tabs. A spreadsheet saves one as "CSV UTF-8".',
    de: 'Das ist keine CSV-Datei: Die erste Zeile muss mindestens zwei Spalten nennen, getrennt durch Kommas, Semikolons oder Tabulatoren. Eine Tabellenkalkulation speichert sie als „CSV UTF-8“.'
  })

const tooManyColumns = () =>
  new Problem(400, 'too-many-columns', {
    en: `A table may have at most ${columnsMax} columns.`,
    de: `Eine Tabelle darf höchstens ${columnsMax} Spalten haben.`
  })

const tooManyRows = () =>
  new Problem(400, 'too-many-rows', {
    en: `A table may have at most ${rowsMax} rows. Import it in parts.`,
    de: `Eine Tabelle darf höchstens ${rowsMax} Zeilen haben. Importieren Sie sie in Teilen.`
  })

const noSuchColumn = (column: string, columns: string[]) =>
  new Problem(400, 'import-mapping', {
    en: `mapping: the table has no column “${column.slice(0, 60)}”. It has ${shownList(columns)}.`,
    de: `mapping: Die Tabelle hat keine Spalte „${column.slice(0, 60)}“. Sie hat ${shownList(columns)}.`
  })

const noSuchField = (field: string) =>
  new Problem(400, 'import-mapping', {
    en: `mapping: “${field.slice(0, 60)}” must be one of ${fieldNames.join(', ')}, or empty.`,
    de: `mapping: „${field.slice(0, 60)}“ muss eines von ${fieldNames.join(', ')} sein oder leer.`
  })

const shownList = (columns: string[]) =>
  columns
    .slice(0, 30)
    .map(column => column.slice(0, 60).toWellFormed())
    .join(', ')
