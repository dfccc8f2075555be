import { lookup as lookUpName } from 'node:dns/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { canParseUrl } from './url/parse-url.ts'

export interface FetchOptions {
  /** Whether addresses of this machine or of the network around it are allowed. */
  allowPrivate: boolean
  bytesMax: number
  /** For everything together: DNS, connections, redirects and the last byte. */
  timeoutMs: number
  redirectsMax: number
  accept: string
  /** Headers such as credentials: not sent to another origin after a redirect. */
  headers?: Record<string, string>
}

export interface FetchedResponse {
  status: number
  contentType: string
  bytes: Buffer
  headers: http.IncomingHttpHeaders
  /** The URL at which the redirects ended. */
  url: string
}

export interface PostOptions {
  allowPrivate: boolean
  headers: Record<string, string>
  body: string
  /** Timeouts: until connected, and for everything together. */
  connectMs: number
  timeoutMs: number
  /** How much of the response is read. */
  bytesMax: number
  /** Aborts the request when the process stops. */
  signal?: AbortSignal
}

export interface PostedResponse {
  status: number
  retryAfter: string | undefined
  /** The part of the body that was read. */
  answer: Buffer
}

/** Why a URL that a user gave us was not fetched. Our own response decides how much of it to reveal. */
export class SafeFetchError extends Error {
  readonly reason: 'address' | 'private-address' | 'unreachable' | 'timeout' | 'too-large' | 'redirects'

  constructor(reason: SafeFetchError['reason'], cause?: unknown) {
    super(`The address could not be fetched: ${reason}.`, { cause })
    this.reason = reason
  }
}

/** DNS, and which addresses are public. Tests bring their own. */
export interface NetworkResolver {
  resolve(host: string): Promise<string[]>
  isPublic(address: string): boolean
}

const systemResolver: NetworkResolver = { resolve: resolveHost, isPublic: isPublicAddress }

/** Fetches a URL that a user gave us; every request to such a URL goes through here. */
export async function fetchBytes(
  url: string,
  fetching: FetchOptions,
  world: NetworkResolver = systemResolver
): Promise<FetchedResponse> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), fetching.timeoutMs)
  try {
    let at = parseWebUrl(url)
    const { origin } = at
    for (let redirects = 0; redirects <= fetching.redirectsMax; redirects += 1) {
      const allowed = at.origin === origin ? fetching : { ...fetching, headers: {} }
      const answer = await fetchOnce(at, allowed, world, deadline.signal)
      if (!('location' in answer)) return answer
      at = parseWebUrl(answer.location, at)
    }
    throw new SafeFetchError('redirects')
  } catch (error) {
    if (deadline.signal.aborted) throw new SafeFetchError('timeout', error)
    throw error instanceof SafeFetchError ? error : new SafeFetchError('unreachable', error)
  } finally {
    clearTimeout(timer)
  }
}

/** Sends a POST to a URL that a user gave us. Its own response is what counts: redirects are not followed. */
export async function postBytes(
  url: string,
  posting: PostOptions,
  world: NetworkResolver = systemResolver
): Promise<PostedResponse> {
  const deadline = new AbortController()
  const giveUp = () => deadline.abort()
  const timers = [posting.connectMs, posting.timeoutMs].map(ms => setTimeout(giveUp, ms))
  posting.signal?.addEventListener('abort', giveUp)
  try {
    const request = newRequest(parseWebUrl(url), posting.allowPrivate, world, {
      method: 'POST',
      headers: { ...posting.headers, 'user-agent': 'Kalends', 'content-length': Buffer.byteLength(posting.body) },
      signal: deadline.signal
    })
    request.on('socket', socket =>
      socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timers[0]))
    )
    try {
      const response = await sendRequest(request, posting.body)
      const answer = await readBeginning(response, posting.bytesMax)
      return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], answer }
    } finally {
      request.destroy()
    }
  } catch (error) {
    if (deadline.signal.aborted) throw new SafeFetchError('timeout', error)
    throw error instanceof SafeFetchError ? error : new SafeFetchError('unreachable', error)
  } finally {
    for (const timer of timers) clearTimeout(timer)
    posting.signal?.removeEventListener('abort', giveUp)
  }
}

/** Parsing also normalizes every notation of an IPv4 address (decimal, octal, hexadecimal, short). */
function parseWebUrl(given: string, base?: URL): URL {
  if (!canParseUrl(given, base?.href)) throw new SafeFetchError('address')
  const url = new URL(given, base)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') throw new SafeFetchError('address')
  return url
}

