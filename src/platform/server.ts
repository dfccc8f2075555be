import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { platformActivityTypes } from './activity/resource-types.ts'
import { registerActivityRoutes } from './activity/routes.ts'
import { accountRoutes } from './auth/account-routes.ts'
import { type Authenticator, newAuthenticator } from './auth/authenticate.ts'
import { newProxyDetector } from './auth/local-access/untrusted-proxy.ts'
import { requireConfirmation } from './auth/sessions/confirmation.ts'
import { newCache } from './cache/cache.ts'
import { newEarlyResponder } from './cache/early-response.ts'
import { withResponseCache } from './cache/response-cache.ts'
import { type Caller, newSystemCaller, requireRole } from './caller.ts'
import type { Settings } from './config.ts'
import type { Store } from './database/database.ts'
import { isPublicRead, newReadRouter } from './database/replica/read-replica.ts'
import { registerDatabaseMetrics } from './database-metrics.ts'
import { newHub } from './event-stream/hub.ts'
import { registerStreamRoutes } from './event-stream/routes.ts'
import { handleBeforeRouter, registerBodyLimits } from './http/body-limits/admission.ts'
import { registerBodyParsers } from './http/body-parsers.ts'
import { setCorsHeaders } from './http/cors.ts'
import { type ErrorFormat, handleClientError, newRouteNotFoundProblem, problemJson, toProblem } from './http/errors.ts'
import { respond304IfFresh, setEtag } from './http/etag.ts'
import { trackInFlight } from './http/graceful-shutdown.ts'
import { registerHealthRoutes } from './http/health-routes.ts'
import { hasValidHost, newMalformedHostProblem } from './http/host-header.ts'
import { type InternalClient, isInternal, newHttpClient, newInjectClient } from './http/internal-client.ts'
import { bodyBytesMax } from './http/json-body.ts'
import { newLoadShedder, overloadedProblem, serverTimeouts } from './http/load-shedding.ts'
import {
  newKnownRoutes,
  newMethodNotAllowedProblemFor,
  registerMethodNotAllowed,
  respondToOptionsFor
} from './http/method-not-allowed.ts'
import { buildOpenApi, type DocumentedRoute } from './http/openapi.ts'
import { describeRoute, registerOpenApiRoutes } from './http/openapi-routes.ts'
import { newOverloadFastPath } from './http/overload-fast-path.ts'
import { platformGroups } from './http/platform-groups.ts'
import { buildSecurityHeaders, buildTrustProxyOption, newRequestId, parseRequestId } from './http/security-headers.ts'
import type { ActivityType, RouteContext, Service } from './http/service.ts'
import { newDebouncedEnqueuer } from './jobs/jobs.ts'
import { negotiateLanguage } from './language.ts'
import { type Log, newAccessLog, parseTrace, redact } from './log.ts'
import { type Metrics, newMetrics } from './metrics.ts'
import { newRateLimiter } from './rate-limit/limiter.ts'
import { registerSampleRoutes } from './samples/routes.ts'
import { registerSetupRoutes } from './setup/routes.ts'
import { registerSiteRoutes } from './site/routes.ts'
import { siteRules } from './site/schema.ts'
import { followSite } from './site/site.ts'
import { version } from './version.ts'
import { registerWebhookRoutes } from './webhooks/routes.ts'
import { webhookRules } from './webhooks/schema.ts'

export interface Server {
  app: FastifyInstance
  authenticator: Authenticator
  metrics: Metrics
  /** The OpenAPI document of one service, or of all. */
  buildOpenApi(name?: string): object
  /** Accepts no new requests, completes those in flight, and releases everything but the store. */
  drain(): Promise<void>
}

const anonymousCaller: Caller = { ...newSystemCaller('visitor'), role: undefined }

