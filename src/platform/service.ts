import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Access, type Caller, callerAtTheMachine, newAccess, type Role, refuseUnlessAllowed } from './access.ts'
import { accountRoutes } from './accounts/service.ts'
import { activityRoutes } from './activity/routes.ts'
import { admitBodies, answerFirst } from './bodies/admission.ts'
import { bodyBytesMax } from './body.ts'
import { newCache, type Touched } from './cache/cache.ts'
import { newFront } from './cache/front.ts'
import type { Change } from './changes.ts'
import { tag, unlessFresh } from './conditional.ts'
import type { Settings } from './config.ts'
import { requireConfirmation } from './confirmation/confirmation.ts'
import { allowOrigin } from './cors.ts'
import type { Database, Store } from './database.ts'
import { documentedRoute, documentRoutes } from './document.ts'
import { newDoor } from './door.ts'
import { watchDatabase } from './figures.ts'
import { believedProxies, fixedHeaders, newRequestId, wellFormedId } from './headers.ts'
import { healthRoutes } from './health.ts'
import { type CallInside, callOver, callWithin, isInside } from './inside.ts'
import { newNudges } from './jobs.ts'
import { preferredLanguage } from './language.ts'
import { newLimiter } from './limits.ts'
import { newLive } from './live/live.ts'
import { liveRoutes } from './live/routes.ts'
import { hasOneHost, malformedHost } from './local/host-header.ts'
import { newProxyWatch } from './local/untrusted-proxy.ts'
import { type Log, newRequestLines, traceIn, withoutSecrets } from './log.ts'
import type { Manners } from './manners.ts'
import { type Metrics, newMetrics } from './metrics.ts'
import { type DocumentedRoute, openApi } from './openapi.ts'
import { answerOptionsAt, answerOtherMethods, newAddresses, noSuchMethodAt } from './other-methods.ts'
import { overloaded, patience, watchOverload } from './overload.ts'
import { readBodies } from './read-bodies.ts'
import { answerUnreadable, type Dialect, notFound, problemJson, toProblem } from './refuse.ts'
import { isForVisitors, newReads } from './replica.ts'
import { sampleRoutes } from './samples/routes.ts'
import type { SampleRemoval } from './samples/sample.ts'
import { setupRoutes } from './setup/routes.ts'
import { sharing } from './sharing.ts'
import { siteRoutes } from './site/routes.ts'
import { siteRules } from './site/schema.ts'
import { followSite } from './site/site.ts'
import { platformSubjects } from './subjects.ts'
import { newTurnstile } from './turnstile.ts'
import type { Rule } from './validation.ts'
import { version } from './version.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { webhookRules } from './webhooks/schema.ts'

/** Resources under one title, with one way of spelling refusals and one OpenAPI document. */
export interface Service {
  /** What `serve` and `/openapi/<name>.json` call it. */
  name: string
  title: string
  dialect: Dialect
  /** Words of its schemas that JSON Schema does not have. */
  rules: Rule[]
  /** Every resource's routes, in the order of the document. */
  routes: (Routes | Specified)[]
  /** For a service with the manners of another program. */
  manners?: Manners
  /** Requests to try first, in order. */
  examples: Example[]
  /** Fills in sample content and answers how many things it made, none where it is there already; and removes it permanently. */
  seed?: (db: Database, settings: Settings) => Promise<number>
  removeSamples?: (db: Database, by: Caller, settings: Settings) => Promise<SampleRemoval>
  /** The kinds of things that its activity is about, by the name that records call them. */
  subjects?: Record<string, Subject>
  /** Pages for people, which no OpenAPI document describes. */
  isForPeople?: boolean
}

type Routes = (scope: Scope) => void

/** Routes of a resource that a specification has, which local callers may use before anybody has credentials. */
export interface Specified {
  specified: Routes
}

