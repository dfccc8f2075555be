import { randomUUID } from 'node:crypto'
import type { Settings } from '../config.ts'

/** Security headers of every response; the pages set their own. */
export function buildSecurityHeaders(settings: Settings): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(settings.publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {})
  }
}

/** Keeps a caller's own request id if it is harmless in a log and a header. */
export function parseRequestId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.-]{8,100}$/.test(given) ? given : undefined
}

/** Random numbers cost more than much of a small response, so many ids share a random prefix and end with a counter. */
function newRequestIdGenerator(): () => string {
  let shared = ''
  let count = 0
  return () => {
    if (count === 0) shared = randomUUID().slice(0, -2)
    const id = `${shared}${hex[count]}`
    count = (count + 1) % hex.length
    return id
  }
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export const newRequestId = newRequestIdGenerator()

/** Fastify's `trustProxy`: which proxies may tell where a request comes from. */
export function buildTrustProxyOption({ trustProxy }: Settings) {
  return typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy
}
