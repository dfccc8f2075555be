import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { getWidestNetwork } from '../../auth/brute-force-protection/networks.ts'
import type { Settings } from '../../config.ts'
import { batchUntilImmediate } from '../../database/batch-until-immediate.ts'
import { type Log, parseTrace, redact } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { isLoopback } from '../../settings/setting-values.ts'
import { hasForwardingHeader } from '../client-address.ts'

type LogSettings = Pick<Settings, 'logAddresses' | 'trustProxy'>

/**
 * Logs and measures every response. The calls of a page are measured, but only the page is logged. The lines of a turn of
 * the event loop are written together at its end: one after each response takes twice the processor time, and the next
 * request on another connection waits for it.
 */
export const accessLog = fastifyPlugin(async (app, { log, metrics, settings }: AccessLogOptions) => {
  // Node knows the address of a closed connection only if it was read while the connection was open.
  app.server.on('connection', ({ remoteAddress }: Socket) => remoteAddress)
  app.addHook('onResponse', (request, reply, next) => {
    const { url: route = 'none', streaming } = request.routeConfig
    const { method } = request
    const status = reply.statusCode
    const ms = reply.elapsedTime
    if (streaming !== true) metrics.observe({ method, route, status, seconds: ms / 1000 })
    if (!request.isInternal) {
      const ip: string | undefined = request.ip
      batchUntilImmediate(() => logResponse(request, { status, ms, ip }))
    }
    next()
  })

  function logResponse(request: FastifyRequest, { status, ms, ip }: LoggedResponse): void {
    const { method, id: requestId, routeConfig } = request
    const path = request.url.split('?', 1)[0] ?? ''
    // The name of a key is free text.
    const caller = redact(request.caller.name)
    const client = describeClient(request, ip, settings)
    const trace = parseTrace(request.headers)
    // A path without parameters has nothing in it that a client can choose.
    const shownPath = path === routeConfig.url ? path : redact(path)
    log.info(
      { method, path: shownPath, status, caller, client, ms: Math.round(ms * 10) / 10, requestId, ...trace },
      'request'
    )
  }
})

interface LoggedResponse {
  status: number
  ms: number
  /** Undefined if the client had gone before the connection was accepted. */
  ip: string | undefined
}

interface AccessLogOptions {
  log: Log
  metrics: Metrics
  settings: LogSettings
}

/**
 * The network or the address of the client. Undefined if a proxy sent the request and TRUST_PROXY does not trust it: the
 * connection is that of the proxy, and its headers may be forged.
 */
function describeClient(
  request: FastifyRequest,
  ip: string | undefined,
  { logAddresses, trustProxy }: LogSettings
): string | undefined {
  if (logAddresses === 'none' || (isUntrusting(trustProxy) && hasForwardingHeader(request))) return undefined
  if (ip === undefined) return undefined
  if (isLoopback(ip)) return 'local'
  return logAddresses === 'full' ? ip : getWidestNetwork(ip)
}

const isUntrusting = (trustProxy: Settings['trustProxy']) => trustProxy === false || trustProxy === 0
