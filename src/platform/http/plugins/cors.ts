import type { FastifyReply, FastifyRequest } from 'fastify'

const allowedHeaders =
  'Authorization, Content-Type, Accept-Language, Event-Password, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, ' +
  'X-Request-Id, X-HTTP-Method-Override, X-WP-Nonce, Content-Disposition, Content-MD5'
const exposedHeaders =
  'ETag, Link, Location, X-Total-Count, X-Request-Id, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, ' +
  'X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages'
const preflightSeconds = '7200'

/** Pages of any origin may read; only the origins of CORS_ORIGINS may write. The API uses no cookies. */
export function setCorsHeaders(request: FastifyRequest, reply: FastifyReply, writers: string[]): void {
  const { origin, 'access-control-request-method': wanted } = request.headers
  const method = request.method === 'OPTIONS' && wanted !== undefined ? wanted : request.method
  if (method === 'GET' || method === 'HEAD' || writers.includes('*')) {
    reply.header('access-control-allow-origin', '*')
  } else {
    reply.header('vary', 'Origin')
    if (origin === undefined || !writers.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
  }
  if (origin !== undefined) reply.header('access-control-expose-headers', exposedHeaders)
}

/** Responds to OPTIONS with the allowed methods and, for a preflight, with the headers that a page may send. */
export function respondToOptions(
  request: FastifyRequest,
  reply: FastifyReply,
  allow: string,
  description?: object
): FastifyReply {
  reply.header('allow', allow)
  if (request.headers['access-control-request-method'] !== undefined) {
    reply.header('access-control-allow-methods', allow)
    reply.header('access-control-allow-headers', allowedHeaders)
    reply.header('access-control-max-age', preflightSeconds)
  }
  return description === undefined ? reply.code(204).send() : reply.send(description)
}
