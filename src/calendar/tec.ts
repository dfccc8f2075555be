import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Needs } from '#platform/access.ts'
import { contentTag } from '#platform/conditional.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { parseQuery } from '#platform/form.ts'
import { once } from '#platform/idempotency.ts'
import { type Language, preferredLanguage } from '#platform/language.ts'
import { urlOf } from '#platform/links.ts'
import type { Scope } from '#platform/service.ts'
import { pick } from './fields.ts'
import { type Declared, type Parameter, type Reading, readParameters, type Values } from './parameters.ts'
import { limitPasswords, withPasswordHeader } from './reader-password.ts'
import { language } from './rules.ts'
import { totalsOf } from './totals.ts'
import { type Viewer, viewerOf } from './viewer.ts'

/** The namespace, as the specification has it and as The Events Calendar has it: clients of that only change the host. */
export const ownPrefix = '/calendar/events/v1'
export const aliasPrefix = '/wp-json/tribe/events/v1'

export const discoveryPath = '/wp-json'

export function isUnder(url: string, prefix: string): boolean {
  return url.startsWith(prefix) && ['', '/', '?'].includes(url.charAt(prefix.length))
}

/** Where the caller reached us: links in answers stay at the same address. */
export interface Site {
  /** Without a slash at the end. */
  origin: string
  /** What paths of the namespace are under. */
  root: string
  namespace: string
  settings: Settings
  /** Without scheme and port. */
  host: string
  /** How prices without a sign of their own are shown. */
  currency: { symbol: string; position: 'prefix' | 'postfix' }
}

/** What reading and writing rest on, whoever asks: somebody who calls, or the program itself. */
export interface Work extends Reading {
  db: Database
  site: Site
  caller: Caller
  viewer: Viewer
  /** The language the caller wants to read. */
  language: Language
  /** The same where the caller named it; a write without goes to the text there is. */
  chosenLanguage: Language | undefined
  /** What was done outside of the transaction, and how to take it back if the request is refused after all. */
  undo: (() => Promise<void>)[]
}

/** One request to the calendar. */
export interface Visit extends Work {
  /** Everything the request said, for links and for what is declared elsewhere. */
  given: Record<string, unknown>
  request: FastifyRequest
  reply: FastifyReply
}

/** What a route answers: the body, and the editing version of the thing in it. */
export interface Answer {
  body: object
  version?: number
  /** The language of the body; that of the visit if it is not said. */
  language?: Language
  /** Sent in place of the body, where the answer is not JSON. */
  text?: { content: string; type: string; headers: Record<string, string> }
  /** The same for what is too long to be held in memory; it has no tag, because nobody knows its end yet. */
  stream?: { content: Readable; type: string; headers: Record<string, string> }
}

/** A route of the namespace, described once for the router, the index and the documents. */
export interface CalendarRoute<Declarations extends Declared> {
  methods: ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  /** Under the namespace; ids in braces are digits. */
  path: string
  needs: Needs
  summary: string
  takes: Declarations
  answers: object
  /** Makes something: answers 201, takes an Idempotency-Key. */
  creates?: boolean
  /** Has something done later: answers 202. */
  isLater?: boolean
  bodyBytesMax?: number
  /** Media type of the answer where it is not JSON. */
  produces?: string
  handler(visit: Visit, values: Values<Declarations>, key: Key): Promise<Answer>
}

/** What the path names: by number or by slug. */
export interface Key {
  id: number
  slug: string
}

/** What the index and the documents are made of. */
export interface RouteTable {
  routes: Omit<CalendarRoute<Declared>, 'handler'>[]
}

