import { crc32 } from 'node:zlib'

export interface ZipFile {
  name: string
  content: Buffer
  modifiedAt: Date
}

/** Above these limits the ZIP64 fields are used. */
const filesMax = 0xffff
const bytesMax = 0xffffffff

/**
 * Streams files into a ZIP archive one at a time; only the central directory stays in memory. Files are stored
 * uncompressed, because what we pack (PDF) is already compressed.
 */
export async function* writeZip(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content, modifiedAt } of files) {
    const encoded = Buffer.from(name, 'utf8')
    const about = buildFileFields(encoded, content, modifiedAt)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, encoded])
    directory.push(buildDirectoryEntry(about, encoded, offset))
    offset += local.length + content.length
    yield local
    yield content
  }
  const entries = Buffer.concat(directory)
  yield entries
  yield buildEndRecord({ count: directory.length, size: entries.length, offset })
}

/** The fields that a local file header and its directory entry share. */
function buildFileFields(name: Buffer, content: Buffer, modifiedAt: Date): Buffer {
  const about = Buffer.alloc(26)
  about.writeUInt16LE(20, 0)
  // Flag: the name is UTF-8.
  about.writeUInt16LE(0x0800, 2)
  about.writeUInt16LE(0, 4)
  about.writeUInt32LE(toDosTime(modifiedAt), 6)
  about.writeUInt32LE(crc32(content), 10)
  about.writeUInt32LE(content.length, 14)
  about.writeUInt32LE(content.length, 18)
  about.writeUInt16LE(name.length, 22)
  about.writeUInt16LE(0, 24)
  return about
}

function buildDirectoryEntry(about: Buffer, name: Buffer, offset: number): Buffer {
  const isFar = offset >= bytesMax
  const extra = Buffer.alloc(isFar ? 12 : 0)
  if (isFar) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(offset), 4)
  }
  const head = Buffer.alloc(46)
  head.write('PK\x01\x02', 'latin1')
  head.writeUInt16LE(isFar ? 45 : 20, 4)
  about.copy(head, 6)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt32LE(isFar ? bytesMax : offset, 42)
  return Buffer.concat([head, name, extra])
}

function buildEndRecord({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(count, filesMax), 8)
  end.writeUInt16LE(Math.min(count, filesMax), 10)
  end.writeUInt32LE(Math.min(size, bytesMax), 12)
  end.writeUInt32LE(Math.min(offset, bytesMax), 16)
  if (count < filesMax && size < bytesMax && offset < bytesMax) return end
  const large = Buffer.alloc(76)
  large.write('PK\x06\x06', 'latin1')
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(45, 12)
  large.writeUInt16LE(45, 14)
  large.writeBigUInt64LE(BigInt(count), 24)
  large.writeBigUInt64LE(BigInt(count), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  large.write('PK\x06\x07', 56, 'latin1')
  large.writeBigUInt64LE(BigInt(offset + size), 64)
  large.writeUInt32LE(1, 72)
  return Buffer.concat([large, end])
}

/** DOS date and time, in UTC, from 1980 on. */
function toDosTime(moment: Date): number {
  const year = Math.max(moment.getUTCFullYear() - 1980, 0)
  const day = (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}
