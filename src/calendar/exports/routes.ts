import type { Readable } from 'node:stream'
import { type Cell, newCsvWriter } from '#platform/csv/csv.ts'
import { jsonLinesType, prefetchFirst, streamJsonLines, streamLines } from '#platform/database/streaming.ts'
import { buildResponseFilter } from '#platform/http/response-filter.ts'
import type { RouteContext } from '#platform/http/service.ts'
import type { ParamDefs, ParamValues } from '../contract/param-definition.ts'
import { defineRoute, type RequestContext, type RouteTable } from '../contract/routing/route.ts'
import { categorySchema, eventSchema, organizerSchema, tagSchema, venueSchema } from '../contract/shapes.ts'
import type { EventRow } from '../events/event-row.ts'
import { listAllEvents } from '../events/list.ts'
import { eventListParams } from '../events/schema.ts'
import { toEventJson } from '../events/wire.ts'
import { linkedPostListParams } from '../linked-posts/schema.ts'
import { organizerPostType } from '../organizers/organizer.ts'
import type { OrganizerRow } from '../organizers/queries.ts'
import { toOrganizerJson } from '../organizers/wire.ts'
import type { TermWithAncestorsRow } from '../terms/queries.ts'
import { toTermJson } from '../terms/wire.ts'
import type { VenueRow } from '../venues/queries.ts'
import { venuePostType } from '../venues/venue.ts'
import { toVenueJson } from '../venues/wire.ts'
import { listAllLinkedPosts, listAllTerms } from './export.ts'
import {
  eventCsvColumns,
  organizerCsvColumns,
  termCsvColumns,
  toColumnCells,
  toEventCells,
  venueCsvColumns
} from './wire.ts'

/** An export has no pages, no default dates and a fixed order. */
const { page: _page, per_page: _perPage, orderby: _orderby, order: _order, ...ofEvents } = eventListParams
const { default: _today, ...from } = eventListParams.start_date
const { default: _inTwoYears, ...until } = eventListParams.end_date
const eventExportFilters = { ...ofEvents, start_date: from, end_date: until }
const { search, status, include, event, has_events, only_with_upcoming, missing_language, password } =
  linkedPostListParams
const linkedExportFilters = {
  search,
  status,
  include,
  event,
  has_events,
  only_with_upcoming,
  missing_language,
  password
}

/** Whole lists as files, with the permissions and filters of the lists. */
export function registerExportRoutes(scope: RouteContext, table: RouteTable): void {
  defineExport(scope, table, {
    collection: 'events',
    params: eventExportFilters,
    item: eventSchema,
    columns: eventCsvColumns,
    open: (context, values) => ({
      rows: listAllEvents(context, values),
      toWire: (row: EventRow) => toEventJson(row, { context: context, password: values.password }),
      toCells: (row: EventRow) => toEventCells(row, context, values.password)
    })
  })
  defineExport(scope, table, {
    collection: 'venues',
    params: linkedExportFilters,
    item: venueSchema,
    columns: venueCsvColumns,
    open: (context, values) => {
      const toWire = (row: VenueRow) => toVenueJson(row, { ...context, password: values.password })
      return {
        rows: listAllLinkedPosts(context, venuePostType, values),
        toWire,
        toCells: (row: VenueRow) => toColumnCells(venueCsvColumns, toWire(row))
      }
    }
  })
  defineExport(scope, table, {
    collection: 'organizers',
    params: linkedExportFilters,
    item: organizerSchema,
    columns: organizerCsvColumns,
    open: (context, values) => {
      const toWire = (row: OrganizerRow) => toOrganizerJson(row, { ...context, password: values.password })
      return {
        rows: listAllLinkedPosts(context, organizerPostType, values),
        toWire,
        toCells: (row: OrganizerRow) => toColumnCells(organizerCsvColumns, toWire(row))
      }
    }
  })
  for (const [collection, taxonomy, item] of [
    ['categories', 'category', categorySchema] as const,
    ['tags', 'tag', tagSchema] as const
  ]) {
    defineExport(scope, table, {
      collection,
      params: {},
      item,
      columns: termCsvColumns,
      open: context => ({
        rows: listAllTerms(context, taxonomy),
        toWire: (row: TermWithAncestorsRow) => toTermJson(row, context.site),
        toCells: (row: TermWithAncestorsRow) => toColumnCells(termCsvColumns, toTermJson(row, context.site))
      })
    })
  }
}

/** The rows as a stream, and the serializers for a row. */
interface OpenedExport<Row> {
  rows: AsyncGenerator<Row[]>
  toWire(row: Row): object
  toCells(row: Row): Cell[]
}

interface Export<Declarations extends ParamDefs, Row> {
  collection: string
  params: Declarations
  /** Schema of a line of the JSON export. */
  item: object
  columns: string[]
  open(context: RequestContext, values: ParamValues<Declarations>): OpenedExport<Row>
}

function defineExport<Declarations extends ParamDefs, Row>(
  scope: RouteContext,
  table: RouteTable,
  { collection, params, item, columns, open }: Export<Declarations, Row>
): void {
  function add(
    form: 'csv' | 'jsonl',
    type: string,
    summary: string,
    write: (context: RequestContext, opened: OpenedExport<Row>) => Readable
  ) {
    defineRoute(scope, table, {
      methods: ['GET'],
      path: `/${collection}.${form}`,
      requires: 'public',
      summary,
      description: 'Same visibility and filters as the list, without paging. The response is streamed.',
      params: params,
      response: { type: 'string' },
      produces: type.split(';', 1)[0] ?? type,
      handler: async (context, values) => {
        const headers = { 'content-disposition': `attachment; filename="${collection}.${form}"` }
        const opened = open(context, values)
        const content = write(context, { ...opened, rows: await prefetchFirst(opened.rows) })
        return { body: {}, language: context.language, stream: { content, type, headers } }
      }
    })
  }

  add('csv', 'text/csv; charset=utf-8', `Export ${collection} as CSV`, ({ language }, { rows, toCells }) => {
    const csv = newCsvWriter(language)
    return streamLines(csv.formatHeader(columns), rows, row => csv.formatRow(toCells(row)))
  })
  const filter = buildResponseFilter(item)
  add('jsonl', jsonLinesType, `Export ${collection} as JSON Lines`, (_, { rows, toWire }) =>
    streamJsonLines(rows, row => filter(toWire(row)))
  )
}
