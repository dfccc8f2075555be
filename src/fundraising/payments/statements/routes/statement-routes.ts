import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Caller } from '#platform/caller.ts'
import { parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { isFilePart } from '#platform/http/file-part.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { decodeCursor, encodeCursor, getFetchSize, Paging, parseNumber, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { toLocalDay } from '../../../dates.ts'
import {
  newEntryNotFoundProblem,
  newInvalidMappingProblem,
  newStatementFileMissingProblem,
  newStatementNotFoundProblem
} from '../../../problems/statements.ts'
import { changeEntry, confirmEntries, type DecisionContext } from '../entries/entry.ts'
import { loadContext } from '../entries/entry-context.ts'
import { ignorePayer } from '../entries/payer-entries.ts'
import { buildEntryEtag, buildStatementEtag, onlyVersion, toEntryJson, toStatementJson } from '../entries/wire.ts'
import type { EntryRow } from '../entry-queries.ts'
import * as entries from '../entry-queries.ts'
import { beginStatement, importEntries, type StatementFile, surveyStatement } from '../import/import-statement.ts'
import type { StatementRow } from '../queries.ts'
import * as statements from '../queries.ts'
import {
  Confirmation,
  Confirmed,
  EntryChange,
  EntryQuery,
  fileBytesMax,
  NewStatement,
  Statement,
  StatementEntry
} from '../schema.ts'

const StatementParams = Type.Object({ statementId: Type.Integer() })
const EntryParams = Type.Object({ statementId: Type.Integer(), entryId: Type.String({ format: 'uuid' }) })

/** The size limit of the form fields around the file. */
const formBytesMax = 65_536

/** Import and assignment of bank statements, for treasurers. */
export function registerStatementRoutes(scope: RouteContext): void {
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

  app.post('/bank-statements', {
    bodyLimit: fileBytesMax + formBytesMax,
    config: {
      requires: needs,
      creates: true,
      consumes: ['application/xml', 'text/xml', 'text/csv', 'text/plain', 'application/zip', 'multipart/form-data']
    },
    schema: {
      summary: 'Import a bank statement; exact matches are booked, others suggested',
      description:
        'Formats: camt.053, camt.054, MT940, a ZIP of these, direct debit status report (pain.002), CSV. Send it as the body or as the form field `file`. 200 with `repeated` if the file was imported before.',
      problems: {
        400: [
          'mapping',
          'required',
          'not-a-statement',
          'statement-broken',
          'statement-columns',
          'statement-doctype',
          'statement-encoding',
          'statement-mapping',
          'statement-missing',
          'statement-packed',
          'statement-text-too-long',
          'statement-too-deep',
          'statement-too-large',
          'statement-too-many-entries',
          'statement-without-columns',
          'zip-broken',
          'zip-empty',
          'zip-encrypted',
          'zip-nested',
          'zip-too-large',
          'zip-unsupported'
        ]
      },
      body: NewStatement,
      response: { 200: Statement, 201: Statement }
    },
    handler: async (request, reply) => {
      const file = parseFile(request.body)
      const importing = { by: request.caller, settings, now: new Date() }
      const survey = await surveyStatement(db, importing, file)
      // The idempotency key stores only the statement id; the response shows the current progress and result.
      const { id, repeated } = await withIdempotency(scope, request, reply, async tx => {
        const begun = await beginStatement(tx, importing, file, survey)
        return { location: `/bank-statements/${begun.id}`, body: begun }
      })
      const row = await importEntries(db, importing, id, file)
      enqueueSoon('fold-totals')
      reply.code(repeated ? 200 : 201)
      return { ...toStatementJson(row), ...(repeated ? { repeated } : {}) }
    }
  })

  app.get('/bank-statements', {
    config: { requires: needs },
    schema: {
      summary: 'List imported bank statements, newest first',
      description: 'With the number of entries and how many are still open.',
      querystring: Paging,
      response: { 200: Type.Array(Statement) }
    },
    handler: async (request, reply) => {
      const { limit, cursor } = request.query
      const beforeId = decodeCursor(cursor, parseNumber)
      const [rows, total] = await Promise.all([
        statements.list(db, { beforeId, rows: getFetchSize(limit) }),
        statements.count(db)
      ])
      const cursorAfter = (row: StatementRow) => encodeCursor(row.id)
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter }).map(toStatementJson)
    }
  })

  async function statementWith(id: number): Promise<StatementRow> {
    const row = await statements.find(db, id)
    if (row === undefined) throw newStatementNotFoundProblem(id)
    return row
  }

  app.get('/bank-statements/:statementId', {
    config: { requires: needs },
    schema: {
      summary: 'Get a bank statement with the results of its import',
      description: 'Counts of entries that were booked, suggested, ignored or left open.',
      problems: { 404: ['statement-not-found'] },
      params: StatementParams,
      response: { 200: Statement }
    },
    handler: async ({ params }, reply) => {
      const statement = toStatementJson(await statementWith(params.statementId))
      reply.header('etag', buildStatementEtag(statement))
      return statement
    }
  })

  app.get('/bank-statements/:statementId/entries', {
    config: { requires: needs },
    schema: {
      summary: 'List transactions of a bank statement with their results, in file order',
      description: 'Filter by `result`. Open entries have suggestions: donations whose reference, name or amount fit.',
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
        statementWith(statementId),
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
      description: 'With its state, its donations, and suggestions while it is open.',
      problems: { 404: ['entry-not-found', 'statement-not-found'] },
      params: EntryParams,
      response: { 200: StatementEntry }
    },
    handler: async (request, reply) => {
      const { statementId, entryId } = request.params
      await statementWith(statementId)
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
        'Each entry is booked or refused by itself: the response has a result for each, with the reason of a refusal.',
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

/** The raw body, or the file in a form with the mapping of its columns. */
function parseFile(body: Buffer | Record<string, unknown>): StatementFile {
  if (Buffer.isBuffer(body)) return { bytes: body, name: undefined, mapping: undefined }
  const { file, mapping } = body
  if (!isFilePart(file) || file.bytes.length === 0) throw newStatementFileMissingProblem()
  return { bytes: file.bytes, name: file.filename, mapping: parseMapping(mapping) }
}

const columnsMax = 200
const nameLengthMax = 500

function parseMapping(given: unknown): Record<string, string> | undefined {
  if (given === undefined || given === '') return undefined
  const columns = typeof given === 'string' ? tryParseJson(given) : undefined
  const isObject = typeof columns === 'object' && columns !== null && !Array.isArray(columns)
  const pairs = isObject ? Object.entries(columns) : []
  const fits = ([column, field]: [string, unknown]) =>
    typeof field === 'string' && column.length <= nameLengthMax && field.length <= nameLengthMax
  if (!isObject || pairs.length > columnsMax || !pairs.every(fits)) throw newInvalidMappingProblem(columnsMax)
  return Object.fromEntries(pairs) as Record<string, string>
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
