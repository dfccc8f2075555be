import type { FileHandle } from 'node:fs/promises'

/** A file inside an archive, and the position of its bytes. */
export interface TarMember {
  name: string
  offset: number
  size: number
}

const blockBytes = 512

/** Builds a POSIX ustar entry: header, content, and zeros up to the next full block. */
export function buildTarMember(name: string, content: Buffer, modified: Date): Buffer[] {
  const padding = (blockBytes - (content.length % blockBytes)) % blockBytes
  return [buildTarHeader(name, content.length, modified), content, Buffer.alloc(padding)]
}

/** Two empty blocks mark the end of a tar file. */
export const tarEnd = Buffer.alloc(2 * blockBytes)

function buildTarHeader(name: string, size: number, modified: Date): Buffer {
  const header = Buffer.alloc(blockBytes)
  const write = (text: string, at: number, length: number) => {
    if (Buffer.byteLength(text) > length) throw new Error(`Too long for tar: ${text}`)
    header.write(text, at)
  }
  const octal = (number: number, length: number) => `${number.toString(8).padStart(length - 1, '0')}\0`
  write(name, 0, 100)
  // An archive holds personal data: only the user who unpacks it may read the files.
  write(octal(0o600, 8), 100, 8)
  write(octal(0, 8), 108, 8)
  write(octal(0, 8), 116, 8)
  write(octal(size, 12), 124, 12)
  write(octal(Math.floor(modified.getTime() / 1000), 12), 136, 12)
  write('        ', 148, 8)
  write('0', 156, 1)
  write('ustar\x0000', 257, 8)
  write(`${computeChecksum(header).toString(8).padStart(6, '0')}\0 `, 148, 8)
  return header
}

/** Sum of all header bytes, with the checksum field itself counted as spaces. */
function computeChecksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

/** The file is not a tar file, or it is truncated. */
export class IncompleteArchiveError extends Error {}

/** Lists the files in their order. Skips folders and other entries that repacking with another tar may have added. */
export async function listMembers(file: FileHandle): Promise<TarMember[]> {
  const { size: end } = await file.stat()
  const members: TarMember[] = []
  const header = Buffer.alloc(blockBytes)
  let at = 0
  for (;;) {
    const { bytesRead } = await file.read(header, 0, blockBytes, at)
    if (bytesRead < blockBytes) throw new IncompleteArchiveError('it is truncated')
    if (header.every(byte => byte === 0)) return members
    if (header.toString('latin1', 257, 262) !== 'ustar' || computeChecksum(header) !== readOctal(header, 148, 8)) {
      throw new IncompleteArchiveError(at === 0 ? 'it is not an archive of Kalends' : `it is damaged at byte ${at}`)
    }
    const size = readOctal(header, 124, 12)
    const offset = at + blockBytes
    at = offset + Math.ceil(size / blockBytes) * blockBytes
    if (at > end) throw new IncompleteArchiveError('it is truncated')
    const isFile = header[156] === 0x30 || header[156] === 0
    if (isFile) members.push({ name: readText(header, 0, 100).replace(/^\.\//, ''), offset, size })
  }
}

export async function readMember(file: FileHandle, { name, offset, size }: TarMember): Promise<Buffer> {
  const content = Buffer.alloc(size)
  const { bytesRead } = await file.read(content, 0, size, offset)
  if (bytesRead < size) throw new IncompleteArchiveError(`${name} is truncated`)
  return content
}

function readText(header: Buffer, at: number, length: number): string {
  const field = header.toString('utf8', at, at + length)
  const end = field.indexOf('\0')
  return end < 0 ? field : field.slice(0, end)
}

function readOctal(header: Buffer, at: number, length: number): number {
  const digits = readText(header, at, length).trim()
  return /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN
}
