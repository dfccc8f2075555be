import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isFresh } from '#platform/conditional.ts'
import { csvIn } from '#platform/csv.ts'
import { preferredLanguage } from '#platform/language.ts'
import { urlOf } from '#platform/links.ts'
import type { Scope } from '#platform/service.ts'
import { chunkRows, chunks, jsonLines, jsonLinesType, textLines } from '#platform/stream.ts'
import { daysBetween } from '../days.ts'
import { moveDonations, recordExport, releaseDonations } from './ledger.ts'
import type { EntryRow } from './queries.ts'
import * as ledger from './queries.ts'
import { LedgerEntry, LedgerFilter, LedgerQuery, LedgerSummary, Release, StatusMove, StatusMoved } from './schema.ts'
import { csvHead, csvLine, summaryOf, toWire } from './wire.ts'

/** More than a year of days is no picture any more. */
const daysMax = 400

/** Donations of all campaigns, for treasurers. */
export function ledgerRoutes({ app, db, settings, soon }: Scope): void {
  const { timezone } = settings
  const languageOf = (request: FastifyRequest) =>
    preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)

  function linkPages(request: FastifyRequest, reply: FastifyReply, { page, pages }: { page: number; pages: number }) {
    const [path = '', query = ''] = request.url.split('?', 2)
    const linkTo = (number: number, relation: string) => {
      const parameters = new URLSearchParams(query)
      parameters.set('page', String(number))
      return `<${urlOf(request, settings, `${path}?${parameters}`)}>; rel="${relation}"`
    }
    const links = [
      ...(page < pages ? [linkTo(page + 1, 'next')] : []),
      ...(page > 1 && pages > 0 ? [linkTo(Math.min(page - 1, pages), 'prev')] : [])
    ]
    if (links.length > 0) reply.header('link', links.join(', '))
  }

  app.get('/donations', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'List the donations to all campaigns, newest first',
      querystring: LedgerQuery,
      response: { 200: Type.Array(LedgerEntry) }
    },
    handler: async (request, reply) => {
      const { sort = 'createdAt', order, page = 1, limit = 25, ...filter } = request.query
      const [rows, total] = await Promise.all([
        ledger.list(db, filter, timezone, {
          sort,
          order: order ?? (sort === 'donorName' ? 'asc' : 'desc'),
          limit,
          offset: (page - 1) * limit
        }),
        ledger.count(db, filter, timezone)
      ])
      reply.header('x-total-count', String(total))
      linkPages(request, reply, { page, pages: Math.ceil(total / limit) })
      return rows.map(row => toWire(row, settings))
    }
  })

  app.get('/donations/summary', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Add up the donations to all campaigns, or those that a filter leaves',
      querystring: LedgerFilter,
      response: { 200: LedgerSummary }
    },
    handler: async ({ query: filter }) => {
      const { from, to } = filter
      const byStatus = ledger.listSumsByStatus(db, filter, timezone)
      if (from === undefined) return summaryOf(await byStatus)
      const days = daysBetween({ from, to }, { timezone, now: new Date(), most: daysMax })
      const [first, last] = [days[0], days.at(-1)]
      const byDay =
        first === undefined || last === undefined ? [] : ledger.listSumsByDay(db, filter, timezone, { first, last })
      const [statuses, sums] = await Promise.all([byStatus, byDay])
      return summaryOf(statuses, { days, sums })
    }
  })

  /** What both forms of the whole list have in common: who took it out is written down, and nobody else keeps a copy. */
  async function takeOut(
    request: FastifyRequest<{ Querystring: LedgerFilter }>,
    reply: FastifyReply,
    { type, form, mark }: { type: string; form: 'csv' | 'jsonl'; mark: string }
  ): Promise<AsyncGenerator<EntryRow[]>> {
    const { caller, query: filter } = request
    // Taken before the rows are: what changes meanwhile makes the tag old, never the content.
    const { count, print } = await ledger.fingerprint(db, filter, timezone)
    reply.header('etag', `"${mark}-${print}"`)
    // Whoever has it already, or only asks what it would be like, takes nothing out.
    if (request.method === 'GET' && !isFresh(request, reply)) await recordExport(db, caller, filter, count)
    reply
      .type(type)
      .header('content-disposition', `attachment; filename="donations.${form}"`)
      .header('cache-control', 'no-store')
      .serializer(String)
    return chunks<EntryRow>(after =>
      ledger.list(db, filter, timezone, { sort: 'createdAt', order: 'desc', limit: chunkRows, offset: 0, after })
    )
  }

  app.get('/donations.csv', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'The donations to all campaigns as a table, newest first',
      description: 'With Accept-Language: de in the form that German spreadsheets expect.',
      querystring: LedgerFilter,
      produces: 'text/csv',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const language = languageOf(request)
      const csv = csvIn(language)
      const rows = await takeOut(request, reply, { type: 'text/csv; charset=utf-8', form: 'csv', mark: language })
      reply.header('content-language', language)
      return reply.send(textLines(csv.head(csvHead[language]), rows, row => csvLine(csv, row, settings)) as never)
    }
  })

  app.get('/donations.jsonl', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'The donations to all campaigns for programs, one in each line, newest first',
      querystring: LedgerFilter,
      produces: 'application/jsonl',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const rows = await takeOut(request, reply, { type: jsonLinesType, form: 'jsonl', mark: 'lines' })
      return reply.send(jsonLines(rows, row => toWire(row, settings)) as never)
    }
  })

  app.post('/donations/status', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Move several donations on to a status, each by itself',
      body: StatusMove,
      response: { 200: StatusMoved }
    },
    handler: async request => {
      const moved = await moveDonations(db, request.caller, request.body, { settings, language: languageOf(request) })
      soon('fold-totals')
      if (settings.smtpUrl !== undefined) soon('send-mail')
      return moved
    }
  })

  app.post('/donations/release', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Release several donations that wait for a treasurer, each by itself',
      body: Release,
      response: { 200: StatusMoved }
    },
    handler: async request => {
      const released = await releaseDonations(db, request.caller, request.body, {
        settings,
        language: languageOf(request)
      })
      soon('fold-totals')
      if (settings.smtpUrl !== undefined) soon('send-mail')
      return released
    }
  })
}
