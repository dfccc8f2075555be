import { isIPv6 } from 'node:net'

/** A network that contains an address, and its limit of wrong attempts per minute. */
export interface Network {
  prefix: string
  perMinute: number
}

/**
 * The networks of an address, narrowest first. An IPv6 user has at least a /64, customers of many providers have a /56
 * and companies a /48; rented IPv4 addresses are often adjacent. The wider a network, the more people may share it.
 */
export function listNetworks(ip: string): Network[] {
  const groups = parseIPv6(ip)
  if (groups === undefined) {
    const plain = ip.replace(/^::ffff:/i, '')
    const parts = plain.split('.')
    return [
      { prefix: plain, perMinute: 10 },
      ...(parts.length === 4 ? [{ prefix: `${parts.slice(0, 3).join('.')}.0/24`, perMinute: 40 }] : [])
    ]
  }
  const [a = 0, b = 0, c = 0, d = 0] = groups
  const spell = (...parts: number[]) => parts.map(part => part.toString(16)).join(':')
  return [
    { prefix: `${spell(a, b, c, d)}::/64`, perMinute: 10 },
    { prefix: `${spell(a, b, c, d & 0xff00)}::/56`, perMinute: 20 },
    { prefix: `${spell(a, b, c)}::/48`, perMinute: 40 }
  ]
}

/** The widest network: the same for a client that changes its address at will, and no longer personal data. */
export function getWidestNetwork(ip: string): string {
  return listNetworks(ip).at(-1)?.prefix ?? ip
}

/** The eight groups; undefined for IPv4 and for IPv4-mapped addresses. */
function parseIPv6(ip: string): number[] | undefined {
  const [plain = ''] = ip.split('%', 1)
  if (!isIPv6(plain) || /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(plain)) return undefined
  const [head = '', tail] = plain.split('::', 2)
  const before = head.split(':').filter(part => part !== '')
  const after = (tail ?? '').split(':').filter(part => part !== '')
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].map(part => Number.parseInt(part, 16))
}
