import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { writeZip, type ZipFile } from './zip-writer.ts'

const modifiedAt = new Date('2026-11-16T10:20:30Z')

async function createZip(files: ZipFile[]): Promise<Buffer> {
  async function* all() {
    yield* files
  }
  const parts: Buffer[] = []
  for await (const part of writeZip(all())) parts.push(part)
  return Buffer.concat(parts)
}

test('an archive contains each file unchanged, and a directory with its offset', async () => {
  const files = [
    { name: 'eins.txt', content: Buffer.from('one'), modifiedAt },
    { name: 'Bestätigung 2.txt', content: Buffer.from('zwei'), modifiedAt },
    { name: 'empty', content: Buffer.alloc(0), modifiedAt }
  ]
  const zip = await createZip(files)
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  assert.equal(zip.readUInt16LE(end + 10), 3)
  let at = zip.readUInt32LE(end + 16)
  for (const { name, content } of files) {
    assert.equal(zip.toString('latin1', at, at + 4), 'PK\x01\x02')
    const length = zip.readUInt16LE(at + 28)
    assert.equal(zip.toString('utf8', at + 46, at + 46 + length), name)
    const local = zip.readUInt32LE(at + 42)
    assert.equal(zip.toString('latin1', local, local + 4), 'PK\x03\x04')
    assert.equal(zip.readUInt32LE(local + 14), crc32(content))
    const contentStart = local + 30 + length
    assert.ok(zip.subarray(contentStart, contentStart + zip.readUInt32LE(local + 18)).equals(content))
    at += 46 + length
  }
  assert.equal(at, end)
})

test('more than 65,535 files are counted in the ZIP64 directory', { skip: skipUnlessFull }, async () => {
  const files = Array.from({ length: 65_536 }, (_, index) => ({
    name: `${index}`,
    content: Buffer.alloc(0),
    modifiedAt
  }))
  const zip = await createZip(files)
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  assert.equal(zip.readUInt16LE(end + 10), 0xffff)
  const large = zip.lastIndexOf('PK\x06\x06', undefined, 'latin1')
  assert.equal(zip.readBigUInt64LE(large + 32), 65_536n)
  assert.equal(zip.readBigUInt64LE(zip.lastIndexOf('PK\x06\x07', undefined, 'latin1') + 8), BigInt(large))
})
