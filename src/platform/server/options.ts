import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import type { Settings } from '../config.ts'
import { handleClientError } from '../http/errors.ts'
import { bodyBytesMax } from '../http/json-body.ts'
import type { SendError } from '../http/plugins/error-handler.ts'
import type { FindService } from '../http/plugins/request-context.ts'
import { createRequestId } from '../http/request-id.ts'
import type { Service } from '../http/service.ts'

interface OptionsFor {
  services: Service[]
  settings: Settings
  findService: FindService
  sendError: SendError
}

/** Fastify's options: limits of the HTTP parser, and what happens to requests that never reach a hook. */
export function newServerOptions({
  services,
  settings,
  findService,
  sendError
}: OptionsFor): FastifyHttpOptions<Server> {
  return {
    logger: false,
    genReqId: createRequestId,
    bodyLimit: bodyBytesMax,
    trustProxy: buildTrustProxyOption(settings),
    requestTimeout: 30_000,
    // Without an interval, Node looks for requests that take too long to arrive only twice a minute. A missing Host is
    // refused together with all malformed ones, with our own error.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Otherwise Fastify starts a timer for each route, and gives up on a machine that is busy.
    pluginTimeout: 0,
    exposeHeadRoutes: false,
    // A path parameter may be as long as a URL can be: it is looked up and not found like any other.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
    rewriteUrl: request => {
      for (const { adapter } of services) {
        const url = adapter?.rewriteUrl?.(request)
        if (url !== undefined) return url
      }
      return request.url ?? '/'
    },
    clientErrorHandler: handleClientError,
    // A malformed URL never reaches the hooks.
    frameworkErrors: (error, request, reply) => {
      request.routeConfig = {}
      request.service = findService(request)
      sendError(error, request, reply.header('x-request-id', request.id))
    }
  }
}

/** Fastify's `trustProxy`: which proxies may tell where a request comes from. */
function buildTrustProxyOption({ trustProxy }: Settings) {
  return typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy
}
