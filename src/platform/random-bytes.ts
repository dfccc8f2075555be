import { randomBytes } from 'node:crypto'

/** Drawn in bulk, because each draw costs more than the bytes. A used pool is replaced, so that no byte is returned twice. */
const poolBytes = 4096
let pool = Buffer.alloc(0)
let offset = 0

/** Random bytes for ids, nonces and tokens, which every donation needs several of. */
export function drawRandomBytes(count: number): Buffer {
  if (offset + count > pool.length) {
    pool = randomBytes(Math.max(poolBytes, count))
    offset = 0
  }
  offset += count
  return pool.subarray(offset - count, offset)
}
