import type { FastifyReply, FastifyRequest } from 'fastify'

/** Wraps an error in the body of a 200 response if the client asks for an envelope. */
export function wrapError(request: FastifyRequest, reply: FastifyReply, body: object): object {
  if (!/[?&]_envelope(?:[=&]|$)/.test(request.url)) return body
  const whole = wrapInEnvelope(reply, body)
  reply.code(200)
  return whole
}

/** Spelled as in The Events Calendar: in a body the case matters. */
const envelopedHeaders = [
  'Allow',
  'Content-Language',
  'ETag',
  'Link',
  'Location',
  'X-TEC-Total',
  'X-TEC-TotalPages',
  'X-WP-Total',
  'X-WP-TotalPages'
]

/** Wraps the whole response in the body, for clients that cannot read headers. */
export function wrapInEnvelope(reply: FastifyReply, body: unknown): object {
  const headers = envelopedHeaders.flatMap(name => (reply.hasHeader(name) ? [[name, reply.getHeader(name)]] : []))
  return { body, status: reply.statusCode, headers: Object.fromEntries(headers) }
}
