import type { FastifyReply, FastifyRequest } from 'fastify'

/** The cookies of one visit. Their names and flags depend on whether people reach the site by HTTPS. */
export interface Cookies {
  get(name: string): string | undefined
  set(name: string, value: string, seconds: number): void
  remove(name: string): void
}

/**
 * Under HTTPS every cookie is named `__Host-…`: browsers take it from this very host by HTTPS only, so that neither a sibling
 * subdomain nor somebody who can answer by HTTP can plant one. `origin` is PUBLIC_URL where it is set: a proxy that the program
 * has not been told to trust changes nothing. Over plain HTTP browsers refuse both the prefix and `Secure`.
 */
export function newCookies(request: FastifyRequest, reply: FastifyReply, origin: string): Cookies {
  const isSecure = origin.startsWith('https:') || request.protocol === 'https'
  const prefix = isSecure ? '__Host-' : ''
  // The prefix demands the path /. Without it the path stays what it was, or a cookie of before would hide the new one.
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