/** Adds a route to the router and to the table. */
export function addRoute<Declarations extends Declared>(
  scope: Scope,
  table: RouteTable,
  route: CalendarRoute<Declarations>
): void {
  const takes = { ...route.takes, language }
  table.routes.push({ ...route, takes })
  for (const method of route.methods) {
    const writes = method !== 'GET'
    scope.app.route({
      method,
      url: ownPrefix + fastifyPath(route.path),
      config: {
        needs: route.needs,
        creates: route.creates === true,
        // What is scheduled appears by itself, and much is asked for from now on.
        ...(writes || route.needs !== 'nothing' ? {} : { shared: { restsOn: ['calendar'], isTimed: true } })
      },
      ...(route.bodyBytesMax === undefined ? {} : { bodyLimit: route.bodyBytesMax }),
      schema: {
        summary: route.summary,
        ...paramsSchema(route.path),
        ...(writes && method !== 'DELETE'
          ? { body: { $id: nameOfBody(route.path, route.creates === true), ...objectSchema(takes) } }
          : { querystring: objectSchema(takes) }),
        ...(route.produces === undefined ? {} : { produces: route.produces }),
        response: { [statusOf(route)]: route.answers }
      },
      handler: async (request, reply) => {
        const visit = visitOf(scope, request, reply)
        const values = readParameters(route.takes, withPasswordHeader(request, route.takes, visit.given), visit)
        await limitPasswords({ db: visit.db, settings: scope.settings, request }, values)
        const { id, slug } = request.params as Record<string, string | undefined>
        const answer = await route
          .handler(visit, values, {
            id: idIn(id),
            slug: slug ?? ''
          })
          .catch(async (refused: unknown) => {
            for (const undo of visit.undo) await undo()
            throw refused
          })
        if (writes) totalsOf(scope.db).forget()
        if (route.isLater === true) reply.code(202)
        return textOf(visit, answer)
      }
    })
  }
}

function statusOf({ creates, isLater }: Pick<CalendarRoute<Declared>, 'creates' | 'isLater'>): number {
  if (isLater === true) return 202
  return creates === true ? 201 : 200
}

const idIn = (digits = '') => (Number.isSafeInteger(Number(digits)) ? Number(digits) : 0)

function fastifyPath(path: string): string {
  return path.replace('{id}.', ':id(^\\d+).').replace('{id}', ':id(^\\d+$)').replace('{slug}', ':slug')
}

function paramsSchema(path: string): object {
  if (path.includes('{id}')) return { params: { type: 'object', properties: { id: { type: 'integer' } } } }
  if (path.includes('{slug}')) return { params: { type: 'object', properties: { slug: { type: 'string' } } } }
  return {}
}

/** `NewEvent`, `EventChanges`, `ImportRun`: what the documents call it. */
function nameOfBody(path: string, creates: boolean): string {
  const collection = path.split('/')[1] ?? ''
  const singular = collection === 'media' ? 'image' : collection.replace(/ies$/, 'y').replace(/s$/, '')
  const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  const name = capitalised(singular)
  const verb = path.split('{id}/')[1]
  if (verb !== undefined) return name + capitalised(verb)
  return creates ? `New${name}` : `${name}Changes`
}

function objectSchema(declared: Declared): object {
  const properties = Object.fromEntries(
    Object.entries(declared).map(([name, { schema, description }]) => [name, { ...schema, description }])
  )
  const required = Object.entries(declared).flatMap(([name, parameter]) => (parameter.required ? [name] : []))
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

function visitOf(scope: Scope, request: FastifyRequest, reply: FastifyReply): Visit {
  const { settings, db } = scope
  const now = new Date()
  const given = givenIn(request)
  const about = { zone: settings.timezone, now }
  const chosen = readParameters({ language: language as Parameter<Language> }, given, about).language
  return {
    ...about,
    db,
    site: siteOf(request, settings),
    caller: request.caller,
    viewer: viewerOf(request.caller),
    chosenLanguage: chosen,
    language: chosen ?? preferredLanguage(request.headers['accept-language'], settings.defaultLanguage),
    given,
    request,
    reply,
    undo: []
  }
}

/**
 * Parameters of the body win over those of the query; what the path names is never among them. Only the language is the
 * address's if that has one: clients send back what they read, which says what language it was answered in.
 */
function givenIn(request: FastifyRequest): Record<string, unknown> {
  const question = request.url.indexOf('?')
  const query = question < 0 ? {} : parseQuery(request.url.slice(question + 1))
  const { body } = request
  const isParameters = typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body)
  if (!isParameters) return query
  return 'language' in query ? { ...query, ...body, language: query.language } : { ...query, ...body }
}

export function siteOf(request: FastifyRequest, settings: Settings): Site {
  const byAlias = isUnder(request.originalUrl, discoveryPath)
  return siteAt(urlOf(request, settings, ''), settings, byAlias)
}

