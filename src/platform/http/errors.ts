import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError } from 'fastify'
import { DatabaseUnavailable } from '../database/errors.ts'
import { type Language, pickByLanguage } from '../language.ts'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import { newInvalidInputProblem } from './validation.ts'

/** How a service formats errors. */
export interface ErrorFormat {
  contentType: string
  /** The schema of an error, and its name in the OpenAPI document. */
  schema: { name: string; schema: object }
  /** The code of this format for a problem code, where they differ. */
  translateCode?(code: string): string
  format(problem: Problem, language: Language, requestId: string): object
}

/** RFC 9457. */
export const problemJson: ErrorFormat = {
  contentType: 'application/problem+json; charset=utf-8',
  schema: { name: 'Problem', schema: buildProblemSchema() },
  format: (problem, language, requestId) => ({
    // A page of the site: RFC 9457 allows a reference that is relative to the request.
    type: `/problems/${problem.code}`,
    title: STATUS_CODES[problem.status],
    status: problem.status,
    detail: pickByLanguage(problem.text, language),
    code: problem.code,
    requestId,
    ...(problem.errors.length === 0
      ? {}
      : { errors: problem.errors.map(error => ({ ...error, message: pickByLanguage(error.message, language) })) }),
    ...problem.data
  })
}

/** The problem that the caller gets for any thrown error. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable) return newDatabaseUnavailableProblem()
  const { validation, validationContext, code, statusCode = 500 } = error as FastifyError
  if (validation !== undefined) return newInvalidInputProblem(validationContext, validation)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return newBodyTooLargeProblem()
  return statusCode >= 400 && statusCode < 500 ? newBadRequestProblem(statusCode) : newInternalErrorProblem()
}

export const newRouteNotFoundProblem = () =>
  new Problem(404, 'no-such-route', buildText('request-problems', 'routeNotFound'))

export const newMethodNotAllowedProblem = (allow: string) =>
  new Problem(405, 'method-not-allowed', buildText('request-problems', 'methodNotAllowed', { allow }), {
    headers: { allow }
  })

/** Responds to bytes that are no request, such as broken or endless headers: there is no language to negotiate yet. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const requestId = randomUUID()
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
  const body = JSON.stringify(problemJson.format(newBadRequestProblem(status), 'en', requestId))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${problemJson.contentType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Content-Language: en',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body
    ].join('\r\n')
  )
}

const newBodyTooLargeProblem = () => new Problem(413, 'body-too-large', buildText('request-problems', 'bodyTooLarge'))

const newBadRequestProblem = (status: number) =>
  new Problem(status, 'bad-request', buildText('request-problems', 'badRequest'))

const newDatabaseUnavailableProblem = () =>
  new Problem(503, 'database-away', buildText('request-problems', 'databaseUnavailable'), {
    headers: { 'retry-after': '2' }
  })

/** Reveals nothing but the request id: the log has the rest. */
const newInternalErrorProblem = () => new Problem(500, 'internal-error', buildText('request-problems', 'internalError'))

function buildProblemSchema(): object {
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'For people: in the language of the request.' },
      code: { type: 'string', description: 'For programs: stable.' },
      requestId: { type: 'string' },
      errors: {
        type: 'array',
        description: 'Errors by field. At most three items of a list are named for the same rule.',
        items: {
          type: 'object',
          required: ['in', 'pointer', 'code', 'message'],
          properties: {
            in: { type: 'string', enum: ['body', 'query', 'header'] },
            pointer: { type: 'string', description: 'JSON Pointer to the field.' },
            code: { type: 'string' },
            message: { type: 'string' }
          }
        }
      },
      missing: {
        type: 'array',
        items: { type: 'string' },
        description: 'Missing details, such as the address of a donor for a receipt.'
      },
      factors: {
        type: 'array',
        items: { type: 'string' },
        description: 'Second factors of the user account, for a sign-in that needs one.'
      },
      attempt: { type: 'string', description: 'Token to complete that sign-in with a code, within five minutes.' },
      line: { type: 'integer', description: 'Line at which reading ended, for a file that cannot be read.' },
      columns: { type: 'array', items: { type: 'string' }, description: 'Columns of the table.' },
      receivedBytes: { type: 'integer', description: 'Bytes that have arrived of an upload in pieces.' },
      mapping: {
        type: 'object',
        patternProperties: { '': { type: 'string' } },
        description: 'Recognised columns of the table.'
      }
    }
  }
}
