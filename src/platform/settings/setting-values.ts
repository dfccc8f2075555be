import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { parseSender } from '../email-address.ts'
import { canParseUrl } from '../url/parse-url.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** `auto` means text on a terminal, and JSON lines anywhere else. */
export const logFormats = ['auto', 'json', 'text'] as const
export type LogFormat = (typeof logFormats)[number]

export const logAddresses = ['network', 'full', 'none'] as const
export type LogAddresses = (typeof logAddresses)[number]

/** `auto` means one for each processor that this process may use. */
export function parseProcessCount(given: string): number | undefined {
  if (given === 'auto') return availableParallelism()
  return /^[1-9]\d{0,2}$/.test(given) && Number(given) <= 256 ? Number(given) : undefined
}

export const parseBoolean = (given: string) => (given === 'true' ? true : given === 'false' ? false : undefined)

/** Without commas, because they separate several secrets. */
export const parseSecret = (given: string) => (given.length >= 32 && !given.includes(',') ? given : undefined)

export function parseSecrets(given: string): string[] | undefined {
  const list = given.split(',').map(part => part.trim())
  return list.every(secret => parseSecret(secret) !== undefined) ? list : undefined
}

export function parseHost(given: string): string | undefined {
  return isIP(given) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(given) ? given : undefined
}

export function parsePostgresUrl(given: string): string | undefined {
  return canParseUrl(given) && /^postgres(ql)?:$/.test(new URL(given).protocol) ? given : undefined
}

export function parseWebUrl(given: string): string | undefined {
  if (!canParseUrl(given)) return undefined
  const url = new URL(given)
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return undefined
  return url.href.replace(/(?<!\/)\/+$/, '')
}

export const issuerRule =
  'must be the https:// address of the provider without query, and not that of its /.well-known/ document (http:// only on this machine).'

/** Exactly as the provider spells it: an identity belongs to this very text, including a slash at the end. */
export function parseIssuerUrl(given: string): string | undefined {
  if (!canParseUrl(given) || given.includes('/.well-known/')) return undefined
  const { protocol, hostname, search, hash, username, password } = new URL(given)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')))
  return isSafe && `${search}${hash}${username}${password}` === '' ? given : undefined
}

export const parseLine = (given: string) => (/^[^\p{Cc}]{1,60}$/u.test(given) ? given : undefined)

export function parseSmtpUrl(given: string): string | undefined {
  if (!canParseUrl(given)) return undefined
  const url = new URL(given)
  const tls = url.searchParams.get('tls')
  const isKnown = [...url.searchParams.keys()].every(name => name === 'tls')
  if (!/^smtps?:$/.test(url.protocol) || url.hostname === '' || !isKnown) return undefined
  if (tls !== null && !['required', 'off', 'unverified'].includes(tls)) return undefined
  return isDecodable(url.username) && isDecodable(url.password) ? given : undefined
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

export function parseMailFrom(given: string): string | undefined {
  return parseSender(given) === undefined ? undefined : given
}

/** The usual spelling of the name of a time zone; undefined if there is no such zone. */
export function parseTimeZone(given: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The code of a currency that has cents. */
export function parseCurrencyCode(given: string): string | undefined {
  if (!Intl.supportedValuesOf('currency').includes(given)) return undefined
  // Amounts have cents everywhere.
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: given
  }).resolvedOptions()
  return maximumFractionDigits === 2 ? given : undefined
}

export function parseTrustProxy(given: string): boolean | number | string[] | undefined {
  const word = parseBoolean(given)
  if (word !== undefined) return word
  if (/^\d{1,2}$/.test(given)) return Number(given)
  const addresses = given.split(',').map(part => part.trim())
  const known = (address: string) => ['loopback', 'linklocal', 'uniquelocal'].includes(address) || isNetwork(address)
  return addresses.every(known) ? addresses : undefined
}

/** An IP address, or a network as an address with the number of its bits. */
function isNetwork(given: string): boolean {
  const [address = '', bits = '32', ...rest] = given.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  return isIP(address) > 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most && rest.length === 0
}

export function parseOrigins(given: string): string[] | undefined {
  const list = given.split(',').map(part => part.trim())
  const isOrigin = (origin: string) => origin === '*' || (canParseUrl(origin) && new URL(origin).origin === origin)
  return list.every(isOrigin) ? list : undefined
}

/** True for an address of this machine that is reachable from nowhere else. */
export function isLoopback(host: string): boolean {
  return (
    host === '127.0.0.1' ||
    host === 'localhost' ||
    host === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(host) ||
    /^::ffff:127\./.test(host)
  )
}
