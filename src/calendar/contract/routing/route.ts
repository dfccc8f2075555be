import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessRequirement, Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { buildContentEtag } from '#platform/http/etag.ts'
import { parseQuery } from '#platform/http/form.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { sendBodyToPage } from '#platform/http/internal-client.ts'
import { buildResponseFilter, type ResponseFilter } from '#platform/http/response-filter.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, negotiateLanguage } from '#platform/language.ts'
import type { RateLimit } from '#platform/rate-limit/limiter.ts'
import { toViewer, type Viewer } from '../../permissions/permissions.ts'
import { type Param, type ParamDefs, type ParamValues, type ParseContext, parseParams } from '../param-definition.ts'
import { languageParam } from '../params.ts'
import { limitPasswordGuesses, mergePasswordHeader } from './post-password.ts'
import { isSentWhole, serializeResult } from './serialize-result.ts'
import { buildRestUrl, getSite, ownPrefix, type Site } from './site.ts'

/** What reads and writes need, both for requests and for internal work such as imports. */
export interface WriteContext extends ParseContext {
  db: Database
  site: Site
  caller: Caller
  viewer: Viewer
  /** The language the caller wants to read. */
  language: Language
  /** Set only if the caller named a language; otherwise a write updates the existing text. */
  requestedLanguage: Language | undefined
  /** Compensating actions for side effects outside the transaction, run if the request fails. */
  rollbacks: (() => Promise<void>)[]
}

/** One request to the calendar. */
export interface RequestContext extends WriteContext {
  /** All unparsed parameters of the request, for links and for parameters that are declared elsewhere. */
  rawParams: Record<string, unknown>
  request: FastifyRequest
  reply: FastifyReply
  valueCache: RouteContext['valueCache']
  /** Drops what the response schema of the route does not declare. */
  filterResponse: ResponseFilter
}

/** The result of a handler: the body, and the version of the item in it for the ETag. */
export interface RouteResult {
  body: object
  version?: number
  /** The language of the body; the request's language if omitted. */
  language?: Language
  /** The client has this version already: 304. The handler has set the ETag. */
  isNotModified?: boolean
  /** Sent instead of the body if the response is not JSON. */
  text?: { content: string; type: string; headers: Record<string, string> }
  /** Like `text`, for responses too long for memory; without an ETag, because the content is not known in advance. */
  stream?: { content: Readable; type: string; headers: Record<string, string> }
}

/** The result with a body that is JSON already, for a request for which `isSentWhole` is true. */
export interface JsonResult extends Omit<RouteResult, 'body'> {
  json: Buffer
}

/** A route of the namespace, declared once for the router, the index and the API documentation. */
export interface CalendarRoute<Declarations extends ParamDefs> {
  methods: ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  /** Relative to the namespace; ids in braces match digits. */
  path: string
  requires: AccessRequirement
  summary: string
  /** What it does and what happens with what, for the API documentation. */
  description: string
  /** Codes of the problems that the handler throws, by status. */
  problems?: Record<number, readonly string[]>
  params: Declarations
  /** Schema of the response: members that it does not declare are not sent. */
  response: object
  /** Creates an item: responds 201 and accepts an Idempotency-Key. */
  creates?: boolean
  /** Enqueues work: responds 202. */
  accepted?: boolean
  bodyBytesMax?: number
  /** A rate limit of its own, besides the general one. */
  rateLimit?: RateLimit
  /** Each response is different, so that none is cached. */
  isUncached?: boolean
  /** Pages in the same process get the body itself instead of its JSON: it is large, and only one page shows it. */
  isObjectForPages?: boolean
  /** Media type of the response if it is not JSON. */
  produces?: string
  handler(context: RequestContext, values: ParamValues<Declarations>, key: PathKey): Promise<RouteResult | JsonResult>
}

/** The item that the path names, by id or by slug. */
export interface PathKey {
  id: number
  slug: string
  /** Of an event's version; 0 if the path has none. */
  version: number
}

/** Source of the index and the API documentation. */
export interface RouteTable {
  routes: Omit<CalendarRoute<ParamDefs>, 'handler'>[]
}