/** A kind of thing that things happen to: what others are told of it. */
export interface Subject {
  /** Everything that can happen to it, as records call it (`donation.created`), in words for the reference. */
  actions: Record<string, string>
  /** What anybody may read of these things now, by id; what the public may not see, or what is gone, is not among it. */
  represent?(db: Database, ids: string[], origin: string): Promise<Map<string, object>>
  /** Of the actions those that everybody hears of who may see the thing. Nobody hears of others but readers. */
  publicActions?: readonly string[]
  /** Who hears of everything that happens to it, besides admins. */
  readers?: readonly Role[]
  /** What answers rest on that this changes, by the names that their routes have for it; everything if it does not say. */
  touches?(change: Change): string[]
}

/** A request to try: with a body it makes something. */
export interface Example {
  path: string
  body?: object
  /** Needs no key. */
  open?: boolean
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
  log: Log
  /** Has a job run within a second; a hint, as jobs also run by themselves. */
  soon: (job: string) => void
  /** Asks any service of this process, for a page. */
  inside: CallInside
  /** A number that is another one after each write through this process; undefined where writes go past it. */
  moment: () => number | undefined
  /** Calls when something was written, by another process too; never where no answers are kept. */
  onChange: (listener: (touched: Touched) => void) => void
}

export interface Server {
  app: FastifyInstance
  access: Access
  metrics: Metrics
  /** The OpenAPI document of one service, or of all. */
  document(name?: string): object
  /** Takes no new requests, lets those under way finish, and releases everything but the store. */
  drain(): Promise<void>
}

const visitor: Caller = { ...callerAtTheMachine('visitor'), role: undefined }

