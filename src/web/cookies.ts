import type { FastifyReply, FastifyRequest } from 'fastify'

/** The value of a cookie, or undefined. */
export function cookieIn(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return decoded(pair.slice(equals + 1).trim())
  }
  return undefined
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** Only for the console, out of reach of scripts, and not sent along from other sites' forms. Without seconds it is removed. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: string,
  seconds = 0
): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const cookie = `${name}=${encodeURIComponent(value)}; Path=/admin; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
  const earlier = reply.getHeader('set-cookie')
  reply.header('set-cookie', [...(earlier === undefined ? [] : [earlier].flat()), cookie] as string[])
}
