import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { StatementFileProblem } from './file-problems.ts'
import { truncate } from './values.ts'

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/** Banks put one file per account and day into an archive; a year of one account fits. */
const membersMax = 500
/** The same limit as for a single file; the sum can be slightly larger. */
const memberBytesMax = 50 * 1024 * 1024
const allBytesMax = 100 * 1024 * 1024

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

/** The files of an archive in the order of their names, without folders and macOS metadata. Unpacks nothing yet. */
export function listMembers(bytes: Buffer): Member[] {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  const directorySize = bytes.readUInt32LE(end + 12)
  const directoryStart = bytes.readUInt32LE(end + 16)
  const isZip64 = end >= 20 && bytes.readUInt32LE(end - 20) === zip64Signature
  if (isZip64 || count === 0xffff || directoryStart === 0xffffffff) throw newZipUnsupportedProblem('ZIP64')
  const isSplit = bytes.readUInt16LE(end + 4) !== 0 || bytes.readUInt16LE(end + 8) !== count
  if (isSplit) throw newZipUnsupportedProblem('a part of several', 'ein Teil von mehreren')
  if (count > membersMax) throw newTooManyMembersProblem()
  if (directoryStart + directorySize > end) throw newZipDamagedProblem()

  const members: Member[] = []
  let at = directoryStart
  for (let place = 0; place < count; place += 1) {
    if (at + directoryEntrySize > end || bytes.readUInt32LE(at) !== directorySignature) throw newZipDamagedProblem()
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map(offset => bytes.readUInt16LE(at + offset))
    const next = at + directoryEntrySize + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
    if (next > end) throw newZipDamagedProblem()
    members.push(readMember(bytes, at, nameLength ?? 0, directoryStart))
    at = next
  }
  refuseOverlap(members)
  if (members.reduce((sum, { size }) => sum + size, 0) > allBytesMax) throw newZipTooLargeProblem()
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
  throw newZipDamagedProblem()
}

function readMember(bytes: Buffer, at: number, nameLength: number, directoryStart: number): Member {
  const flags = bytes.readUInt16LE(at + 8)
  const method = bytes.readUInt16LE(at + 10)
  const nameBytes = bytes.subarray(at + directoryEntrySize, at + directoryEntrySize + nameLength)
  const name = truncate(nameBytes.toString((flags & 0x800) === 0 ? 'latin1' : 'utf8').replaceAll(/\p{C}/gu, '?'), 100)
  const [packedSize, size, local] = [20, 24, 42].map(offset => bytes.readUInt32LE(at + offset))
  if (packedSize === undefined || size === undefined || local === undefined) throw newZipDamagedProblem()
  if ((flags & 0x41) !== 0) throw newZipEncryptedProblem().inMember(name)
  if (method !== 0 && method !== 8) {
    throw newZipUnsupportedProblem(`compression method ${method}`, `Kompressionsverfahren ${method}`).inMember(name)
  }
  if ([packedSize, size, local].includes(0xffffffff)) throw newZipUnsupportedProblem('ZIP64').inMember(name)
  if (size > memberBytesMax || packedSize > memberBytesMax) throw newZipTooLargeProblem().inMember(name)
  if (local + localHeaderSize > directoryStart || bytes.readUInt32LE(local) !== localSignature) {
    throw newZipDamagedProblem().inMember(name)
  }
  // Only the local header has the offset of the data.
  const start = local + localHeaderSize + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  if (start + packedSize > directoryStart || (method === 0 && packedSize !== size))
    throw newZipDamagedProblem().inMember(name)
  return { name, isStored: method === 0, crc: bytes.readUInt32LE(at + 16), start, packedSize, size }
}

/** Overlapping files would unpack to far more than the archive size (ZIP bomb). */
function refuseOverlap(members: Member[]): void {
  const inOrder = members.toSorted((one, other) => one.start - other.start)
  for (const [place, { start, packedSize }] of inOrder.entries()) {
    const next = inOrder[place + 1]
    if (next !== undefined && start + packedSize + localHeaderSize > next.start)
      throw newZipDamagedProblem().inMember(next.name)
  }
}

/** Stops as soon as the output exceeds the size in the directory. */
export async function unpackMember(bytes: Buffer, { isStored, crc, start, packedSize, size }: Member): Promise<Buffer> {
  const packed = bytes.subarray(start, start + packedSize)
  const unpacked = isStored ? packed : await inflateUpTo(packed, size)
  if (unpacked.length !== size || crc32(unpacked) !== crc) throw newZipDamagedProblem()
  return unpacked
}

async function inflateUpTo(packed: Buffer, size: number): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!/^Z_|^ERR_BUFFER_TOO_LARGE$/.test(code)) throw error
    throw newZipDamagedProblem()
  }
}

const newZipDamagedProblem = () =>
  new StatementFileProblem('zip-broken', {
    en: 'The ZIP file is damaged or cut off. Download it again from your bank. Nothing was imported.',
    de: 'Die ZIP-Datei ist beschädigt oder abgeschnitten. Laden Sie sie neu bei Ihrer Bank herunter. Es wurde nichts importiert.'
  })

const newZipEncryptedProblem = () =>
  new StatementFileProblem('zip-encrypted', {
    en: 'The file in the ZIP is protected by a password. Unpack it and import it by itself.',
    de: 'Die Datei in der ZIP-Datei ist durch ein Passwort geschützt. Entpacken Sie sie und importieren Sie sie einzeln.'
  })

const newZipUnsupportedProblem = (en: string, de = en) =>
  new StatementFileProblem('zip-unsupported', {
    en: `This kind of ZIP file is not supported (${en}). Unpack it and import the files one by one.`,
    de: `Diese Art von ZIP-Datei wird nicht unterstützt (${de}). Entpacken Sie sie und importieren Sie die Dateien einzeln.`
  })

const newTooManyMembersProblem = () =>
  new StatementFileProblem('zip-too-large', {
    en: `A ZIP file may have at most ${membersMax} files. Import it in parts.`,
    de: `Eine ZIP-Datei darf höchstens ${membersMax} Dateien haben. Importieren Sie sie in Teilen.`
  })

const newZipTooLargeProblem = () =>
  new StatementFileProblem('zip-too-large', {
    en: 'Unpacked, a file may have at most 50 MB, and all files of a ZIP together 100 MB. Import them in parts.',
    de: 'Entpackt darf eine Datei höchstens 50 MB haben, und alle Dateien einer ZIP-Datei zusammen 100 MB. Importieren Sie sie in Teilen.'
  })
