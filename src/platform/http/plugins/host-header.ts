import type { IncomingMessage } from 'node:http'
import fastifyPlugin from 'fastify-plugin'
import type { ProxyDetector } from '../../auth/local-access/untrusted-proxy.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'

/** Refuses requests whose Host header is missing, repeated or malformed; reports an untrusted proxy. */
export const hostHeader = fastifyPlugin(async (app, { proxyDetector }: { proxyDetector: ProxyDetector }) => {
  app.addHook('onRequest', (request, _reply, next) => {
    if (request.isInternal) return next()
    proxyDetector.inspect(request.raw)
    next(hasValidHost(request.raw) ? undefined : newMalformedHostProblem())
  })
})

/** A host name or an address, optionally with a port (RFC 9110, 7.2). Names beyond ASCII come as punycode. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9.])?|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i

/**
 * True if a request has exactly one well-formed Host header. Node keeps the first of two and a proxy may use the
 * second, so that they would assign the request to different sites. Only HTTP/1.0 may omit the header.
 */
function hasValidHost(request: Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'httpVersion'>): boolean {
  const { rawHeaders, headers, httpVersion } = request
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  if (count === 0) return httpVersion === '1.0'
  return count === 1 && isHost(headers.host ?? '')
}

/** Nearly all requests have the same host. */
let lastHost = { host: '', isValid: false }

function isHost(host: string): boolean {
  if (host !== lastHost.host) {
    const match = hostPattern.exec(host)
    lastHost = { host, isValid: match !== null && Number(match[1] ?? 0) <= 65_535 }
  }
  return lastHost.isValid
}

/** Closes the connection: the bytes that follow may have been meant for another recipient. */
const newMalformedHostProblem = () =>
  new Problem(400, 'malformed-host', buildText('request-problems', 'malformedHost'), {
    headers: { connection: 'close' }
  })
