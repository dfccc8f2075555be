import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import type { Text } from '../language.ts'
import { buildText } from '../messages/messages.ts'

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/** Limits of the unpacked files: an archive is untrusted input. */
export interface ZipLimits {
  membersMax: number
  memberBytesMax: number
  allBytesMax: number
}

export type ZipFault = 'broken' | 'encrypted' | 'unsupported' | 'too-many' | 'too-large'

/** The archive cannot be read: what is wrong, in which file of the archive, and the feature that is not supported. */
export class ZipError extends Error {
  readonly fault: ZipFault
  readonly member: string | undefined
  readonly feature: Text | undefined

  constructor(fault: ZipFault, { member, feature }: { member?: string; feature?: Text } = {}) {
    super(`The ZIP archive is ${fault}.`)
    this.fault = fault
    this.member = member
    this.feature = feature
  }
}

/** A file of an archive as described by the central directory; its local header is not trusted. */
export interface Member {
  /** Used for messages and the order only; never as a path. */
  name: string
  isStored: boolean
  crc: number
  start: number
  packedSize: number
  size: number
}

const endSignature = 0x06054b50
const zip64Signature = 0x07064b50
const directorySignature = 0x02014b50
const localSignature = 0x04034b50
const endSize = 22

/** An empty archive consists of the end record only. */
export function isZip(bytes: Buffer): boolean {
  return bytes.length >= 4 && [localSignature, endSignature].includes(bytes.readUInt32LE(0))
}

const directoryEntrySize = 46
const localHeaderSize = 30
const commentLengthMax = 65_535
const nameLengthMax = 100

/** The files of an archive in the order of their names, without folders and macOS metadata. Unpacks nothing yet. */
export function listMembers(bytes: Buffer, limits: ZipLimits): Member[] {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  const directorySize = bytes.readUInt32LE(end + 12)
  const directoryStart = bytes.readUInt32LE(end + 16)
  const isZip64 = end >= 20 && bytes.readUInt32LE(end - 20) === zip64Signature
  if (isZip64 || count === 0xffff || directoryStart === 0xffffffff) throw newUnsupportedError(buildText('zip', 'zip64'))
  const isSplit = bytes.readUInt16LE(end + 4) !== 0 || bytes.readUInt16LE(end + 8) !== count
  if (isSplit) throw newUnsupportedError(buildText('zip', 'partOfSeveral'))
  if (count > limits.membersMax) throw new ZipError('too-many')
  if (directoryStart + directorySize > end) throw new ZipError('broken')

  const members: Member[] = []
  let at = directoryStart
  for (let place = 0; place < count; place += 1) {
    if (at + directoryEntrySize > end || bytes.readUInt32LE(at) !== directorySignature) throw new ZipError('broken')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map(offset => bytes.readUInt16LE(at + offset))
    const next = at + directoryEntrySize + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
    if (next > end) throw new ZipError('broken')
    members.push(readMember(bytes, at, nameLength ?? 0, { directoryStart, bytesMax: limits.memberBytesMax }))
    at = next
  }
  refuseOverlap(members)
  if (members.reduce((sum, { size }) => sum + size, 0) > limits.allBytesMax) throw new ZipError('too-large')
  return members
    .filter(({ name }) => !/[/\\]$|(?:^|\/)__MACOSX\/|(?:^|\/)\.DS_Store$/.test(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : one.start - other.start))
}

/** Searches backwards, because an archive comment can follow the end record. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endSize - commentLengthMax)
  for (let at = bytes.length - endSize; at >= first; at -= 1) {
    const isEnd = bytes.readUInt32LE(at) === endSignature
    if (isEnd && at + endSize + bytes.readUInt16LE(at + 20) === bytes.length) return at
  }
  throw new ZipError('broken')
}

function readMember(
  bytes: Buffer,
  at: number,
  nameLength: number,
  { directoryStart, bytesMax }: { directoryStart: number; bytesMax: number }
): Member {
  const flags = bytes.readUInt16LE(at + 8)
  const method = bytes.readUInt16LE(at + 10)
  const nameBytes = bytes.subarray(at + directoryEntrySize, at + directoryEntrySize + nameLength)
  const encoding = (flags & 0x800) === 0 ? 'latin1' : 'utf8'
  const name = nameBytes.toString(encoding).replaceAll(/\p{C}/gu, '?').slice(0, nameLengthMax).trimEnd().toWellFormed()
  const [packedSize, size, local] = [20, 24, 42].map(offset => bytes.readUInt32LE(at + offset))
  if (packedSize === undefined || size === undefined || local === undefined) throw new ZipError('broken')
  if ((flags & 0x41) !== 0) throw new ZipError('encrypted', { member: name })
  if (method !== 0 && method !== 8) {
    throw newUnsupportedError(buildText('zip', 'compressionMethod', { method }), name)
  }
  if ([packedSize, size, local].includes(0xffffffff)) throw newUnsupportedError(buildText('zip', 'zip64'), name)
  if (Math.max(size, packedSize) > bytesMax) throw new ZipError('too-large', { member: name })
  if (local + localHeaderSize > directoryStart || bytes.readUInt32LE(local) !== localSignature) {
    throw new ZipError('broken', { member: name })
  }
  // Only the local header has the offset of the data.
  const start = local + localHeaderSize + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  if (start + packedSize > directoryStart || (method === 0 && packedSize !== size))
    throw new ZipError('broken', { member: name })
  return { name, isStored: method === 0, crc: bytes.readUInt32LE(at + 16), start, packedSize, size }
}

/** Overlapping files would unpack to far more than the archive size (ZIP bomb). */
function refuseOverlap(members: Member[]): void {
  const inOrder = members.toSorted((one, other) => one.start - other.start)
  for (const [place, { start, packedSize }] of inOrder.entries()) {
    const next = inOrder[place + 1]
    if (next !== undefined && start + packedSize + localHeaderSize > next.start)
      throw new ZipError('broken', { member: next.name })
  }
}

/** Stops as soon as the output exceeds the size in the directory. */
export async function unpackMember(bytes: Buffer, { isStored, crc, start, packedSize, size }: Member): Promise<Buffer> {
  const packed = bytes.subarray(start, start + packedSize)
  const unpacked = isStored ? packed : await inflateUpTo(packed, size)
  if (unpacked.length !== size || crc32(unpacked) !== crc) throw new ZipError('broken')
  return unpacked
}

async function inflateUpTo(packed: Buffer, size: number): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!/^Z_|^ERR_BUFFER_TOO_LARGE$/.test(code)) throw error
    throw new ZipError('broken')
  }
}

const newUnsupportedError = (feature: Text, member?: string) =>
  new ZipError('unsupported', member === undefined ? { feature } : { feature, member })
