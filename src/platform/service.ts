import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { type Access, type Caller, type Needs, newAccess, refuseUnlessAllowed } from './access.ts'
import { activityRoutes } from './activity/routes.ts'
import { bodyBytesMax, parseJsonBody } from './body.ts'
import { contentTag, isFresh } from './conditional.ts'
import type { Settings } from './config.ts'
import { allowOrigin, answerOptions } from './cors.ts'
import type { Database, Store } from './database.ts'
import { newDoor } from './door.ts'
import { healthRoutes } from './health.ts'
import { newNudges } from './jobs.ts'
import { keyRoutes } from './keys/routes.ts'
import { preferredLanguage } from './language.ts'
import { type Limit, newLimiter } from './limits.ts'
import { type Log, withoutSecrets } from './log.ts'
import { newMetrics } from './metrics.ts'
import { type DocumentedRoute, openApi } from './openapi.ts'
import { answerUnreadable, type Dialect, methodNotAllowed, notFound, problemJson, toProblem } from './refuse.ts'
import { newValidatorCompiler, type Rule } from './validation.ts'

/** Resources under one title, with one way of spelling refusals and one OpenAPI document. */
export interface Service {
  /** What `serve` and `/openapi/<name>.json` call it. */
  name: string
  title: string
  dialect: Dialect
  /** Words of its schemas that JSON Schema does not have. */
  rules: Rule[]
  /** Every resource's routes, in the order of the document. */
  routes: ((scope: Scope) => void)[]
}

export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What routes are made of. */
export interface Scope {
  app: App
  db: Database
  settings: Settings
  /** Has a job run within a second; a hint, as jobs also run by themselves. */
  soon: (job: string) => void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call: a route that does not say so stops the start. */
    needs?: Needs
    /** Makes something: takes an Idempotency-Key. */
    creates?: boolean
    /** A limit of its own, besides the general one. */
    limit?: Limit
  }
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifySchema {
    summary?: string
    description?: string
    produces?: string
  }
}

export interface Server {
  app: FastifyInstance
  access: Access
  /** The OpenAPI document of one service, or of all. */
  document(name?: string): object
  /** Takes no new requests, lets those under way finish, and releases everything but the store. */
  drain(): Promise<void>
}

export const version = '0.1.0'

const visitor: Caller = { role: undefined, name: 'visitor', keyId: undefined, requestId: '' }

export async function newServer(services: Service[], store: Store, settings: Settings, log: Log): Promise<Server> {
  const access = newAccess(store, settings)
  const metrics = newMetrics()
  const nudges = newNudges(store, log)
  const documented: DocumentedRoute[] = []

  const app = Fastify({
    logger: false,
    genReqId: request => wellFormedId(request.headers['x-request-id']) ?? randomUUID(),
    bodyLimit: bodyBytesMax,
    trustProxy: typeof settings.trustProxy === 'number' ? hopsWithin(settings.trustProxy) : settings.trustProxy,
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An id may be as long as an address can be: it is looked for and not found like any other.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, randomUUID()),
    // An address that cannot be read never comes as far as the hooks, so it gets here what every answer has.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      refuse(error, request, reply, problemJson)
    }
  })
  app.server.headersTimeout = 10_000
  const door = newDoor(app)
  app.decorateRequest('caller')

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, dialect: Dialect): FastifyReply {
    const problem = toProblem(error)
    if (problem.status >= 500) {
      const level = problem.status === 503 ? 'warn' : 'error'
      log[level]({ err: error, requestId: request.id, route: request.routeOptions?.url }, 'request failed')
    }
    const language = preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)
    return reply
      .code(problem.status)
      .headers({ ...problem.headers, 'content-language': language, 'cache-control': 'no-store' })
      .header('content-type', dialect.contentType)
      .serializer(JSON.stringify)
      .send(dialect.spell(problem, language, request.id))
  }

  const headers = fixedHeaders(settings)
  const limited = newLimiter()
  const generalLimit = { name: 'requests', perMinute: settings.rateLimit }

  app.addHook('onRequest', async (request, reply) => {
    request.caller = visitor
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    allowOrigin(request, reply, settings.corsOrigins)
    const { needs, limit } = request.routeOptions.config
    await limited(request, reply, generalLimit)
    // Before the body is read: whatever it is, there is nothing here.
    if (request.is404) throw notFound()
    if (needs === undefined || request.method === 'OPTIONS') return
    request.caller = await access.identify(request)
    refuseUnlessAllowed(request.caller, needs)
    if (limit !== undefined) await limited(request, reply, limit)
  })

  app.addHook('onSend', (request, reply, payload, next) => {
    const reading = request.method === 'GET' || request.method === 'HEAD'
    next(null, reading && reply.statusCode === 200 ? tagged(request, reply, payload) : payload)
  })

  function tagged(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    if (!reply.hasHeader('etag') && (typeof payload === 'string' || Buffer.isBuffer(payload))) {
      reply.header('etag', contentTag(payload))
    }
    if (!reply.hasHeader('cache-control')) {
      reply.header('cache-control', request.caller.role === undefined ? 'no-cache' : 'private, no-cache')
      reply.header('vary', 'Authorization')
    }
    if (!isFresh(request, reply)) return payload
    if (payload instanceof Readable) payload.destroy()
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return ''
  }

  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'none'
    const { method, id: requestId } = request
    const status = reply.statusCode
    const ms = reply.elapsedTime
    metrics.observe({ method, route, status, seconds: ms / 1000 })
    const path = withoutSecrets(request.url.split('?', 1)[0] ?? '')
    // The name of a key is free text.
    const caller = withoutSecrets(request.caller.name)
    log.info({ method, path, status, ms: Math.round(ms * 10) / 10, requestId, caller }, 'request')
    next()
  })

  app.setErrorHandler((error, request, reply) => refuse(error, request, reply, problemJson))
  app.setNotFoundHandler((request, reply) => refuse(notFound(), request, reply, problemJson))

  const platform: Service = {
    name: 'platform',
    title: 'Kalends: keys, activity, health',
    dialect: problemJson,
    rules: [],
    routes: [
      keyRoutes,
      activityRoutes,
      scope => healthRoutes(scope, { ping: store.ping, isDraining: door.isClosing, metrics }),
      scope => documentRoutes(scope, services, document)
    ]
  }

  for (const service of [...services, platform]) {
    await app.register(async plain => {
      const scope = plain.withTypeProvider<TypeBoxTypeProvider>()
      scope.setValidatorCompiler(newValidatorCompiler(service.rules))
      scope.setErrorHandler((error, request, reply) => refuse(error, request, reply, service.dialect))
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, bytes: Buffer) =>
        bytes.length === 0 ? undefined : parseJsonBody(bytes)
      )

      const methods = new Map<string, Set<string>>()
      let complete = false
      scope.addHook('onRoute', route => {
        if (complete) return
        for (const method of [route.method].flat()) {
          const known = methods.get(route.url) ?? new Set()
          methods.set(route.url, known.add(method))
          if (method !== 'HEAD') documented.push(documentedRoute(service, method, route))
        }
      })
      for (const routes of service.routes) routes({ app: scope, db: store, settings, soon: nudges.soon })
      // What follows only says what is not there, and stays out of the document.
      complete = true
      answerOtherMethods(plain, methods)
    })
  }

  function document(name?: string): object {
    const service = services.find(one => one.name === name)
    const routes = service === undefined ? documented : documented.filter(route => route.service === service.name)
    return openApi(service?.title ?? 'Kalends', version, routes)
  }

  await app.ready()

  return {
    app,
    access,
    document,
    drain: async () => {
      if (door.isClosing()) return
      await door.close(settings.drainSeconds * 1000)
      nudges.close()
      await access.close()
    }
  }
}

