import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import {
  type ContentCoding,
  createCompressor,
  type EncodedBodies,
  encodeBody,
  negotiateCoding,
  newEncodedBodies
} from '../content-coding.ts'
import { addCodingToEtag } from '../etag.ts'

/** Smaller bodies fit into one packet anyway. */
const bytesMin = 1024

declare module 'fastify' {
  interface FastifyReply {
    /** The compressed forms of the body, if other requests share it. */
    encodedBodies: EncodedBodies | undefined
  }
}

/**
 * Compresses successful reads that the client accepts compressed. Comes after `etag`: the ETag is that of the content,
 * and each coding appends its name.
 */
export const compression = fastifyPlugin(async app => {
  app.decorateReply('encodedBodies')
  app.addHook('onSend', (request, reply, payload, next) => {
    if (!isCompressible(request, reply)) return next(null, payload)
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
    const { coding, acceptsIdentity } = negotiateCoding(request.headers['accept-encoding']?.toString())
    if (coding === undefined || reply.statusCode === 304) return next(null, payload)

    if (payload instanceof Readable) {
      if (request.method === 'HEAD') return next(null, payload)
      setCoding(reply, coding)
      // An error of the source also destroys the compressor, whose errors Fastify handles as those of any stream.
      return next(
        null,
        pipeline(payload, createCompressor(coding), () => undefined)
      )
    }
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return next(null, payload)
    if (acceptsIdentity && Buffer.byteLength(payload) < bytesMin) return next(null, payload)
    const encoded = encodeBody(reply.encodedBodies ?? newEncodedBodies(), coding, payload)
    if (encoded instanceof Promise) encoded.then(send, next)
    else send(encoded)

    function send(bytes: Buffer): void {
      setCoding(reply, coding as ContentCoding)
      next(null, bytes)
    }
  })
})

/** Everything else is compressed already (images, PDF, archives), or sent piece by piece (events of the stream). */
const compressibleTypes =
  /^(?:text\/(?!event-stream)|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|jsonl|x-ndjson)\b)/

function isCompressible(request: FastifyRequest, reply: FastifyReply): boolean {
  const { statusCode } = reply
  if ((request.method !== 'GET' && request.method !== 'HEAD') || (statusCode !== 200 && statusCode !== 304))
    return false
  if (request.isInternal || reply.hasHeader('content-encoding') || !isSafeToCompress(request)) return false
  return statusCode === 304 || compressibleTypes.test(String(reply.getHeader('content-type')))
}

/**
 * The size of a compressed response reveals secrets in it to an observer who can make the victim's browser request it
 * with chosen input (BREACH). So nothing is compressed that a browser requests with credentials of its own accord: pages
 * except those that all visitors share, as the others contain sessions or form tokens, and responses to Basic
 * credentials.
 */
function isSafeToCompress({ service, routeOptions, caller, headers }: FastifyRequest): boolean {
  if (service.rendersHtml === true && routeOptions.config.cache === undefined) return false
  return caller.role === undefined || /^bearer /i.test(headers.authorization ?? '')
}

function setCoding(reply: FastifyReply, coding: ContentCoding): void {
  reply.header('content-encoding', coding).removeHeader('content-length')
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string') reply.header('etag', addCodingToEtag(etag, coding))
}
