import type { Readable } from 'node:stream'
import { type Cell, csvIn } from '#platform/csv.ts'
import type { Scope } from '#platform/service.ts'
import { begun, jsonLines, jsonLinesType, textLines } from '#platform/stream.ts'
import { findAll } from '../events/page.ts'
import type { EventRow } from '../events/queries.ts'
import { eventListParameters } from '../events/schema.ts'
import { eventToWire } from '../events/wire.ts'
import { linkedListParameters } from '../linked/schema.ts'
import { linkedOrganizers } from '../organizers/organizer.ts'
import type { OrganizerRow } from '../organizers/queries.ts'
import { organizerToWire } from '../organizers/wire.ts'
import type { Declared, Values } from '../parameters.ts'
import { addRoute, type RouteTable, type Visit } from '../tec.ts'
import type { PlacedTermRow } from '../terms/queries.ts'
import { termToWire } from '../terms/wire.ts'
import type { VenueRow } from '../venues/queries.ts'
import { linkedVenues } from '../venues/venue.ts'
import { venueToWire } from '../venues/wire.ts'
import { allLinked, allTerms } from './export.ts'
import { cellsOf, eventCells, eventColumns, organizerColumns, termColumns, venueColumns } from './wire.ts'

/** Everything is in it, in an order of its own, and from all times. */
const { page: _page, per_page: _perPage, orderby: _orderby, order: _order, ...ofEvents } = eventListParameters
const { default: _today, ...from } = eventListParameters.start_date
const { default: _inTwoYears, ...until } = eventListParameters.end_date
const eventFilters = { ...ofEvents, start_date: from, end_date: until }
const { search, status, include, event, has_events, only_with_upcoming, missing_language, password } =
  linkedListParameters
const linkedFilters = { search, status, include, event, has_events, only_with_upcoming, missing_language, password }

/** Whole lists as files: who may see what, and what they can be narrowed by, is as in the lists. */
export function exportRoutes(scope: Scope, table: RouteTable): void {
  addExport(scope, table, {
    collection: 'events',
    takes: eventFilters,
    columns: eventColumns,
    open: (visit, values) => ({
      rows: findAll(visit, values),
      toWire: (row: EventRow) => eventToWire(row, { visit, password: values.password }),
      toCells: (row: EventRow) => eventCells(row, visit, values.password)
    })
  })
  addExport(scope, table, {
    collection: 'venues',
    takes: linkedFilters,
    columns: venueColumns,
    open: (visit, values) => {
      const toWire = (row: VenueRow) => venueToWire(row, { ...visit, password: values.password })
      return {
        rows: allLinked(visit, linkedVenues, values),
        toWire,
        toCells: (row: VenueRow) => cellsOf(venueColumns, toWire(row))
      }
    }
  })
  addExport(scope, table, {
    collection: 'organizers',
    takes: linkedFilters,
    columns: organizerColumns,
    open: (visit, values) => {
      const toWire = (row: OrganizerRow) => organizerToWire(row, { ...visit, password: values.password })
      return {
        rows: allLinked(visit, linkedOrganizers, values),
        toWire,
        toCells: (row: OrganizerRow) => cellsOf(organizerColumns, toWire(row))
      }
    }
  })
  for (const [collection, taxonomy] of [['categories', 'category'] as const, ['tags', 'tag'] as const]) {
    addExport(scope, table, {
      collection,
      takes: {},
      columns: termColumns,
      open: visit => ({
        rows: allTerms(visit, taxonomy),
        toWire: (row: PlacedTermRow) => termToWire(row, visit.site),
        toCells: (row: PlacedTermRow) => cellsOf(termColumns, termToWire(row, visit.site))
      })
    })
  }
}

/** Rows as they come, and what becomes of each. */
interface Opened<Row> {
  rows: AsyncGenerator<Row[]>
  toWire(row: Row): object
  toCells(row: Row): Cell[]
}

interface Export<Declarations extends Declared, Row> {
  collection: string
  takes: Declarations
  columns: string[]
  open(visit: Visit, values: Values<Declarations>): Opened<Row>
}

function addExport<Declarations extends Declared, Row>(
  scope: Scope,
  table: RouteTable,
  { collection, takes, columns, open }: Export<Declarations, Row>
): void {
  function add(
    form: 'csv' | 'jsonl',
    type: string,
    summary: string,
    write: (visit: Visit, opened: Opened<Row>) => Readable
  ) {
    addRoute(scope, table, {
      methods: ['GET'],
      path: `/${collection}.${form}`,
      needs: 'nothing',
      summary,
      takes,
      answers: { type: 'string' },
      produces: type.split(';', 1)[0] ?? type,
      handler: async (visit, values) => {
        const headers = { 'content-disposition': `attachment; filename="${collection}.${form}"` }
        const opened = open(visit, values)
        const content = write(visit, { ...opened, rows: await begun(opened.rows) })
        return { body: {}, language: visit.language, stream: { content, type, headers } }
      }
    })
  }

  add('csv', 'text/csv; charset=utf-8', `All ${collection} as a table`, ({ language }, { rows, toCells }) => {
    const csv = csvIn(language)
    return textLines(csv.head(columns), rows, row => csv.line(toCells(row)))
  })
  add('jsonl', jsonLinesType, `All ${collection}, one in each line`, (_, { rows, toWire }) => jsonLines(rows, toWire))
}
