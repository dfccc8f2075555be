// Builds valid ZIP archives, and archives with wrong headers.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipMember {
  name: string
  content: Buffer | string
  /** Stored without compression; otherwise deflated. */
  isStored?: boolean
  /** The sizes follow the content, as in archives that are written as a stream. */
  hasDescriptor?: boolean
  /** Wrong values in the headers and the directory, in place of the real ones. */
  told?: { method?: number; flags?: number; size?: number; packedSize?: number; crc?: number; offset?: number }
}

export function buildZip(members: ZipMember[], comment = ''): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, isStored = false, hasDescriptor = false, told = {} } of members) {
    const bytes = Buffer.from(content)
    const packed = isStored ? bytes : deflateRawSync(bytes)
    const flags = told.flags ?? (hasDescriptor ? 0x808 : 0x800)
    const method = told.method ?? (isStored ? 0 : 8)
    const [crc, size, packedSize] = [
      told.crc ?? crc32(bytes),
      told.size ?? bytes.length,
      told.packedSize ?? packed.length
    ]
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50)
    header.writeUInt16LE(20, 4)
    header.writeUInt16LE(flags, 6)
    header.writeUInt16LE(method, 8)
    header.writeUInt32LE(hasDescriptor ? 0 : crc, 14)
    header.writeUInt32LE(hasDescriptor ? 0 : packedSize, 18)
    header.writeUInt32LE(hasDescriptor ? 0 : size, 22)
    header.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(crc, 16)
    entry.writeUInt32LE(packedSize, 20)
    entry.writeUInt32LE(size, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(told.offset ?? offset, 42)
    directory.push(entry, Buffer.from(name))
    const descriptor = Buffer.alloc(hasDescriptor ? 16 : 0)
    if (hasDescriptor) {
      descriptor.writeUInt32LE(0x08074b50)
      descriptor.writeUInt32LE(crc, 4)
      descriptor.writeUInt32LE(packedSize, 8)
      descriptor.writeUInt32LE(size, 12)
    }
    pieces.push(header, Buffer.from(name), packed, descriptor)
    offset = pieces.reduce((sum, { length }) => sum + length, 0)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12
  )
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(Buffer.byteLength(comment), 20)
  return Buffer.concat([...pieces, ...directory, end, Buffer.from(comment)])
}