const hopsWithin = (count: number) => (_address: string, hop: number) => hop < count

/** A caller's own id is kept if it is harmless in a log and a header. */
function wellFormedId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.-]{8,100}$/.test(given) ? given : undefined
}

/** What browsers should never do with an answer of ours; the pages set their own. */
function fixedHeaders(settings: Settings): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(settings.publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {})
  }
}

function documentedRoute(
  service: Service,
  method: string,
  { url, schema = {}, config }: RouteOptions
): DocumentedRoute {
  if (config?.needs === undefined) throw new Error(`${method} ${url} does not say what it needs of its caller.`)
  const documentedSchema = schema as DocumentedRoute['schema']
  const creates = config.creates === true
  if (method === 'POST' && documentedSchema.response?.['201'] !== undefined && !creates) {
    throw new Error(`POST ${url} makes something, so it must take an Idempotency-Key (creates: true).`)
  }
  return { service: service.name, method, url, needs: config.needs, creates, schema: documentedSchema }
}

/** An address that exists answers every method: with what it takes. */
function answerOtherMethods(app: FastifyInstance, methods: Map<string, Set<string>>): void {
  for (const [url, known] of [...methods]) {
    const allow = [...known, 'OPTIONS'].join(', ')
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(method => !known.has(method))
    const schema = {}
    app.options(url, { config: { needs: 'nothing' }, schema }, (request, reply) => answerOptions(request, reply, allow))
    if (others.length > 0) {
      app.route({
        method: others as 'GET'[],
        url,
        exposeHeadRoute: false,
        config: { needs: 'nothing' },
        // A body does not matter here, whatever its type.
        onRequest: async () => {
          throw methodNotAllowed(allow)
        },
        handler: async () => undefined
      })
    }
  }
}

function documentRoutes({ app }: Scope, services: Service[], document: (name?: string) => object): void {
  const serve = (url: string, title: string, name?: string) => {
    let text: string | undefined
    app.get(url, {
      config: { needs: 'nothing' },
      schema: { summary: `The OpenAPI document: ${title}`, response: { 200: Type.Unsafe<string>({ type: 'object' }) } },
      handler: async (_request, reply) => {
        text ??= JSON.stringify(document(name))
        return reply.type('application/json').send(text)
      }
    })
  }
  serve('/openapi.json', 'every route of this process')
  for (const { name, title } of services) serve(`/openapi/${name}.json`, title, name)
}
