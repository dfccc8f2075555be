import type { FastifyReply, FastifyRequest } from 'fastify'

/** Cookies of one request. Their names and flags depend on whether the site uses HTTPS. */
export interface Cookies {
  get(name: string): string | undefined
  set(name: string, value: string, seconds: number): void
  remove(name: string): void
}

/**
 * With HTTPS every cookie is named `__Host-…`: browsers accept it only from this host over HTTPS, so neither a sibling
 * subdomain nor an attacker on plain HTTP can plant one. `origin` is PUBLIC_URL if it is set, so it does not depend on
 * an untrusted proxy. Over plain HTTP browsers reject both the prefix and `Secure`.
 */
export function newCookies(request: FastifyRequest, reply: FastifyReply, origin: string): Cookies {
  const isSecure = origin.startsWith('https:') || request.protocol === 'https'
  const prefix = isSecure ? '__Host-' : ''
  // The prefix requires Path=/. Without it the path stays /admin, or an old cookie would shadow the new one.
  const flags = `Path=${isSecure ? '/' : '/admin'}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const set: Cookies['set'] = (name, value, seconds) => {
    const cookie = `${prefix}${name}=${encodeURIComponent(value)}; ${flags}; Max-Age=${seconds}`
    const earlier = reply.getHeader('set-cookie')
    reply.header('set-cookie', [...(earlier === undefined ? [] : [earlier].flat()), cookie] as string[])
  }
  return {
    get: name => findCookie(request, prefix + name),
    set,
    remove: name => set(name, '', 0)
  }
}

function findCookie(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return decode(pair.slice(equals + 1).trim())
  }
  return undefined
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
