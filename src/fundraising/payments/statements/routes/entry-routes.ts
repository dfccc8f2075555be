import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Caller } from '#platform/caller.ts'
import { parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { decodeCursor, encodeCursor, getFetchSize, parseNumber, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { toLocalDay } from '../../../dates.ts'
import { newEntryNotFoundProblem } from '../../../problems/statements.ts'
import { changeEntry, confirmEntries, type DecisionContext } from '../entries/entry.ts'
import { loadContext } from '../entries/entry-context.ts'
import { ignorePayer } from '../entries/payer-entries.ts'
import { buildEntryEtag, onlyVersion, toEntryJson, toStatementJson } from '../entries/wire.ts'
import type { EntryRow } from '../entry-queries.ts'
import * as entries from '../entry-queries.ts'
import { requireStatement } from '../require-statement.ts'
import { Confirmation, Confirmed, EntryChange, EntryQuery, StatementEntry } from '../schema.ts'

const StatementParams = Type.Object({ statementId: Type.Integer() })
const EntryParams = Type.Object({ statementId: Type.Integer(), entryId: Type.String({ format: 'uuid' }) })

/** Assignment of the transactions of bank statements, for treasurers. */
export function registerEntryRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope
  const needs = ['treasurer'] as const
  const languageOf = (request: FastifyRequest) =>
    negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)

  function getDeciding(by: Caller): DecisionContext {
    const now = new Date()
    return { by, settings, now, today: toLocalDay(now, settings.timezone) }
  }

  async function shown(rows: EntryRow[], request: FastifyRequest): Promise<StatementEntry[]> {
    const context = await loadContext(db, settings, rows)
    return rows.map(row => toEntryJson(row, context, settings, languageOf(request)))
  }

  async function shownAlone(row: EntryRow, request: FastifyRequest, reply: FastifyReply): Promise<StatementEntry> {
    const [entry] = await shown([row], request)
    if (entry === undefined) throw new Error('Expected exactly one entry.')
    reply.header('etag', buildEntryEtag(entry))
    return entry
  }

  app.get('/bank-statements/:statementId/entries', {
    config: { requires: needs },
    schema: {
      summary: 'List transactions of a bank statement with their results, in file order',
      description:
        'Filter by `result`. Unmatched transactions have suggestions: donations with a matching reference, name or amount.',
      problems: { 404: ['statement-not-found'] },
      params: StatementParams,
      querystring: EntryQuery,
      response: { 200: Type.Array(StatementEntry) }
    },
    handler: async (request, reply) => {
      const { statementId } = request.params
      const { limit, cursor, result } = request.query
      const afterPosition = decodeCursor(cursor, parseNumber)
      const [statement, rows] = await Promise.all([
        requireStatement(db, statementId),
        entries.listEntries(db, statementId, result, { afterPosition, rows: getFetchSize(limit) })
      ])
      const { counts } = toStatementJson(statement)
      const total = counts[result ?? 'entries']
      const cursorAfter = (row: EntryRow) => encodeCursor(row.position)
      reply.header('cache-control', 'private, no-store')
      return await shown(sendPage(request, reply, settings, { rows, limit, total, cursorAfter }), request)
    }
  })

  app.get('/bank-statements/:statementId/entries/:entryId', {
    config: { requires: needs },
    schema: {
      summary: 'Get a transaction of a bank statement',
      description: 'With its result, its donations, and suggestions until it is decided.',
      problems: { 404: ['entry-not-found', 'statement-not-found'] },
      params: EntryParams,
      response: { 200: StatementEntry }
    },
    handler: async (request, reply) => {
      const { statementId, entryId } = request.params
      await requireStatement(db, statementId)
      const row = await entries.findEntry(db, statementId, entryId)
      if (row === undefined) throw newEntryNotFoundProblem()
      reply.header('cache-control', 'private, no-store')
      return await shownAlone(row, request, reply)
    }
  })

  app.patch('/bank-statements/:statementId/entries/:entryId', {
    config: { requires: needs },
    schema: {
      summary: 'Assign, ignore or unassign a transaction',
      description:
        'A credit becomes a payment of the donation, which is TRANSFERRED once the pledged amount is received, or with `accept`. A debit makes it FAILED (returned by the bank) or REFUNDED (sent by the organisation) if the balance is zero.',
      problems: {
        404: ['collection-not-found', 'entry-not-found', 'statement-not-found'],
        409: [
          'donation-has-moved-on',
          'donation-has-receipt',
          'donor-is-erased',
          'entry-cannot-be-assigned',
          'entry-is-assigned',
          'entry-is-outgoing',
          'later-payments'
        ],
        422: [
          'amounts-missing',
          'collection-alone',
          'collection-not-found',
          'donation-missing',
          'donation-not-found',
          'donation-or-donations',
          'ignored-and-assigned',
          'illegal-review',
          'illegal-status-change',
          'more-than-received',
          'no-extra',
          'other-currency',
          'payer-without-iban',
          'remember-without-ignored',
          'shares-differ',
          'too-large',
          'too-many'
        ]
      },
      params: EntryParams,
      body: EntryChange,
      response: { 200: StatementEntry }
    },
    handler: async (request, reply) => {
      const { caller: by, params, body } = request
      const one = { statementId: params.statementId, id: params.entryId }
      const expected = parseIfMatch(request)
      const row =
        body.remember === true && body.ignored === true
          ? await ignorePayer(db, getDeciding(by), one, { note: body.note || null, expected })
          : await changeEntry(db, getDeciding(by), { ...one, expected }, body)
      enqueueSoon('fold-totals')
      return await shownAlone(row, request, reply)
    }
  })

  app.post('/bank-statements/:statementId/confirm', {
    config: { requires: needs },
    schema: {
      summary: 'Book several transactions as suggested (one transaction each)',
      description:
        'Each transaction is booked or rejected separately: the response has a result for each, with the reason of a rejection.',
      problems: { 400: ['wrong-number'], 404: ['statement-not-found'] },
      params: StatementParams,
      body: Confirmation,
      response: { 200: Confirmed }
    },
    handler: async request => {
      const { caller: by, params, body } = request
      requireVersion(parseIfMatch(request), onlyVersion)
      const confirmed = await confirmEntries(db, getDeciding(by), body, {
        statementId: params.statementId,
        language: languageOf(request)
      })
      enqueueSoon('fold-totals')
      return confirmed
    }
  })
}
