import fastifyPlugin from 'fastify-plugin'
import { respond304IfFresh, setEtag } from '../etag.ts'

/** Sets ETag, Cache-Control and Vary of successful reads, and responds 304 to clients that have the version. */
export const etag = fastifyPlugin(async (app, { isCacheEnabled }: { isCacheEnabled: boolean }) => {
  app.addHook('onSend', (request, reply, payload, next) => {
    // The response cache, and a handler that knows the ETag in advance, respond 304 themselves.
    const isNotModified = reply.statusCode === 304
    const isSuccess = reply.statusCode === 200 || isNotModified
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method) || !isSuccess) return next(null, payload)
    setEtag(request, reply, payload, isCacheEnabled && request.routeConfig.cache !== undefined)
    const hasNoBody = isNotModified && (payload === undefined || payload === null)
    next(null, hasNoBody ? payload : respond304IfFresh(request, reply, payload))
  })
})
