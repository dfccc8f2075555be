import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { record } from '#platform/activity/activity.ts'
import { newCsvWriter } from '#platform/csv/csv.ts'
import { defaultBatchRows, fetchBatches, streamLines } from '#platform/database/streaming.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { toLocalDay } from '../../dates.ts'
import { newDatevCurrencyProblem, newDatevTooLongProblem } from '../../problems/payments.ts'
import { listAccounts } from '../bookkeeping.ts'
import * as bookkeeping from '../queries.ts'
import { buildDatevHead, buildDatevLine, datevLinesMax } from './datev.ts'
import type { JournalRow } from './queries.ts'
import * as journal from './queries.ts'
import { JournalFilter, JournalQuery, JournalSummary } from './schema.ts'
import { buildHead, buildLine, toSummaryJson } from './wire.ts'

/** Payments and returns by day, for bookkeeping. */
export function registerJournalRoutes({ app, db, settings }: RouteContext): void {
  const needs = ['treasurer'] as const

  app.get('/journal', {
    config: { requires: needs },
    schema: {
      summary: 'Get payment totals of a year by account',
      description: 'Default year: the current one in the time zone of the site.',
      querystring: JournalQuery,
      response: { 200: JournalSummary }
    },
    handler: async (request, reply) => {
      const year = request.query.year ?? Number(toLocalDay(new Date(), settings.timezone).slice(0, 4))
      const [years, sums] = await Promise.all([journal.listYears(db), journal.listSums(db, { year })])
      reply.header('cache-control', 'private, no-store')
      return toSummaryJson(years, sums)
    }
  })

  app.get('/journal.csv', {
    config: { requires: needs },
    schema: {
      summary: 'Export the payments of a year as CSV, by date',
      description: 'With `Accept-Language: de` the file has the format that German spreadsheets expect.',
      querystring: JournalFilter,
      produces: 'text/csv',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
      const csv = newCsvWriter(language)
      const rows = await exportRows(request, reply, `journal-${request.query.year}.csv`)
      reply.header('content-language', language)
      return reply.send(streamLines(buildHead(csv, language), rows, row => buildLine(csv, row, language)) as never)
    }
  })

  app.get('/journal/datev.csv', {
    config: { requires: needs },
    schema: {
      summary: 'Export the payments of a year for DATEV (EXTF)',
      description:
        'Uses the account numbers of GET /bookkeeping. Gifts in kind and waived expenses are left out, because no account received them.',
      problems: { 409: ['datev-currency', 'datev-too-long'] },
      querystring: JournalFilter,
      produces: 'text/csv',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const query = { ...request.query, moneyOnly: true }
      const [own, total, currencies] = await Promise.all([
        bookkeeping.find(db),
        journal.count(db, query),
        journal.listCurrencies(db, query)
      ])
      const foreign = currencies.find(currency => currency !== 'EUR')
      if (foreign !== undefined) throw newDatevCurrencyProblem(foreign)
      if (total > datevLinesMax) throw newDatevTooLongProblem(total, datevLinesMax)
      const accountLength = listAccounts(own)[0]?.length ?? 4
      const head = buildDatevHead(own, { year: query.year, accountLength, now: new Date() })
      const rows = await exportRows(request, reply, `EXTF_Buchungsstapel_${query.year}.csv`, true)
      return reply.send(streamLines(head, rows, row => buildDatevLine(own, row)) as never)
    }
  })

  /** Records the export in the activity log and streams the rows. */
  async function exportRows(
    request: FastifyRequest<{ Querystring: JournalFilter }>,
    reply: FastifyReply,
    fileName: string,
    moneyOnly = false
  ): Promise<AsyncGenerator<JournalRow[]>> {
    const { year, account, campaignId } = request.query
    const filter: journal.MoneyFilter = {
      year,
      moneyOnly,
      ...(account === undefined ? {} : { account: account.replace(/\s+/g, '') }),
      ...(campaignId === undefined ? {} : { campaignId })
    }
    const details = { year, campaignId, byAccount: account !== undefined, count: await journal.count(db, filter) }
    await db.transaction(
      async tx =>
        await record(tx, { by: request.caller, now: new Date() }, 'donation.exported', {
          subject: 'donation',
          id: 'all',
          details
        })
    )
    reply
      .header('etag', `"${await journal.getFingerprint(db, filter)}"`)
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .header('cache-control', 'no-store')
      .serializer(String)
    return fetchBatches<JournalRow>(after => journal.list(db, filter, { after, rows: defaultBatchRows }))
  }
}
