import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { startObjectStore } from '#test/support/object-store.ts'
import { newObjectStore, ObjectStoreError } from './s3.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-s3-'))
const store = await startObjectStore()
after(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})
const file = join(folder, 'small')
await writeFile(file, 'content')

test('a small file is uploaded in one request, and can be listed and deleted', async () => {
  const objects = newObjectStore(store.settings)
  await objects.upload(file, 'one.backup')
  assert.equal(store.objects.get('test-bucket/backups/one.backup')?.toString(), 'content')
  store.objects.set('test-bucket/elsewhere/x', Buffer.from('of another program'))
  assert.deepEqual(await objects.list(), ['one.backup'])
  await objects.remove('one.backup')
  assert.deepEqual(await objects.list(), [])
  assert.ok(store.objects.has('test-bucket/elsewhere/x'))
})

test('a large file is uploaded in parts, unchanged', { skip: skipUnlessFull }, async () => {
  const large = join(folder, 'large')
  const content = randomBytes(33 * 1024 * 1024)
  await writeFile(large, content)
  await newObjectStore(store.settings).upload(large, 'large.backup')
  assert.ok(store.objects.get('test-bucket/backups/large.backup')?.equals(content))
  const parts = store.requests.filter(line => line === 'PUT test-bucket/backups/large.backup partNumber uploadId')
  assert.equal(parts.length, 3)
  store.objects.clear()
})

test('lists of several pages are complete', async () => {
  const names = Array.from({ length: 8 }, (_, number) => `kalends-${number}.backup`)
  for (const name of names) store.objects.set(`test-bucket/backups/${name}`, Buffer.from(name))
  assert.deepEqual(await newObjectStore(store.settings).list(), names)
  store.objects.clear()
})

test('an error of the object store is thrown with its code, without the secret', async () => {
  const { settings } = store
  for (const [changed, code] of [
    [{ secretAccessKey: 'another-secret' }, 'SignatureDoesNotMatch'],
    [{ accessKeyId: 'SOMEBODY' }, 'InvalidAccessKeyId'],
    [{ region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
    [{ bucket: 'no-such-bucket' }, 'NoSuchBucket']
  ] as const) {
    await assert.rejects(newObjectStore({ ...settings, ...changed }).upload(file, 'x'), error => {
      assert.ok(error instanceof ObjectStoreError)
      assert.match(
        error.message,
        new RegExp(`^cannot store backups/x in http://127\\.0\\.0\\.1:\\d+/[a-z-]+: ${code} \\(40\\d\\): `)
      )
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  }
  const nowhere = newObjectStore({ ...settings, endpoint: 'http://127.0.0.1:1' })
  await assert.rejects(nowhere.list(), /cannot list objects in .*(ECONNREFUSED|bad port)/)
  assert.equal(store.objects.size, 0)
})
