import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Caller } from '#platform/access.ts'
import { ifMatch, refuseStale } from '#platform/conditional.ts'
import { isFilePart } from '#platform/form.ts'
import { once } from '#platform/idempotency.ts'
import { preferredLanguage } from '#platform/language.ts'
import { cursorOf, numberIn, Paging, readCursor, rowsToFetch, sendPage } from '#platform/paging.ts'
import type { Scope } from '#platform/service.ts'
import { dayOf } from '../days.ts'
import { entryNotFound, mappingNotRead, statementFileMissing, statementNotFound } from '../problems.ts'
import { changeEntry, confirmEntries, type Deciding } from './entry.ts'
import { loadContext } from './entry-context.ts'
import type { EntryRow } from './entry-queries.ts'
import * as entries from './entry-queries.ts'
import { ignorePayer } from './payer.ts'
import type { StatementRow } from './queries.ts'
import * as statements from './queries.ts'
import {
  Confirmation,
  Confirmed,
  EntryChange,
  EntryQuery,
  fileBytesMax,
  NewStatement,
  Statement,
  StatementEntry
} from './schema.ts'
import { beginStatement, readInStatement, type StatementFile, surveyStatement } from './statement.ts'
import { entryTag, entryToWire, onlyVersion, statementTag, statementToWire } from './wire.ts'

const OneStatement = Type.Object({ statementId: Type.Integer() })
const OneEntry = Type.Object({ statementId: Type.Integer(), entryId: Type.String({ format: 'uuid' }) })

/** What comes around the file in a form. */
const formBytesMax = 65_536

