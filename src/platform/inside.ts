import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Ground, groundOf } from './cache/ground.ts'
import { Problem } from './problem.ts'

/** What pages of the same process ask the services, on behalf of somebody whose request they answer. */
export interface InsideCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
  /** As anybody may, also where the one at the machine is admin because there are no keys yet: for public pages. */
  asVisitor?: boolean | undefined
}

export interface InsideAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
  /** The same, for what is no text. */
  bytes: Buffer
  /** What it rests on, where that is known. */
  ground?: Ground | undefined
}

/** Asks a service as if the visitor of a page had asked it, with what tells who and from where that is. */
export type CallInside = (visitor: FastifyRequest, call: InsideCall) => Promise<InsideAnswer>

/** Known to this process only, so that nobody else can say that a request comes from a page of ours. */
const secret = randomBytes(16).toString('hex')
const forVisitors = `${secret} visitor`
const mark = 'x-kalends-inside'

/** Is this asked by a page? Then the page's own request was counted and written down already. */
export function isInside(request: FastifyRequest): boolean {
  return request.headers[mark]?.toString().startsWith(secret) === true
}

/** Asked by a page that shows everybody the same. */
export function isInsideForVisitors(request: FastifyRequest): boolean {
  return request.headers[mark] === forVisitors
}

const passedOn =
  /^(host|origin|sec-fetch-site|x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip|traceparent|tracestate)$/

/** Without leaving the process, and yet the whole way that a request from outside goes. */
export function callWithin(app: () => Pick<FastifyInstance, 'inject'>): CallInside {
  return async (visitor, { method, path, headers, body, asVisitor }) => {
    const answer = await app().inject({
      method,
      url: path,
      headers: { ...insideHeaders(visitor, asVisitor), ...headers },
      ...(body === undefined ? {} : { payload: body }),
      remoteAddress: visitor.socket.remoteAddress ?? ''
    })
    const { statusCode: status, headers: given, payload: text, rawPayload: bytes } = answer
    return { status, headers: given, text, bytes, ground: groundOf({ raw: answer.raw.res }) }
  }
}

/** Where a visitor comes from, for the limits and for the one who is at the machine itself. */
function insideHeaders(visitor: FastifyRequest, asVisitor = false): Record<string, string> {
  const headers: Record<string, string> = { [mark]: asVisitor ? forVisitors : secret, 'x-request-id': visitor.id }
  for (const [name, value] of Object.entries(visitor.headers)) {
    if (value !== undefined && passedOn.test(name)) headers[name] = String(value)
  }
  return headers
}

/** Longer than a service takes to say that it is busy. */
const answerWithinMs = 10_000

/** For pages that run apart from the services: over HTTP, as a proxy that says for whom it asks. */
export function callOver(apiUrl: string): CallInside {
  return async (visitor, { method, path, headers, body }) => {
    try {
      const answer = await fetch(apiUrl + path, {
        method,
        headers: {
          'x-request-id': visitor.id,
          'x-forwarded-for': visitor.ip,
          'x-forwarded-host': visitor.host,
          'x-forwarded-proto': visitor.protocol,
          ...traceOf(visitor),
          ...headers
        },
        ...(body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> }),
        redirect: 'manual',
        signal: AbortSignal.timeout(answerWithinMs)
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text: bytes.toString(), bytes }
    } catch (error) {
      throw servicesAway(error)
    }
  }
}

/** So that what a page asks shows in the trace of the page. */
function traceOf({ headers: { traceparent, tracestate } }: FastifyRequest): Record<string, string> {
  return {
    ...(traceparent === undefined ? {} : { traceparent: String(traceparent) }),
    ...(tracestate === undefined ? {} : { tracestate: String(tracestate) })
  }
}

const servicesAway = (cause: unknown) =>
  Object.assign(
    new Problem(
      503,
      'services-away',
      {
        en: 'The services behind this page do not answer at the moment. Please try again.',
        de: 'Die Dienste hinter dieser Seite antworten gerade nicht. Bitte noch einmal versuchen.'
      },
      { headers: { 'retry-after': '2' } }
    ),
    { cause }
  )
