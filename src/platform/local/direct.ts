import type { IncomingMessage } from 'node:http'
import { isLoopback, type Settings } from '../config.ts'
import { getHttpVersion } from '../inside.ts'

export type DirectRequest = Pick<IncomingMessage, 'headers' | 'socket' | 'httpVersion'>

const forwardingHeaders = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip']

/**
 * Whether a loopback address says anything about the caller. Behind a proxy everybody's connection comes from loopback, so
 * nothing may rest on it unless both the listening address and the public address are this machine's own.
 */
export function canHaveLocalCallers(settings: Address): boolean {
  let answer = answers.get(settings)
  if (answer === undefined) {
    const { host, publicUrl } = settings
    answer = isLoopback(host) && (publicUrl === undefined || isLoopback(withoutBrackets(new URL(publicUrl).hostname)))
    answers.set(settings, answer)
  }
  return answer
}

type Address = Pick<Settings, 'host' | 'publicUrl'>

/** Asked for every request, and neither setting changes while a process runs. */
const answers = new WeakMap<Address, boolean>()

/**
 * A request from this machine that shows no sign of a proxy. Not HTTP/1.0, which no client of today speaks by itself but
 * nginx speaks to upstreams by default; and for a loopback name, because proxies may pass the name of the site on.
 */
export function isDirect(request: DirectRequest, settings: Address): boolean {
  return (
    canHaveLocalCallers(settings) &&
    isLoopback(request.socket.remoteAddress ?? '') &&
    getHttpVersion(request) === '1.1' &&
    isLoopback(withoutBrackets((request.headers.host ?? '').replace(/:\d+$/, ''))) &&
    !hasForwardingHeader(request)
  )
}

export function hasForwardingHeader({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  for (const name in headers) {
    if (name.startsWith('x-forwarded') || forwardingHeaders.includes(name)) return true
  }
  return false
}

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')
