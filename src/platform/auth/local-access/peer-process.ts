import { createReadStream } from 'node:fs'
import { isIPv4, Socket } from 'node:net'
import { endianness } from 'node:os'

/** Columns of a line of /proc/net/tcp. */
const uidColumn = 7
const inodeColumn = 9
/** The uid that the kernel shows for users outside our user namespace: it may be any user. */
const overflowUid = 65_534

/** Cached per connection, because a connection belongs to one process for its whole life. */
const known = new WeakMap<Socket, Promise<boolean>>()
/** Tables are read one after another, so that many new connections do not occupy the thread pool. */
let lastRead: Promise<unknown> = Promise.resolve()

/**
 * True if the peer of a loopback connection is a process of our own user or of root. Only Linux can tell: there, a peer
 * that is not found is refused. Other systems rely on the other signs of a local caller.
 */
export async function isPeerOwnUser(socket: Socket): Promise<boolean> {
  // No socket: the request comes from this process itself (`app.inject`).
  if (!(socket instanceof Socket) || process.platform !== 'linux') return true
  let answer = known.get(socket)
  if (answer === undefined) {
    answer = lastRead.then(async () => await findPeerUid(socket)).then(isOwnUid)
    lastRead = answer
    known.set(socket, answer)
  }
  return await answer
}

function isOwnUid(uid: number | undefined): boolean {
  return uid !== undefined && uid !== overflowUid && (uid === 0 || uid === process.getuid?.())
}

/** The uid of the peer's socket, which has our two ends swapped; undefined if it is not found or there is no table. */
export async function findPeerUid(
  { remoteAddress, remotePort, localAddress, localPort }: Socket,
  tables = ['/proc/net/tcp', '/proc/net/tcp6']
): Promise<number | undefined> {
  if (remoteAddress === undefined || remotePort === undefined) return undefined
  if (localAddress === undefined || localPort === undefined) return undefined
  // A client may reach an IPv4 address through an IPv6 socket, which the second table lists as a mapped address.
  const forms: ((address: string) => string | undefined)[] = [toIPv4Hex, toIPv6Hex]
  for (const [index, table] of tables.entries()) {
    const [from, to] = [forms[index]?.(remoteAddress), forms[index]?.(localAddress)]
    if (from === undefined || to === undefined) continue
    const line = await findLine(table, ` ${from}:${toPortHex(remotePort)} ${to}:${toPortHex(localPort)} `)
    if (line !== undefined) return readUid(line)
  }
  return undefined
}

/** A socket that its process has already closed has no inode, and the kernel lists it as root's, whoever opened it. */
function readUid(line: string): number | undefined {
  const columns = line.trim().split(/\s+/)
  return columns[inodeColumn] === undefined || columns[inodeColumn] === '0' ? undefined : Number(columns[uidColumn])
}

async function findLine(table: string, wanted: string): Promise<string | undefined> {
  let rest = ''
  try {
    for await (const chunk of createReadStream(table, 'latin1')) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      const found = lines.find(line => line.includes(wanted))
      if (found !== undefined) return found
    }
  } catch {
    // If the table cannot be read, no caller is local; the setup token still works.
    return undefined
  }
  return undefined
}

function toIPv4Hex(address: string): string | undefined {
  const plain = address.replace(/^::ffff:/i, '')
  return isIPv4(plain) ? toWords(Buffer.from(plain.split('.').map(Number))) : undefined
}

/** Only IPv4-mapped addresses and ::1 can be loopback, so other IPv6 addresses are skipped. */
function toIPv6Hex(address: string): string | undefined {
  const bytes = Buffer.alloc(16)
  const plain = address.replace(/^::ffff:/i, '')
  if (isIPv4(plain)) {
    bytes.fill(0xff, 10, 12)
    bytes.set(plain.split('.').map(Number), 12)
  } else if (address === '::1') bytes[15] = 1
  else return undefined
  return toWords(bytes)
}

/** The kernel prints addresses as 32-bit words in host byte order. */
function toWords(bytes: Buffer): string {
  return (endianness() === 'LE' ? Buffer.from(bytes).swap32() : bytes).toString('hex').toUpperCase()
}

const toPortHex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