/** `others` is what there is to tell of besides, where other processes serve it. */
export async function newServer(
  services: Service[],
  store: Store,
  settings: Settings,
  log: Log,
  others: Record<string, Subject> = {}
): Promise<Server> {
  const access = newAccess(store, settings)
  const metrics = newMetrics()
  const writeLine = newRequestLines(log)
  const reads = newReads(store, settings, metrics, log)
  const nudges = newNudges(store, log)
  const moment = () => (settings.apiUrl === undefined ? writes + (cache?.moment() ?? 0) : undefined)
  const onChange: Scope['onChange'] = listener => cache?.onChange(listener)
  const inside: CallInside = settings.apiUrl === undefined ? callWithin(() => app) : callOver(settings.apiUrl)
  const site = await followSite(store, settings, log)
  const subjects: Record<string, Subject> = Object.assign(
    {},
    platformSubjects,
    others,
    ...services.map(service => service.subjects)
  )
  const live = newLive(store, subjects, log)
  metrics.watch('kalends_stream_listeners', 'Open connections to /stream.', live.count)
  watchDatabase(metrics, store)
  const cache = newCache(store, { megabytes: settings.responseCache, subjects, metrics, onSite: site.read })
  // Whatever is asked from now on, and kept, is not read from a replica that does not know of the change yet.
  cache?.onChange(reads.wrote)
  const documented: DocumentedRoute[] = []
  const addresses = newAddresses()
  let writes = 0

  /** The service under whose paths an address is. */
  function ownerOf(url = ''): Service | undefined {
    const path = url.split('?', 1)[0] ?? ''
    return services.find(({ manners }) => manners?.owns(path))
  }
  const receiverOf = (request: FastifyRequest) =>
    addresses.at(request.url)?.service ?? services.find(({ manners }) => manners?.receives?.(request) === true)
  const hostOf = (request: FastifyRequest) => ownerOf(request.url) ?? (request.is404 ? receiverOf(request) : undefined)
  const dialectOf = (request: FastifyRequest) => hostOf(request)?.dialect ?? problemJson
  const mannersOf = (request: FastifyRequest) => hostOf(request)?.manners

  const app = Fastify({
    logger: false,
    genReqId: request => wellFormedId(request.headers['x-request-id']) ?? newRequestId(),
    bodyLimit: bodyBytesMax,
    trustProxy: believedProxies(settings),
    ...patience,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An id may be as long as an address can be: it is looked for and not found like any other.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
    rewriteUrl: request => ownerOf(request.url)?.manners?.beforeRouting(request) ?? request.url ?? '/',
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, newRequestId()),
    // An address that cannot be read never comes as far as the hooks, so it gets here what every answer has.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      reply.headers(mannersOf(request)?.headers(request) ?? {})
      refuse(error, request, reply, dialectOf(request))
    }
  })
  const door = newDoor(app)
  const overload = watchOverload(app, metrics, log)
  const bodies = admitBodies(app, settings.bodyMemory, metrics)
  app.decorateRequest('caller')
  app.decorateRequest('kept')
  const limiter = newLimiter(store, settings)
  const isOpen = () => access.isSettled() && !door.isClosing()
  const turnstile = newTurnstile(app, { overload, isClosing: door.isClosing, settings, metrics, writeLine })
  const front = cache && newFront(app, { cache, settings, limiter, metrics, writeLine, isOpen, watch: door.watch })

  const proxies = newProxyWatch(store, settings, log)
  answerFirst(app, (request, response) => {
    proxies.look(request)
    // The router refuses it, in the words of the service.
    if (!hasOneHost(request)) return false
    return front?.answers(request, response) || turnstile.refuses(request, response)
  })

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, dialect: Dialect): FastifyReply {
    const problem = toProblem(error)
    // Of those who are too many the log hears once a second, or it would be one more thing that is too much.
    if (problem.status >= 500 && problem !== overloaded) {
      const level = problem.status === 503 ? 'warn' : 'error'
      const { id: requestId, routeOptions } = request
      log[level]({ err: error, requestId, route: routeOptions?.url, ...traceIn(request.headers) }, 'request failed')
    }
    const language = preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)
    const body = dialect.spell(problem, language, request.id)
    reply
      .code(problem.status)
      .headers({ ...problem.headers, 'content-language': language, 'cache-control': 'no-store' })
      .header('content-type', dialect.contentType)
    const spelled = mannersOf(request)?.refusal(request, reply, body) ?? body
    return reply.serializer(typeof spelled === 'string' ? String : JSON.stringify).send(spelled)
  }

  const headers = fixedHeaders(settings)

  app.addHook('onRequest', async (request, reply) => {
    request.caller = visitor
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    allowOrigin(request, reply, settings.corsOrigins)
    const manners = mannersOf(request)
    if (manners !== undefined) reply.headers(manners.headers(request))
    const { needs, limit, vital } = request.routeOptions.config
    if (!isInside(request)) {
      if (!hasOneHost(request.raw)) throw malformedHost()
      await limiter.take(request, reply, { name: 'requests', perMinute: settings.rateLimit })
      // Not thrown: that would cost as much again.
      if (vital !== true && overload.isFull()) {
        turnstile.watch(request)
        return refuse(overloaded, request, reply, dialectOf(request))
      }
    }
    // Before the body is read: whatever it is, there is nothing here, or nothing that takes it.
    const there = request.is404 ? addresses.at(request.url) : undefined
    if (request.is404 && there === undefined) throw notFound()
    if (there !== undefined && request.method === 'OPTIONS') return answerOptionsAt(there, request, reply)
    if ((needs === undefined && there === undefined) || request.method === 'OPTIONS') return
    request.caller = await access.identify(request)
    const allow = manners?.allow(request) ?? ''
    if (allow !== '') reply.header('allow', allow)
    if (there !== undefined) throw noSuchMethodAt(there)
    refuseUnlessAllowed(request.caller, needs ?? 'nothing')
    if (limit !== undefined) await limiter.take(request, reply, limit)
    await bodies.admit(request, reply)
  })
  app.addHook('preHandler', requireConfirmation)

  app.addHook('onSend', (request, reply, payload, next) => {
    const reading = ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
    // Before whoever wrote hears of it: what they ask from then on is answered anew.
    if (!reading) {
      writes += 1
      live.soon()
    }
    if (!reading || reply.statusCode !== 200) return next(null, payload)
    tag(request, reply, payload, cache !== undefined && typeof request.routeOptions.config.shared === 'object')
    if (request.kept !== undefined && !isInside(request)) front?.learn(request, reply)
    next(null, unlessFresh(request, reply, payload))
  })

  app.addHook('onResponse', (request, reply, next) => {
    const { url: route = 'none', config } = request.routeOptions
    const { method, id: requestId } = request
    const status = reply.statusCode
    const ms = reply.elapsedTime
    if (config.endless !== true) metrics.observe({ method, route, status, seconds: ms / 1000 })
    if (isInside(request)) {
      next()
      return
    }
    const path = withoutSecrets(request.url.split('?', 1)[0] ?? '')
    // The name of a key is free text.
    const caller = withoutSecrets(request.caller.name)
    writeLine({ method, path, status, caller, spelt: '' }, { ms, requestId, headers: request.headers })
    next()
  })

  app.setErrorHandler((error, request, reply) => refuse(error, request, reply, dialectOf(request)))
  app.setNotFoundHandler((request, reply) => refuse(notFound(), request, reply, dialectOf(request)))

  const health = (scope: Scope) => healthRoutes(scope, { status: reads.status, isDraining: door.isClosing, metrics })
  const platform: Service = {
    name: 'platform',
    title: 'Kalends: site, people, keys, activity, health',
    dialect: problemJson,
    rules: [...siteRules, ...webhookRules],
    examples: [],
    routes:
      services.length === 0
        ? [health]
        : [
            siteRoutes,
            ...[setupRoutes, sampleRoutes].map(routes => (scope: Scope) => routes(scope, services)),
            ...accountRoutes,
            activityRoutes,
            scope => webhookRoutes(scope, subjects),
            scope => liveRoutes(scope, { live, subjects, identify: access.identify }),
            health,
            scope => documentRoutes(scope, [...services, platform], document)
          ]
  }

  for (const service of [...services, platform]) {
    await app.register(async plain => {
      const scope = plain.withTypeProvider<TypeBoxTypeProvider>()
      scope.setErrorHandler((error, request, reply) => refuse(error, request, reply, service.dialect))
      readBodies(scope, service)

      const methods = new Map<string, Set<string>>()
      let complete = false
      let isSpecified = false
      scope.addHook('onRoute', route => {
        if (complete) return
        if (isSpecified && route.config?.isExport !== true) route.config = { ...route.config, isSpecified }
        if (service.isForPeople !== true && isForVisitors(route)) route.handler = reads.choosing(route.handler)
        const shared = route.config?.shared
        if (shared !== undefined) route.handler = sharing(route.handler, { cache, settings, shared })
        for (const method of [route.method].flat()) {
          const known = methods.get(route.url) ?? new Set()
          methods.set(route.url, known.add(method))
          const described = method === 'HEAD' ? undefined : documentedRoute(service, method, route)
          if (described !== undefined && service.isForPeople !== true) documented.push(described)
        }
      })
      for (const routes of service.routes) {
        isSpecified = 'specified' in routes
        const add = 'specified' in routes ? routes.specified : routes
        add({ app: scope, db: reads.db, settings, log, soon: nudges.soon, inside, moment, onChange })
      }
      // What follows only says what is not there, and stays out of the document.
      complete = true
      answerOtherMethods(plain, service, methods, addresses)
    })
  }

  function document(name?: string): object {
    const service = [...services, platform].find(one => one.name === name)
    const routes = service === undefined ? documented : documented.filter(route => route.service === service.name)
    return openApi(service?.title ?? 'Kalends', version, routes)
  }

  await app.ready()

  return {
    app,
    access,
    metrics,
    document,
    drain: async () => {
      if (door.isClosing()) return
      live.close()
      await door.close(settings.drainSeconds * 1000)
      nudges.close()
      await cache?.close()
      site.close()
      await Promise.all([access.close(), reads.close()])
    }
  }
}