async function fetchOnce(
  url: URL,
  fetching: FetchOptions,
  world: NetworkResolver,
  signal: AbortSignal
): Promise<FetchedResponse | { location: string }> {
  const request = newRequest(url, fetching.allowPrivate, world, {
    headers: { ...fetching.headers, 'user-agent': 'Kalends', accept: fetching.accept, 'accept-encoding': 'identity' },
    signal
  })
  try {
    const response = await sendRequest(request)
    const { statusCode: status = 0, headers } = response
    if (redirectStatuses.has(status) && headers.location !== undefined) {
      // Node reads headers as Latin-1, but servers that do not encode a URL send UTF-8.
      return { location: Buffer.from(headers.location, 'latin1').toString() }
    }
    // Without this, a body that ends with its connection would seem complete when the connection breaks.
    request.on('error', error => response.destroy(error))
    const bytes = await readBytes(response, fetching.bytesMax)
    return { status, contentType: headers['content-type'] ?? '', bytes, headers, url: url.href }
  } finally {
    request.destroy()
  }
}

/** A request that has not been sent: it can only connect to an allowed address. */
function newRequest(
  url: URL,
  allowPrivate: boolean,
  world: NetworkResolver,
  options: http.RequestOptions
): http.ClientRequest {
  const isAllowed = (address: string) => allowPrivate || world.isPublic(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // An IP address needs no lookup, so the lookup below does not check it.
  if (isIP(host) > 0 && !isAllowed(host)) throw new SafeFetchError('private-address')
  const { request: send } = url.protocol === 'https:' ? https : http
  return send(url, {
    ...options,
    // A new connection, never one that was left open by an earlier request.
    agent: false,
    lookup: newCheckedLookup(world, isAllowed)
  })
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Connects to the address that was checked, so a DNS record that changes in between gains nothing. */
function newCheckedLookup(world: NetworkResolver, isAllowed: (address: string) => boolean): LookupFunction {
  return (host, { all }, callback) => {
    const checked = world.resolve(host).then(addresses => {
      // One private address is enough to refuse: it is not ours to choose which one was meant.
      if (!addresses.every(isAllowed)) throw new SafeFetchError('private-address')
      if (addresses.length === 0) throw new SafeFetchError('unreachable')
      return addresses.map(address => ({ address, family: isIP(address) }))
    })
    checked.then(
      addresses => {
        if (all === true) callback(null, addresses)
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      error => callback(error, [])
    )
  }
}

async function resolveHost(host: string): Promise<string[]> {
  return (await lookUpName(host, { all: true })).map(({ address }) => address)
}

async function sendRequest(request: http.ClientRequest, body?: string): Promise<http.IncomingMessage> {
  return await new Promise((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    request.on('close', () => reject(new SafeFetchError('unreachable')))
    request.end(body)
  })
}

/** Reads the body up to a size. The status has told the result, however the body ends. */
async function readBeginning(response: http.IncomingMessage, bytesMax: number): Promise<Buffer> {
  return await new Promise(resolve => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = () => resolve(Buffer.concat(chunks).subarray(0, bytesMax))
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length >= bytesMax) finish()
    })
    response.on('error', finish)
    response.on('close', finish)
  })
}

async function readBytes(response: http.IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > bytesMax) throw new SafeFetchError('too-large')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += chunk.length
    if (length > bytesMax) throw new SafeFetchError('too-large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** True for an address that any host on the internet could reach. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !reserved.check(address)
  // A zone id names an interface of this machine.
  if (family === 0 || address.includes('%')) return false
  if (translated.check(address, 'ipv6')) return !translatedReserved.check(address, 'ipv6')
  return globalUnicast.check(address, 'ipv6') && !globalReserved.check(address, 'ipv6')
}

/** The registry of special-purpose addresses (RFC 6890), and one that clouds use in the midst of the public ones. */
const reservedNetworks: [network: string, bits: number][] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // behind a carrier's NAT
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's own services, for its virtual machines
  ['169.254.0.0', 16], // link-local, with the metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4] // reserved, broadcast
]
const reserved = newBlockList('ipv4', reservedNetworks)

/** IPv6 addresses that contain IPv4 ones: mapped (RFC 4291) and NAT64 (RFC 6052), which IPv6-only networks need. */
const translations = ['::ffff:', '64:ff9b::']
const translated = newBlockList(
  'ipv6',
  translations.map(prefix => [`${prefix}0.0.0.0`, 96])
)
const translatedReserved = newBlockList(
  'ipv6',
  translations.flatMap(prefix => reservedNetworks.map(([network, bits]): Subnet => [prefix + network, 96 + bits]))
)

/** All other IPv6 addresses are loopback, link-local, unique-local, multicast or unassigned. */
const globalUnicast = newBlockList('ipv6', [['2000::', 3]])
const globalReserved = newBlockList('ipv6', [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: given up, and a way to any IPv4 address
  ['3fff::', 20] // documentation
])

type Subnet = [network: string, bits: number]

function newBlockList(family: 'ipv4' | 'ipv6', list: Subnet[]): BlockList {
  const block = new BlockList()
  for (const [network, bits] of list) block.addSubnet(network, bits, family)
  return block
}
