import type { IncomingMessage } from 'node:http'
import { isIPv4, type Socket } from 'node:net'
import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { canHaveLocalCallers, hasForwardingHeader } from '../../http/client-address.ts'
import type { Log } from '../../log.ts'
import { isLoopback } from '../../settings/setting-values.ts'
import { rememberProxy } from './queries.ts'

/** Signs that a request came through a proxy, as texts for the log and for `doctor`. */
const signs = {
  header: 'they carry headers of a proxy',
  host: 'they come from this machine for the host of PUBLIC_URL',
  version: 'they come from this machine in HTTP/1.0, which nginx speaks to upstreams'
} as const

/** How to make the rate limits use the client address that the proxy forwards. */
export const proxyRemedy =
  'Have the proxy send X-Forwarded-For, X-Forwarded-Proto and Host, and set TRUST_PROXY to its address: loopback on this machine, uniquelocal in a container network.'

export interface ProxyDetector {
  inspect(request: IncomingMessage): void
}

/** A process logs the proxy once, and updates the stored record daily, so that `doctor` knows that it is current. */
const recordIntervalMs = 24 * 60 * 60 * 1000

/**
 * Detects requests through a proxy that TRUST_PROXY does not name: all visitors then share one rate limit. Reports it
 * in the log, and in the database for `doctor`, which runs in another process.
 */
export function newProxyDetector(db: Database, settings: Settings, log: Log): ProxyDetector {
  const isNamed = settings.trustProxy !== false
  const { publicUrl } = settings
  const siteHost = canHaveLocalCallers(settings) || publicUrl === undefined ? undefined : new URL(publicUrl).host
  let rememberedAt: number | undefined
  /** A proxy shows itself with the first request of a connection. */
  const inspected = new WeakSet<Socket>()
  return {
    inspect: request => {
      if (isNamed || (rememberedAt !== undefined && performance.now() - rememberedAt < recordIntervalMs)) return
      if (inspected.has(request.socket)) return
      inspected.add(request.socket)
      const sign = findSign(request, siteHost)
      if (sign === undefined) return
      if (rememberedAt === undefined) {
        log.warn({ remedy: proxyRemedy }, `requests come through a proxy that is not in TRUST_PROXY: ${sign}`)
      }
      rememberedAt = performance.now()
      rememberProxy(db, sign, new Date()).catch((error: unknown) =>
        log.warn({ err: error }, 'failed to store the detected proxy for doctor')
      )
    }
  }
}

function findSign(request: IncomingMessage, siteHost: string | undefined): string | undefined {
  const peer = request.socket.remoteAddress ?? ''
  if (hasForwardingHeader(request)) return isLoopback(peer) || isPrivate(peer) ? signs.header : undefined
  if (!isLoopback(peer)) return undefined
  if (request.httpVersion === '1.0') return signs.version
  return siteHost !== undefined && request.headers.host === siteHost ? signs.host : undefined
}

/** Private networks, such as those of containers, which proxies share with their upstreams. */
function isPrivate(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  if (!isIPv4(plain)) return /^f[cd]|^fe80:/i.test(plain)
  return /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./.test(plain)
}