/** `otherActivityTypes` are those of services that other processes serve. */
export async function createServer(
  services: Service[],
  store: Store,
  settings: Settings,
  log: Log,
  otherActivityTypes: Record<string, ActivityType> = {}
): Promise<Server> {
  const authenticator = newAuthenticator(store, settings)
  const metrics = newMetrics()
  const writeLine = newAccessLog(log)
  const readRouter = newReadRouter(store, settings, metrics, log)
  const jobEnqueuer = newDebouncedEnqueuer(store, log)
  const getWriteGeneration = () => (settings.apiUrl === undefined ? writes + (cache?.getGeneration() ?? 0) : undefined)
  const onChange: RouteContext['onInvalidate'] = listener => cache?.onInvalidate(listener)
  const internalClient: InternalClient =
    settings.apiUrl === undefined ? newInjectClient(() => app) : newHttpClient(settings.apiUrl)
  const site = await followSite(store, settings, log)
  const activityTypes: Record<string, ActivityType> = Object.assign(
    {},
    platformActivityTypes,
    otherActivityTypes,
    ...services.map(service => service.activityTypes)
  )
  const hub = newHub(store, activityTypes, log)
  metrics.addGauge('kalends_stream_listeners', 'Open connections to /stream.', hub.count)
  registerDatabaseMetrics(metrics, store)
  const cache = newCache(store, {
    megabytes: settings.responseCache,
    subjects: activityTypes,
    metrics,
    onSite: site.refresh
  })
  // After an invalidation, no response is cached that a replica without the change has read.
  cache?.onInvalidate(readRouter.markWritten)
  const documentedRoutes: DocumentedRoute[] = []
  const knownRoutes = newKnownRoutes()
  let writes = 0

  /** The service whose paths include a URL. */
  function findOwner(url = ''): Service | undefined {
    const path = url.split('?', 1)[0] ?? ''
    return services.find(({ adapter }) => adapter?.ownsPath(path))
  }
  const findReceiver = (request: FastifyRequest) =>
    knownRoutes.find(request.url)?.service ??
    services.find(({ adapter }) => adapter?.handlesNotFound?.(request) === true)
  const findService = (request: FastifyRequest) =>
    findOwner(request.url) ?? (request.is404 ? findReceiver(request) : undefined)
  const getErrorFormat = (request: FastifyRequest) => findService(request)?.errorFormat ?? problemJson
  const getAdapter = (request: FastifyRequest) => findService(request)?.adapter

  const app = Fastify({
    logger: false,
    genReqId: request => parseRequestId(request.headers['x-request-id']) ?? newRequestId(),
    bodyLimit: bodyBytesMax,
    trustProxy: buildTrustProxyOption(settings),
    ...serverTimeouts,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A path parameter may be as long as a URL can be: it is looked up and not found like any other.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
    rewriteUrl: request => findOwner(request.url)?.adapter?.rewriteUrl(request) ?? request.url ?? '/',
    clientErrorHandler: (error, socket) => handleClientError(error, socket, newRequestId()),
    // A malformed URL never reaches the hooks, so the headers of every response are set here.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      reply.headers(getAdapter(request)?.headers(request) ?? {})
      sendError(error, request, reply, getErrorFormat(request))
    }
  })
  const shutdown = trackInFlight(app)
  const loadShedder = newLoadShedder(app, metrics, log)
  const bodies = registerBodyLimits(app, settings.bodyMemory, metrics)
  app.decorateRequest('caller')
  app.decorateRequest('cacheEntry')
  const limiter = newRateLimiter(store, settings)
  const canServeAnonymous = () => authenticator.isProtectedModeOver() && !shutdown.isClosing()
  const overloadFastPath = newOverloadFastPath(app, {
    loadShedder: loadShedder,
    isClosing: shutdown.isClosing,
    settings,
    metrics,
    writeAccessLog: writeLine
  })
  const earlyResponder =
    cache &&
    newEarlyResponder(app, {
      cache,
      settings,
      limiter,
      metrics,
      writeAccessLog: writeLine,
      canServeAnonymous: canServeAnonymous,
      trackResponse: shutdown.track
    })

  const proxyDetector = newProxyDetector(store, settings, log)
  handleBeforeRouter(app, (request, response) => {
    proxyDetector.inspect(request)
    // The router refuses it, in the error format of the service.
    if (!hasValidHost(request)) return false
    return earlyResponder?.tryRespond(request, response) || overloadFastPath.replayRefusal(request, response)
  })

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, dialect: ErrorFormat): FastifyReply {
    const problem = toProblem(error)
    // Refusals under overload are logged once a second by the load shedder: a line for each would add to the load.
    if (problem.status >= 500 && problem !== overloadedProblem) {
      const level = problem.status === 503 ? 'warn' : 'error'
      const { id: requestId, routeOptions } = request
      log[level]({ err: error, requestId, route: routeOptions?.url, ...parseTrace(request.headers) }, 'request failed')
    }
    const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
    const body = dialect.format(problem, language, request.id)
    reply
      .code(problem.status)
      .headers({ ...problem.headers, 'content-language': language, 'cache-control': 'no-store' })
      .header('content-type', dialect.contentType)
    const spelled = getAdapter(request)?.formatError(request, reply, body) ?? body
    return reply.serializer(typeof spelled === 'string' ? String : JSON.stringify).send(spelled)
  }

  const headers = buildSecurityHeaders(settings)

  app.addHook('onRequest', async (request, reply) => {
    request.caller = anonymousCaller
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    setCorsHeaders(request, reply, settings.corsOrigins)
    const adapter = getAdapter(request)
    if (adapter !== undefined) reply.headers(adapter.headers(request))
    const { requires, rateLimit, neverShed } = request.routeOptions.config
    if (!isInternal(request)) {
      if (!hasValidHost(request.raw)) throw newMalformedHostProblem()
      await limiter.consume(request, reply, { name: 'requests', perMinute: settings.rateLimit })
      // Not thrown: throwing would double the cost.
      if (neverShed !== true && loadShedder.shouldShed()) {
        overloadFastPath.remember(request)
        return sendError(overloadedProblem, request, reply, getErrorFormat(request))
      }
    }
    // Before the body is read: the URL does not exist, or does not allow the method.
    const knownRoute = request.is404 ? knownRoutes.find(request.url) : undefined
    if (request.is404 && knownRoute === undefined) throw newRouteNotFoundProblem()
    if (knownRoute !== undefined && request.method === 'OPTIONS') return respondToOptionsFor(knownRoute, request, reply)
    if ((requires === undefined && knownRoute === undefined) || request.method === 'OPTIONS') return
    request.caller = await authenticator.authenticate(request)
    const allow = adapter?.allow(request) ?? ''
    if (allow !== '') reply.header('allow', allow)
    if (knownRoute !== undefined) throw newMethodNotAllowedProblemFor(knownRoute)
    requireRole(request.caller, requires ?? 'public')
    if (rateLimit !== undefined) await limiter.consume(request, reply, rateLimit)
    await bodies.admit(request, reply)
  })
  app.addHook('preHandler', requireConfirmation)

  app.addHook('onSend', (request, reply, payload, next) => {
    const reading = ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
    // Before the writer gets the response: the requests that follow must see the write.
    if (!reading) {
      writes += 1
      hub.pollSoon()
    }
    if (!reading || reply.statusCode !== 200) return next(null, payload)
    setEtag(request, reply, payload, cache !== undefined && typeof request.routeOptions.config.cache === 'object')
    if (request.cacheEntry !== undefined && !isInternal(request)) earlyResponder?.remember(request, reply)
    next(null, respond304IfFresh(request, reply, payload))
  })

  app.addHook('onResponse', (request, reply, next) => {
    const { url: route = 'none', config } = request.routeOptions
    const { method, id: requestId } = request
    const status = reply.statusCode
    const ms = reply.elapsedTime
    if (config.streaming !== true) metrics.observe({ method, route, status, seconds: ms / 1000 })
    if (isInternal(request)) {
      next()
      return
    }
    const path = redact(request.url.split('?', 1)[0] ?? '')
    // The name of a key is free text.
    const caller = redact(request.caller.name)
    writeLine({ method, path, status, caller, serialized: '' }, { ms, requestId, headers: request.headers })
    next()
  })

  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, getErrorFormat(request)))
  app.setNotFoundHandler((request, reply) =>
    sendError(newRouteNotFoundProblem(), request, reply, getErrorFormat(request))
  )

  const health = (scope: RouteContext) =>
    registerHealthRoutes(scope, { status: readRouter.status, isDraining: shutdown.isClosing, metrics })
  const platform: Service = {
    name: 'platform',
    title: 'Kalends: site, people, keys, activity, health',
    groups: platformGroups,
    errorFormat: problemJson,
    rules: [...siteRules, ...webhookRules],
    examples: [],
    routes:
      services.length === 0
        ? [health]
        : [
            registerSiteRoutes,
            ...[registerSetupRoutes, registerSampleRoutes].map(
              routes => (scope: RouteContext) => routes(scope, services)
            ),
            ...accountRoutes,
            registerActivityRoutes,
            scope => registerWebhookRoutes(scope, activityTypes),
            scope =>
              registerStreamRoutes(scope, { live: hub, subjects: activityTypes, identify: authenticator.authenticate }),
            health,
            scope => registerOpenApiRoutes(scope, [...services, platform], document)
          ]
  }

  for (const service of [...services, platform]) {
    await app.register(async plain => {
      const scope = plain.withTypeProvider<TypeBoxTypeProvider>()
      scope.setErrorHandler((error, request, reply) => sendError(error, request, reply, service.errorFormat))
      registerBodyParsers(scope, service)

      const methods = new Map<string, Set<string>>()
      let complete = false
      let isSpecified = false
      scope.addHook('onRoute', route => {
        if (complete) return
        if (isSpecified && route.config?.isExport !== true) route.config = { ...route.config, isSpecified }
        if (service.rendersHtml !== true && isPublicRead(route)) route.handler = readRouter.routeReads(route.handler)
        const shared = route.config?.cache
        if (shared !== undefined) route.handler = withResponseCache(route.handler, { cache, settings, shared })
        for (const method of [route.method].flat()) {
          const known = methods.get(route.url) ?? new Set()
          methods.set(route.url, known.add(method))
          const described = method === 'HEAD' ? undefined : describeRoute(service, method, route)
          if (described !== undefined && service.rendersHtml !== true) documentedRoutes.push(described)
        }
      })
      for (const routes of service.routes) {
        isSpecified = 'specified' in routes
        const add = 'specified' in routes ? routes.specified : routes
        add({
          app: scope,
          db: readRouter.db,
          settings,
          log,
          enqueueSoon: jobEnqueuer.soon,
          internalClient: internalClient,
          getWriteGeneration: getWriteGeneration,
          onInvalidate: onChange
        })
      }
      // The routes that follow only report what is not allowed, and stay out of the OpenAPI document.
      complete = true
      registerMethodNotAllowed(plain, service, methods, knownRoutes)
    })
  }

  function document(name?: string): object {
    const service = [...services, platform].find(one => one.name === name)
    const routes =
      service === undefined ? documentedRoutes : documentedRoutes.filter(route => route.service === service.name)
    return buildOpenApi(service?.title ?? 'Kalends', version, routes)
  }

  await app.ready()

  return {
    app,
    authenticator: authenticator,
    metrics,
    buildOpenApi: document,
    drain: async () => {
      if (shutdown.isClosing()) return
      hub.close()
      await shutdown.shutdown(settings.drainSeconds * 1000)
      jobEnqueuer.close()
      await cache?.close()
      site.close()
      await Promise.all([authenticator.close(), readRouter.close()])
    }
  }
}