/** Adds a route to the router and to the table. */
export function defineRoute<Declarations extends ParamDefs>(
  scope: RouteContext,
  table: RouteTable,
  route: CalendarRoute<Declarations>
): void {
  const takes = { ...route.params, language: languageParam }
  table.routes.push({ ...route, params: takes })
  const filterResponse = buildResponseFilter(route.response)
  for (const method of route.methods) {
    const writes = method !== 'GET'
    scope.app.route({
      method,
      url: ownPrefix + toFastifyPath(route.path),
      config: {
        requires: route.requires,
        creates: route.creates === true,
        ...(route.rateLimit === undefined ? {} : { rateLimit: route.rateLimit }),
        // Scheduled items become visible without a write, and many queries default to "from now on".
        ...(writes || route.requires !== 'public' || route.isUncached === true
          ? {}
          : { cache: { tags: ['calendar'], isTimeDependent: true, isObjectForPages: route.isObjectForPages === true } })
      },
      ...(route.bodyBytesMax === undefined ? {} : { bodyLimit: route.bodyBytesMax }),
      schema: {
        summary: route.summary,
        description: route.description,
        ...(route.problems === undefined ? {} : { problems: route.problems }),
        ...buildPathSchema(route.path),
        ...(writes && method !== 'DELETE'
          ? { body: { title: buildBodyName(route.path, route.creates === true), ...buildObjectSchema(takes) } }
          : { querystring: buildObjectSchema(takes) }),
        ...(route.produces === undefined ? {} : { produces: route.produces }),
        response: { [getSuccessStatus(route)]: route.response }
      },
      handler: async (request, reply) => {
        const context = buildRequestContext(scope, request, reply, filterResponse)
        const values = parseParams(route.params, mergePasswordHeader(request, route.params, context.rawParams), context)
        if ('password' in values) await limitPasswordGuesses(scope, request, values.password)
        const { id, slug = '', version } = request.params as Record<string, string | undefined>
        let answer: RouteResult | JsonResult
        try {
          answer = await route.handler(context, values, { id: parseId(id), slug, version: parseId(version) })
        } catch (error) {
          for (const undo of context.rollbacks) await undo()
          throw error
        }
        if (route.accepted === true) reply.code(202)
        if (route.isObjectForPages === true && isSentWhole(context) && 'body' in answer) {
          if (sendBodyToPage(request, answer.body)) return ''
        }
        return serializeResult(context, answer)
      }
    })
  }
}

function getSuccessStatus({ creates, accepted }: Pick<CalendarRoute<ParamDefs>, 'creates' | 'accepted'>): number {
  if (accepted === true) return 202
  return creates === true ? 201 : 200
}

const parseId = (digits = '') => (Number.isSafeInteger(Number(digits)) ? Number(digits) : 0)

function toFastifyPath(path: string): string {
  return path
    .replace('{id}.', ':id(^\\d+).')
    .replace('{id}', ':id(^\\d+$)')
    .replace('{version}', ':version(^\\d+$)')
    .replace('{slug}', ':slug')
}

function buildPathSchema(path: string): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return {}
  const properties = names.map(name => [name, { type: name === 'slug' ? 'string' : 'integer' }])
  return { params: { type: 'object', properties: Object.fromEntries(properties) } }
}

/** Collections whose singular does not follow the rule. */
const singulars: Record<string, string> = { media: 'image', series: 'series' }

/** The schema name in the API documentation: `NewEvent`, `EventChanges`, `ImportRun`, `EventVersionRestore`. */
function buildBodyName(path: string, creates: boolean): string {
  const [name = '', ...further] = path
    .split('/')
    .filter(part => part !== '' && part !== 'by-slug' && !part.startsWith('{'))
    .map(part => singulars[part] ?? part.replace(/ies$/, 'y').replace(/s$/, ''))
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
  if (further.length > 0) return name + further.join('')
  return creates ? `New${name}` : `${name}Changes`
}

function buildObjectSchema(declared: ParamDefs): object {
  const properties = Object.fromEntries(
    Object.entries(declared).map(([name, { schema, description }]) => [name, { ...schema, description }])
  )
  const required = Object.entries(declared).flatMap(([name, parameter]) => (parameter.required ? [name] : []))
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

const contextParams = { language: languageParam as Param<Language> }

function buildRequestContext(
  scope: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  filterResponse: ResponseFilter
): RequestContext {
  const { settings, db, valueCache } = scope
  const now = new Date()
  const given = mergeParams(request)
  const about = { zone: settings.timezone, now }
  const chosen = given.language === undefined ? undefined : parseParams(contextParams, given, about).language
  return {
    zone: about.zone,
    now,
    db,
    site: getSite(request, settings),
    caller: request.caller,
    viewer: toViewer(request.caller),
    requestedLanguage: chosen,
    language: chosen ?? negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage),
    rawParams: given,
    request,
    reply,
    valueCache,
    filterResponse,
    rollbacks: []
  }
}

/**
 * Body parameters override query parameters; path parameters are never included. Only the language of the query wins
 * over the body's: clients send back what they read, which includes the language of that response.
 */
export function mergeParams(request: FastifyRequest): Record<string, unknown> {
  const question = request.url.indexOf('?')
  const query = question < 0 ? {} : parseQuery(request.url.slice(question + 1))
  const { body } = request
  const isParameters = typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body)
  if (!isParameters) return query
  return 'language' in query ? { ...query, ...body, language: query.language } : { ...query, ...body }
}

/** Creates an item once per Idempotency-Key; responds 201 with its location. */
export async function createOnce(
  { db, site, request, reply, filterResponse }: RequestContext,
  make: (db: Database) => Promise<RouteResult & { path: string }>
): Promise<RouteResult> {
  const create = async (inside: Database) => {
    const made = await make(inside)
    const body = filterResponse(made.body)
    return {
      location: buildRestUrl(site, made.path).slice(site.origin.length),
      body,
      etag: buildContentEtag(JSON.stringify(body), made.version)
    }
  }
  // Parameters can be in the query, too.
  const [, query = ''] = request.url.split('?', 2)
  const body = await withIdempotency({ db, settings: site.settings, extraHashInput: query }, request, reply, create)
  return { body }
}
