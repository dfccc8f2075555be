import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { recordRestoreFailure } from '#platform/backup/status.ts'
import { writeVerifiedBackup } from '#platform/backup/verified-file.ts'
import { newSystemCaller } from '#platform/caller.ts'
import { newSetupToken } from '#platform/setup/setup.ts'
import { startAdmin } from '#test/support/admin-client.ts'
import { migrations } from '#test/support/database.ts'
import { type Client, startSite } from '#test/support/services.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-backups-'))
after(async () => await rm(folder, { recursive: true, force: true }))
const env = { BACKUP_DIR: folder }
const { admin, store, signIn, visitor } = await startAdmin({ env })
const name = 'kalends-manual-2026-11-15T120000Z.backup'
await writeVerifiedBackup(store.connection, join(folder, name), migrations)
const file = await readFile(join(folder, name))

async function upload(client: Client, path: string, bytes: Buffer, fields: Record<string, string>, cookie = '') {
  const parts = new FormData()
  for (const [field, value] of Object.entries(fields)) parts.append(field, value)
  parts.append('file', new Blob([new Uint8Array(bytes)]), 'a.backup')
  const body = new Response(parts)
  const headers = { 'content-type': body.headers.get('content-type') ?? '', ...(cookie === '' ? {} : { cookie }) }
  return await client.send({ method: 'POST', url: path, headers, payload: Buffer.from(await body.arrayBuffer()) })
}

test('an admin downloads a backup, and uploads and restores it without scripts; a truncated file is refused', async () => {
  const anna = await signIn('admin')
  const downloaded = await anna.send(`/admin/data/backups/${name}/download`, {})
  assert.equal(downloaded.status, 200)
  assert.equal(downloaded.headers['content-length'], String(file.length))
  assert.equal(downloaded.headers['content-disposition'], `attachment; filename="${name}"`)

  const token = /name="_token" value="([0-9a-f]+)"/.exec((await anna.get('/admin/data')).text)?.[1] ?? ''
  const sent = await upload(visitor, '/admin/data/backups/uploads', file, { _token: token }, anna.cookies())
  assert.equal(sent.status, 303)
  const confirmation = await anna.get(sent.headers.location ?? '')
  assert.match(confirmation.text, /All data of the site is replaced by that of/)
  const started = await anna.send(sent.headers.location ?? '', {})
  assert.equal(started.status, 202)
  // Browsers with scripts wait until the server answers again, and only then leave the page.
  assert.equal(started.headers.refresh, undefined)
  const [, next = ''] = /<noscript><meta http-equiv="refresh" content="4;url=([^"]+)"/.exec(started.text) ?? []
  assert.match(next, /^\/admin\/data\/restored\?since=\d+$/)
  assert.ok(started.text.includes(`data-next="${next}"`))
  // The server that restores here never stops: the next page waits as well, and does not show an older result.
  const waiting = await anna.get(next)
  assert.equal(waiting.status, 202)
  assert.ok(waiting.text.includes(`data-next="${next}"`))
  const late = await anna.get(next.replace(/\d+$/, String(Date.now() - 3_600_000)))
  assert.equal(late.status, 200)
  assert.doesNotMatch(late.text, /data-next/)

  const broken = await upload(
    visitor,
    '/admin/data/backups/uploads',
    file.subarray(0, 9000),
    { _token: token },
    anna.cookies()
  )
  assert.equal(broken.status, 422)
  assert.match(broken.text, /cannot be restored/)
})

test('after a failed restore the page shows the reason, and that nothing was changed', async () => {
  const anna = await signIn('admin')
  await recordRestoreFailure(store, newSystemCaller('user 1 (Anna)'), 'the disk is full')
  const since = Date.now() - 1000
  assert.match((await anna.get('/admin/data/restored')).text, /nothing was changed. Reason: the disk is full/)
  assert.match((await anna.get(`/admin/data/restored?since=${since}`)).text, /Reason: the disk is full/)
  assert.equal((await admin.get('/backups')).body.lastRestore.failure, 'the disk is full')
})

test('the first run restores a backup with the setup token, and an upload with a wrong token is refused and not stored', async () => {
  const ownFolder = await mkdtemp(join(tmpdir(), 'kalends-backups-'))
  after(async () => await rm(ownFolder, { recursive: true, force: true }))
  const fresh = await startSite({ env: { ADMIN_KEY: '', BACKUP_DIR: ownFolder } })
  const token = await newSetupToken(fresh.store)
  const path = `/admin/setup/restore?token=${token}`
  assert.match((await fresh.visitor.get(`/admin/setup?token=${token}`)).text, /Restore a backup instead/)
  assert.match((await fresh.visitor.get(path)).text, /Upload and verify/)
  assert.equal((await fresh.visitor.get('/admin/setup/restore?token=kst_wrong')).headers.location, '/admin/setup')

  const wrongToken = await upload(fresh.visitor, '/admin/setup/restore?token=kst_wrong', Buffer.alloc(100_000), {})
  assert.equal(wrongToken.status, 413)
  assert.deepEqual(await readdir(ownFolder), [])

  const confirmation = await upload(fresh.visitor, path, file, {})
  assert.equal(confirmation.status, 200)
  const uploaded = /name="name" value="([^"]+)"/.exec(confirmation.text)?.[1] ?? ''
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const started = await fresh.visitor.send({ method: 'POST', url: path, headers, payload: `name=${uploaded}` })
  assert.equal(started.status, 202)
  const [, next = ''] = /data-next="([^"]+)"/.exec(started.text) ?? []
  assert.match(next, /^\/admin\/setup\/restore\?token=kst_\w+&amp;since=\d+$/)
  assert.equal((await fresh.visitor.get(next.replaceAll('&amp;', '&'))).status, 202)
})