export function siteAt(origin: string, settings: Settings, byAlias = false): Site {
  return {
    origin,
    settings,
    host: origin.replace(/^\w+:\/\//, '').replace(/^(\[[^\]]*\]|[^/:]*)(?::\d+)?/, '$1'),
    currency: { symbol: symbolOf(settings.currency), position: 'prefix' },
    root: byAlias ? `${origin}/wp-json` : origin,
    namespace: byAlias ? 'tribe/events/v1' : 'calendar/events/v1'
  }
}

const symbols = new Map<string, string>()

function symbolOf(currency: string): string {
  let symbol = symbols.get(currency)
  if (symbol === undefined) {
    const parts = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol'
    }).formatToParts(0)
    symbol = parts.find(part => part.type === 'currency')?.value ?? currency
    symbols.set(currency, symbol)
  }
  return symbol
}

export function restUrl({ root, namespace }: Site, path: string): string {
  return `${root}/${namespace}${path}`
}

/** A number that is unlike those of other sites: the host without scheme and port, and the id. */
export function globalId({ host }: Site, id: number): string {
  return `${host}?id=${id}`
}

/** The page of something on the public site; what is not published has an address that does not give it away. */
export function pageUrl(
  { origin }: Site,
  kind: 'event' | 'venue' | 'organizer',
  id: number,
  slug: string,
  isPublished: boolean
): string {
  return isPublished && slug !== '' ? `${origin}/${kind}/${slug}/` : `${origin}/?post_type=${postTypes[kind]}&p=${id}`
}

const postTypes = { event: 'tribe_events', venue: 'tribe_venue', organizer: 'tribe_organizer' }

function textOf(visit: Visit, answer: Answer): string | Readable {
  const { reply, given } = visit
  reply.headers({
    'content-type': 'application/json; charset=utf-8',
    'content-language': answer.language ?? visit.language
  })
  if (visit.chosenLanguage === undefined) {
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Language'].filter(Boolean).join(', '))
  }

  if (answer.stream !== undefined) {
    const { content, type, headers } = answer.stream
    reply.headers({ 'content-type': type, 'cache-control': 'no-store', ...headers })
    return content
  }
  if (answer.text !== undefined) {
    reply.headers({ 'content-type': answer.text.type, ...answer.text.headers, etag: contentTag(answer.text.content) })
    return answer.text.content
  }
  const body =
    typeof given._fields === 'string' || Array.isArray(given._fields) ? pick(answer.body, given._fields) : answer.body
  const text = JSON.stringify(given._envelope === undefined ? body : enveloped(reply, body))
  if (given._envelope !== undefined) reply.code(200)
  if (!reply.hasHeader('etag')) reply.header('etag', contentTag(text, answer.version))
  return text
}

/** Makes something once, whatever an Idempotency-Key says of the request; the answer is 201 with where it is. */
export async function created(
  { db, site, request, reply }: Visit,
  make: (db: Database) => Promise<Answer & { path: string }>
): Promise<Answer> {
  const create = async (inside: Database) => {
    const made = await make(inside)
    return {
      location: restUrl(site, made.path).slice(site.origin.length),
      body: made.body,
      etag: contentTag(JSON.stringify(made.body), made.version)
    }
  }
  // Parameters may stand in the query, too.
  const [, query = ''] = request.url.split('?', 2)
  const body = await once({ db, settings: site.settings }, request, reply, create, query)
  return { body }
}

/** A refusal in the body of a success, where that is asked for. */
export function refusalFor(request: FastifyRequest, reply: FastifyReply, body: object): object {
  if (!/[?&]_envelope(?:[=&]|$)/.test(request.url)) return body
  const whole = enveloped(reply, body)
  reply.code(200)
  return whole
}

/** Spelled as the peer does: in a body the case matters. */
const envelopedHeaders = [
  'Allow',
  'Content-Language',
  'ETag',
  'Link',
  'Location',
  'X-TEC-Total',
  'X-TEC-TotalPages',
  'X-WP-Total',
  'X-WP-TotalPages'
]

/** The whole answer in the body, for clients that cannot read headers. */
function enveloped(reply: FastifyReply, body: unknown): object {
  const headers = envelopedHeaders.flatMap(name => (reply.hasHeader(name) ? [[name, reply.getHeader(name)]] : []))
  return { body, status: reply.statusCode, headers: Object.fromEntries(headers) }
}

/** What every answer of the namespace carries, so that clients find their way from any of them. */
export function commonHeaders(request: FastifyRequest, settings: Settings): Record<string, string> {
  const site = siteOf(request, settings)
  return {
    'x-robots-tag': 'noindex',
    'x-tec-api-version': 'v1',
    'x-tec-api-root': `${restUrl(site, '')}/`,
    'x-tec-api-origin': site.origin,
    link: `<${site.root}/>; rel="https://api.w.org/"`
  }
}
