import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/** Larger texts are not cached (cache/store.ts), so no other response shares their memory. */
const largeBytes = 1_048_576
const textTypes = /^(text\/|application\/([\w.-]+\+)?(json|xml)\b)/
const compress = promisify(gzip)

/**
 * A large text waits in compressed form until its reader has taken it: the reader of a feed may be slow, and there may
 * be many. The response is not compressed; it is unpacked at the speed of the reader.
 */
export const compactResponses = fastifyPlugin(async app => {
  app.addHook('onSend', (request, reply, payload, next) => {
    if (!isLargeText(request, reply, payload)) return next(null, payload)
    reply.header('content-length', Buffer.byteLength(payload))
    compress(payload, { level: 1 }).then(packed => {
      const content = createGunzip()
      content.end(packed)
      next(null, content)
    }, next)
  })
})

function isLargeText(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer {
  return (
    (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
    payload.length > largeBytes &&
    request.method !== 'HEAD' &&
    !request.isInternal &&
    !reply.hasHeader('content-encoding') &&
    textTypes.test(String(reply.getHeader('content-type') ?? ''))
  )
}
