import { Type } from 'typebox'
import { isFilePart } from '#platform/http/file-part.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { decodeCursor, encodeCursor, getFetchSize, Paging, parseNumber, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newInvalidMappingProblem, newStatementFileMissingProblem } from '../../../problems/statements.ts'
import { buildStatementEtag, toStatementJson } from '../entries/wire.ts'
import { beginStatement, importEntries, type StatementFile, surveyStatement } from '../import/import-statement.ts'
import type { StatementRow } from '../queries.ts'
import * as statements from '../queries.ts'
import { requireStatement } from '../require-statement.ts'
import { fileBytesMax, NewStatement, Statement } from '../schema.ts'

const StatementParams = Type.Object({ statementId: Type.Integer() })

/** The size limit of the form fields around the file. */
const formBytesMax = 65_536

/** Import of bank statements, for treasurers. */
export function registerStatementRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope
  const needs = ['treasurer'] as const

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
      description: 'With the number of transactions and of those to decide.',
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

  app.get('/bank-statements/:statementId', {
    config: { requires: needs },
    schema: {
      summary: 'Get a bank statement with the results of its import',
      description: 'Numbers of booked, suggested, ignored and unmatched transactions.',
      problems: { 404: ['statement-not-found'] },
      params: StatementParams,
      response: { 200: Statement }
    },
    handler: async ({ params }, reply) => {
      const statement = toStatementJson(await requireStatement(db, params.statementId))
      reply.header('etag', buildStatementEtag(statement))
      return statement
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
