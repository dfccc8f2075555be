import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { newCsvWriter } from '#platform/csv/csv.ts'
import {
  defaultBatchRows,
  fetchBatches,
  jsonLinesType,
  streamJsonLines,
  streamLines
} from '#platform/database/streaming.ts'
import { isFresh } from '#platform/http/etag.ts'
import { linkNumberedPages } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { listDaysBetween } from '../../dates.ts'
import { changeStatuses, recordExport, releaseDonations } from './bulk-changes.ts'
import type { ListedDonationRow } from './queries.ts'
import * as allDonations from './queries.ts'
import {
  BulkRelease,
  BulkResult,
  BulkStatusChange,
  DonationFilter,
  DonationListQuery,
  DonationSummary,
  ListedDonation
} from './schema.ts'
import { buildCsvHeader, buildCsvLine, toDonationSummary, toWire } from './wire.ts'

/** A chart of more days than this is unreadable. */
const daysMax = 400

/** Donations of all campaigns, for treasurers. */
export function registerAllDonationsRoutes({ app, db, settings, enqueueSoon }: RouteContext): void {
  const { timezone } = settings
  const languageOf = (request: FastifyRequest) =>
    negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)

  app.get('/donations', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'List donations to all campaigns, newest first',
      description:
        'Filter by campaign, status, text, time and amount. `X-Total-Count` has the number of all that match.',
      querystring: DonationListQuery,
      response: { 200: Type.Array(ListedDonation) }
    },
    handler: async (request, reply) => {
      const { sort = 'createdAt', order, page = 1, limit = 25, ...filter } = request.query
      const [rows, total] = await Promise.all([
        allDonations.list(db, filter, settings, {
          sort,
          order: order ?? (sort === 'donorName' ? 'asc' : 'desc'),
          limit,
          offset: (page - 1) * limit
        }),
        allDonations.count(db, filter, settings)
      ])
      reply.header('x-total-count', String(total))
      linkNumberedPages(request, reply, settings, { page, pages: Math.ceil(total / limit) })
      return rows.map(row => toWire(row, settings))
    }
  })

  app.get('/donations/summary', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Get donation totals, optionally filtered',
      description: 'Counts and amounts, as a whole and by status, with the filters of `GET /donations`.',
      querystring: DonationFilter,
      response: { 200: DonationSummary }
    },
    handler: async ({ query: filter }) => {
      const { from, to } = filter
      const byStatus = allDonations.listSumsByStatus(db, filter, settings)
      if (from === undefined) return toDonationSummary(await byStatus)
      const days = listDaysBetween({ from, to }, { timezone, now: new Date(), most: daysMax })
      const [first, last] = [days[0], days.at(-1)]
      const byDay =
        first === undefined || last === undefined
          ? []
          : allDonations.listSumsByDay(db, filter, settings, { first, last })
      const [statuses, sums] = await Promise.all([byStatus, byDay])
      return toDonationSummary(statuses, { days, sums })
    }
  })

  /** Shared by both export formats: records the export in the activity log and forbids caching. */
  async function takeOut(
    request: FastifyRequest<{ Querystring: DonationFilter }>,
    reply: FastifyReply,
    { type, form, mark }: { type: string; form: 'csv' | 'jsonl'; mark: string }
  ): Promise<AsyncGenerator<ListedDonationRow[]>> {
    const { caller, query: filter } = request
    // Computed before the rows are read: a concurrent change can make the ETag stale, never the content.
    const { count, fingerprint } = await allDonations.getFingerprint(db, filter, settings)
    reply.header('etag', `"${mark}-${fingerprint}"`)
    // A HEAD request or a 304 response exports nothing, so it is not recorded.
    if (request.method === 'GET' && !isFresh(request, reply)) await recordExport(db, { by: caller }, filter, count)
    reply
      .type(type)
      .header('content-disposition', `attachment; filename="donations.${form}"`)
      .header('cache-control', 'no-store')
      .serializer(String)
    return fetchBatches<ListedDonationRow>(after =>
      allDonations.list(db, filter, settings, {
        sort: 'createdAt',
        order: 'desc',
        limit: defaultBatchRows,
        offset: 0,
        after
      })
    )
  }

  app.get('/donations.csv', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Export donations to all campaigns as CSV, newest first',
      description: 'With `Accept-Language: de` the file has the format that German spreadsheets expect.',
      querystring: DonationFilter,
      produces: 'text/csv',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const language = languageOf(request)
      const csv = newCsvWriter(language)
      const rows = await takeOut(request, reply, { type: 'text/csv; charset=utf-8', form: 'csv', mark: language })
      reply.header('content-language', language)
      return reply.send(
        streamLines(csv.formatHeader(buildCsvHeader(language)), rows, row => buildCsvLine(csv, row, settings)) as never
      )
    }
  })

  app.get('/donations.jsonl', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Export donations to all campaigns as JSON Lines, newest first',
      description: 'Each line is a donation as in `GET /donations`, with the same filters. The response is streamed.',
      querystring: DonationFilter,
      produces: 'application/jsonl',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const rows = await takeOut(request, reply, { type: jsonLinesType, form: 'jsonl', mark: 'lines' })
      return reply.send(streamJsonLines(rows, row => toWire(row, settings)) as never)
    }
  })

  app.post('/donations/status', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Update the status of several donations (one transaction each)',
      description:
        'Each donation is changed or rejected separately: the response has a result for each, with the reason of a rejection.',
      problems: { 400: ['wrong-number'] },
      body: BulkStatusChange,
      response: { 200: BulkResult }
    },
    handler: async request => {
      const moved = await changeStatuses(db, request.caller, request.body, { settings, language: languageOf(request) })
      enqueueSoon('fold-totals')
      if (settings.smtpUrl !== undefined) enqueueSoon('send-emails')
      return moved
    }
  })

  app.post('/donations/release', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Approve several donations held for review (one transaction each)',
      description:
        'Donations above the limit of the organisation are held for review: they are hidden and not counted until they are approved. The response has a result for each.',
      problems: { 400: ['wrong-number'] },
      body: BulkRelease,
      response: { 200: BulkResult }
    },
    handler: async request => {
      const released = await releaseDonations(db, request.caller, request.body, {
        settings,
        language: languageOf(request)
      })
      enqueueSoon('fold-totals')
      if (settings.smtpUrl !== undefined) enqueueSoon('send-emails')
      return released
    }
  })
}
