import { drawRandomBytes } from './random-bytes.ts'

/** If the clock steps back by less than this, ids still increase; older times are intended, as in sample content. */
const stepBackMs = 1000

let lastMs = 0
let counter = 0

/** A UUID of version 7: it begins with the time, so newer ones sort behind older ones, also within a millisecond. */
export function newUuidV7(nowMs: number): string {
  const bytes = drawRandomBytes(16)
  let timeMs = nowMs
  let low = bytes.readUInt16BE(6) & 0x0fff
  if (nowMs > lastMs) {
    lastMs = nowMs
    low &= 0x07ff
    counter = low
  } else if (lastMs - nowMs < stepBackMs) {
    counter += 1
    if (counter > 0x0fff) {
      lastMs += 1
      counter = 0
    }
    timeMs = lastMs
    low = counter
  }

  bytes.writeUIntBE(timeMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | low, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