/** What banks say happened on the account, and what it was for: for treasurers. */
export function statementRoutes(scope: Scope): void {
  const { app, db, settings, soon } = scope
  const needs = ['treasurer'] as const
  const languageOf = (request: FastifyRequest) =>
    preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)

  function getDeciding(by: Caller): Deciding {
    const now = new Date()
    return { by, settings, now, today: dayOf(now, settings.timezone) }
  }

  async function shown(rows: EntryRow[], request: FastifyRequest): Promise<StatementEntry[]> {
    const context = await loadContext(db, settings, rows)
    return rows.map(row => entryToWire(row, context, settings, languageOf(request)))
  }

  async function shownAlone(row: EntryRow, request: FastifyRequest, reply: FastifyReply): Promise<StatementEntry> {
    const [entry] = await shown([row], request)
    if (entry === undefined) throw new Error('An entry is shown as one.')
    reply.header('etag', entryTag(entry))
    return entry
  }

  app.post('/bank-statements', {
    bodyLimit: fileBytesMax + formBytesMax,
    config: {
      needs,
      creates: true,
      takes: ['application/xml', 'text/xml', 'text/csv', 'text/plain', 'application/zip', 'multipart/form-data']
    },
    schema: {
      summary: 'Take in a bank statement: what is clear is booked at once, the rest is suggested',
      description:
        'camt.053, camt.054, MT940, a ZIP of these, a status report of direct debits (pain.002), or a table (CSV), as the body or as the part `file` of a form. 200 with `repeated` if the same file has come before.',
      body: NewStatement,
      response: { 200: Statement, 201: Statement }
    },
    handler: async (request, reply) => {
      const file = fileIn(request.body)
      const importing = { by: request.caller, settings, now: new Date() }
      const survey = await surveyStatement(db, importing, file)
      // The key keeps which statement it is; how far that is, and what came of it, is said as it is now.
      const { id, repeated } = await once(scope, request, reply, async tx => {
        const begun = await beginStatement(tx, importing, file, survey)
        return { location: `/bank-statements/${begun.id}`, body: begun }
      })
      const row = await readInStatement(db, importing, id, file)
      soon('fold-totals')
      reply.code(repeated ? 200 : 201)
      return { ...statementToWire(row), ...(repeated ? { repeated } : {}) }
    }
  })

  app.get('/bank-statements', {
    config: { needs },
    schema: {
      summary: 'List the bank statements that were taken in, newest first',
      querystring: Paging,
      response: { 200: Type.Array(Statement) }
    },
    handler: async (request, reply) => {
      const { limit, cursor } = request.query
      const beforeId = readCursor(cursor, numberIn)
      const [rows, total] = await Promise.all([
        statements.list(db, { beforeId, rows: rowsToFetch(limit) }),
        statements.count(db)
      ])
      const cursorAfter = (row: StatementRow) => cursorOf(row.id)
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter }).map(statementToWire)
    }
  })

  async function statementWith(id: number): Promise<StatementRow> {
    const row = await statements.find(db, id)
    if (row === undefined) throw statementNotFound(id)
    return row
  }

  app.get('/bank-statements/:statementId', {
    config: { needs },
    schema: { summary: 'Read what came of a bank statement', params: OneStatement, response: { 200: Statement } },
    handler: async ({ params }, reply) => {
      const statement = statementToWire(await statementWith(params.statementId))
      reply.header('etag', statementTag(statement))
      return statement
    }
  })

  app.get('/bank-statements/:statementId/entries', {
    config: { needs },
    schema: {
      summary: 'List the entries of a bank statement in its order, each with what came of it',
      params: OneStatement,
      querystring: EntryQuery,
      response: { 200: Type.Array(StatementEntry) }
    },
    handler: async (request, reply) => {
      const { statementId } = request.params
      const { limit, cursor, result } = request.query
      const afterPosition = readCursor(cursor, numberIn)
      const [statement, rows] = await Promise.all([
        statementWith(statementId),
        entries.listEntries(db, statementId, result, { afterPosition, rows: rowsToFetch(limit) })
      ])
      const { counts } = statementToWire(statement)
      const total = counts[result ?? 'entries']
      const cursorAfter = (row: EntryRow) => cursorOf(row.position)
      reply.header('cache-control', 'private, no-store')
      return await shown(sendPage(request, reply, settings, { rows, limit, total, cursorAfter }), request)
    }
  })

  app.get('/bank-statements/:statementId/entries/:entryId', {
    config: { needs },
    schema: {
      summary: 'Read an entry of a bank statement',
      params: OneEntry,
      response: { 200: StatementEntry }
    },
    handler: async (request, reply) => {
      const { statementId, entryId } = request.params
      await statementWith(statementId)
      const row = await entries.findEntry(db, statementId, entryId)
      if (row === undefined) throw entryNotFound()
      reply.header('cache-control', 'private, no-store')
      return await shownAlone(row, request, reply)
    }
  })

  app.patch('/bank-statements/:statementId/entries/:entryId', {
    config: { needs },
    schema: {
      summary: 'Assign, ignore or unassign a transaction',
      description:
        'Money that came becomes a payment of its donation, which is TRANSFERRED once all that was promised is there, or with `accept`. Money that went back makes it FAILED (returned by a bank) or REFUNDED (sent by us) if nothing is left.',
      params: OneEntry,
      body: EntryChange,
      response: { 200: StatementEntry }
    },
    handler: async (request, reply) => {
      const { caller: by, params, body } = request
      const one = { statementId: params.statementId, id: params.entryId }
      const expected = ifMatch(request)
      const row =
        body.remember === true && body.ignored === true
          ? await ignorePayer(db, getDeciding(by), one, { note: body.note || null, expected })
          : await changeEntry(db, getDeciding(by), one, body, expected)
      soon('fold-totals')
      return await shownAlone(row, request, reply)
    }
  })

  app.post('/bank-statements/:statementId/confirm', {
    config: { needs },
    schema: {
      summary: 'Book several entries for what is suggested, each by itself',
      params: OneStatement,
      body: Confirmation,
      response: { 200: Confirmed }
    },
    handler: async request => {
      const { caller: by, params, body } = request
      refuseStale(ifMatch(request), onlyVersion)
      const confirmed = await confirmEntries(db, getDeciding(by), params.statementId, body, languageOf(request))
      soon('fold-totals')
      return confirmed
    }
  })
}

/** The body itself, or the file in a form with how its columns are to be read. */
function fileIn(body: Buffer | Record<string, unknown>): StatementFile {
  if (Buffer.isBuffer(body)) return { bytes: body, name: undefined, mapping: undefined }
  const { file, mapping } = body
  if (!isFilePart(file) || file.bytes.length === 0) throw statementFileMissing()
  return { bytes: file.bytes, name: file.filename, mapping: mappingIn(mapping) }
}

const columnsMax = 200
const nameLengthMax = 500

function mappingIn(given: unknown): Record<string, string> | undefined {
  if (given === undefined || given === '') return undefined
  const columns = typeof given === 'string' ? parsed(given) : undefined
  const isObject = typeof columns === 'object' && columns !== null && !Array.isArray(columns)
  const pairs = isObject ? Object.entries(columns) : []
  const fits = ([column, field]: [string, unknown]) =>
    typeof field === 'string' && column.length <= nameLengthMax && field.length <= nameLengthMax
  if (!isObject || pairs.length > columnsMax || !pairs.every(fits)) throw mappingNotRead(columnsMax)
  return Object.fromEntries(pairs) as Record<string, string>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
