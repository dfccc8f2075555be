import fastifyPlugin from 'fastify-plugin'
import { respond304IfFresh, setEtag } from '../etag.ts'

/** Sets ETag, Cache-Control and Vary of successful reads, and responds 304 to clients that have the version. */
export const etag = fastifyPlugin(async (app, { isCacheEnabled }: { isCacheEnabled: boolean }) => {
  app.addHook('onSend', (request, reply, payload, next) => {
    // A handler that knows the ETag in advance responds 304 itself.
    const isSuccess = reply.statusCode === 200 || reply.statusCode === 304
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method) || !isSuccess) return next(null, payload)
    setEtag(request, reply, payload, isCacheEnabled && request.routeOptions.config.cache !== undefined)
    next(null, respond304IfFresh(request, reply, payload))
  })
})
