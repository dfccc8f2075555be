import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { isLoopback } from '../settings/setting-values.ts'
import { getHttpVersion } from './internal-client.ts'

export type RequestConnection = Pick<IncomingMessage, 'headers' | 'socket' | 'httpVersion'>

const forwardingHeaders = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip']

/**
 * Whether a loopback address identifies a local caller. Behind a proxy every connection comes from loopback, so it
 * counts only if both the listening address and the public address are this machine's own.
 */
export function canHaveLocalCallers(settings: ListenSettings): boolean {
  if (settings !== lastSettings?.settings) {
    const { host, publicUrl } = settings
    const isOwn =
      isLoopback(host) && (publicUrl === undefined || isLoopback(stripBrackets(new URL(publicUrl).hostname)))
    lastSettings = { settings, isOwn }
  }
  return lastSettings.isOwn
}

type ListenSettings = Pick<Settings, 'host' | 'publicUrl'>

/** Needed for every request, and neither setting changes while a process runs. */
let lastSettings: { settings: ListenSettings; isOwn: boolean } | undefined

/**
 * True for a request from this machine without any sign of a proxy. HTTP/1.0 does not count: no client of today speaks
 * it by itself, but nginx speaks it to upstreams by default. The Host must be a loopback name, because proxies may pass
 * the name of the site on.
 */
export function isLocalRequest(request: RequestConnection, settings: ListenSettings): boolean {
  return (
    canHaveLocalCallers(settings) &&
    isLoopback(request.socket.remoteAddress ?? '') &&
    getHttpVersion(request) === '1.1' &&
    isLoopbackHost(request.headers.host ?? '') &&
    !hasForwardingHeader(request)
  )
}

export function hasForwardingHeader({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  for (const name in headers) {
    if (name.startsWith('x-forwarded') || forwardingHeaders.includes(name)) return true
  }
  return false
}

const stripBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** Nearly all requests have the same Host, so that the answer for the last one is kept. */
let lastHost = { host: '', isLoopback: false }

function isLoopbackHost(host: string): boolean {
  if (host !== lastHost.host) lastHost = { host, isLoopback: isLoopback(stripBrackets(host.replace(/:\d+$/, ''))) }
  return lastHost.isLoopback
}

/** An IPv6 client has a whole network of addresses, so we use the first half, which identifies the household. */
export function getRateLimitKey({ ip }: FastifyRequest): string {
  return ip.includes(':') && !ip.startsWith('::ffff:') ? expandIpv6Prefix(ip) : ip
}

export function expandIpv6Prefix(ip: string): string {
  const [head = '', tail] = ip.split('::', 2)
  const before = head.split(':').filter(part => part !== '')
  const after = tail === undefined ? [] : tail.split(':').filter(part => part !== '')
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
