import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const bitDepth = 1
const grey = 0

/** Encodes a square black and white image as a 1-bit PNG. `rows` has the dark modules, each `scale` pixels wide. */
export function encodePng(rows: boolean[][], scale: number): Buffer {
  const width = rows.length * scale
  const lineBytes = 1 + Math.ceil(width / 8)
  const pixels = Buffer.alloc(lineBytes * width)
  for (const [y, row] of rows.entries()) {
    const line = encodeLine(row, scale, lineBytes)
    for (let copy = 0; copy < scale; copy += 1) line.copy(pixels, (y * scale + copy) * lineBytes)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  header.writeUInt8(bitDepth, 8)
  header.writeUInt8(grey, 9)
  return Buffer.concat([signature, toChunk('IHDR', header), toChunk('IDAT', deflateSync(pixels)), toChunk('IEND')])
}

/** Begins with filter type 0 (none). A set bit is white. */
function encodeLine(row: boolean[], scale: number, bytes: number): Buffer {
  const line = Buffer.alloc(bytes)
  for (let x = 0; x < row.length * scale; x += 1) {
    if (row[Math.floor(x / scale)] === true) continue
    const index = 1 + (x >> 3)
    line.writeUInt8(line.readUInt8(index) | (0x80 >> (x & 7)), index)
  }
  return line
}

function toChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
