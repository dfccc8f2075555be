import Fastify, { type FastifyInstance } from 'fastify'
import type { Authenticator } from './auth/authenticate.ts'
import { responseCache } from './cache/response-cache.ts'
import { recordSentResponses } from './cache/sent-responses.ts'
import { accessLog } from './http/plugins/access-log.ts'
import { authenticate } from './http/plugins/authenticate.ts'
import { authorize } from './http/plugins/authorize.ts'
import { bodyLimits } from './http/plugins/body-limits.ts'
import { bodyParsers } from './http/plugins/body-parsers.ts'
import { compactResponses } from './http/plugins/compact-responses.ts'
import { compression } from './http/plugins/compression.ts'
import { errorHandler } from './http/plugins/error-handler.ts'
import { etag } from './http/plugins/etag.ts'
import { gracefulShutdown } from './http/plugins/graceful-shutdown.ts'
import { headRequests } from './http/plugins/head-requests.ts'
import { hostHeader } from './http/plugins/host-header.ts'
import { loadShedding } from './http/plugins/load-shedding.ts'
import { methodNotAllowed } from './http/plugins/method-not-allowed.ts'
import { notFound } from './http/plugins/not-found.ts'
import { openapi } from './http/plugins/openapi.ts'
import { rateLimit, routeRateLimit } from './http/plugins/rate-limit.ts'
import { readReplica } from './http/plugins/read-replica.ts'
import { requestContext } from './http/plugins/request-context.ts'
import { responseHeaders } from './http/plugins/response-headers.ts'
import { sendTogether } from './http/plugins/send-together.ts'
import type { Service } from './http/service.ts'
import type { Metrics } from './metrics.ts'
import { newServerOptions } from './server/options.ts'
import { newServerParts, type ServerDependencies } from './server/parts.ts'
import { registerRoutes } from './server/register-routes.ts'

export interface Server {
  app: FastifyInstance
  authenticator: Authenticator
  metrics: Metrics
  /** The OpenAPI document of one service, or of all. */
  buildOpenApi(name?: string): object
  /** Accepts no new requests, completes those in flight, and releases everything but the store. */
  drain(): Promise<void>
}

/** What happens to a request, in this order; docs/request-lifecycle.md follows one request through it. */
export async function createServer(services: Service[], dependencies: ServerDependencies): Promise<Server> {
  const parts = await newServerParts(services, dependencies, () => app)
  const app = Fastify(newServerOptions(parts))

  await app.register(errorHandler, parts) // any error becomes a problem in the format of the service
  await app.register(gracefulShutdown) // tracks the response until it is sent
  await app.register(requestContext, parts) // service, anonymous caller
  await app.register(hostHeader, parts) // 400
  await app.register(rateLimit, parts) // 429 by address
  await app.register(responseCache, parts) // a visitor gets the cached response, if there is one
  await app.register(responseHeaders, parts) // security headers, those of the service, CORS
  await app.register(loadShedding, parts) // 503 if the request would wait too long
  await app.register(readReplica, parts) // the handler of a public read may use a replica
  await app.register(notFound, parts) // 404, or the answer to OPTIONS
  await app.register(authenticate, parts) // 401 for wrong credentials
  await app.register(methodNotAllowed) // 405
  await app.register(authorize) // 401 or 403 by the role that the route requires
  await app.register(routeRateLimit, parts) // 429 by route
  await app.register(bodyLimits, parts) // 413 or 503 before the body is read
  await app.register(bodyParsers) // 415 before the body is read, and then the body as its type says
  await app.register(openapi, parts) // documents the route
  await app.register(etag, parts) // ETag, and 304 for a client that has it
  await app.register(compression) // brotli or gzip, if the client accepts it
  await app.register(compactResponses) // a large text waits for a slow reader in compressed form
  await app.register(headRequests) // HEAD has the headers of GET
  await app.register(recordSentResponses) // the next request for a cached response gets it without these steps
  await app.register(sendTogether) // responses of one turn of the event loop are sent one after the other
  await app.register(accessLog, parts) // log line and metrics of the response

  registerRoutes(app, parts)
  await app.ready()
  return { app, ...parts.server }
}
