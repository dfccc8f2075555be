import fastifyPlugin from 'fastify-plugin'
import { type Log, parseTrace, redact } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { isInternal } from '../internal-client.ts'

/** Logs and measures every response. The calls of a page are measured, but only the page is logged. */
export const accessLog = fastifyPlugin(async (app, { log, metrics }: { log: Log; metrics: Metrics }) => {
  app.addHook('onResponse', (request, reply, next) => {
    const { url: route = 'none', config } = request.routeOptions
    const { method, id: requestId } = request
    const status = reply.statusCode
    const ms = reply.elapsedTime
    if (config.streaming !== true) metrics.observe({ method, route, status, seconds: ms / 1000 })
    if (!isInternal(request)) {
      const path = redact(request.url.split('?', 1)[0] ?? '')
      // The name of a key is free text.
      const caller = redact(request.caller.name)
      const trace = parseTrace(request.headers)
      log.info({ method, path, status, caller, ms: Math.round(ms * 10) / 10, requestId, ...trace }, 'request')
    }
    next()
  })
})
