import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAdmin } from '#test/support/admin-client.ts'
import { startCampaignsAndCalendar } from '#test/support/services.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-backups-'))
after(async () => await rm(folder, { recursive: true, force: true }))
const env = { BACKUP_DIR: folder, BACKUP_SCHEDULE: '03:17' }
const { admin, withRole } = await startCampaignsAndCalendar({ env })

async function createBackup(): Promise<{ name: string; bytes: number; kind: string }> {
  const started = await admin.post('/backups')
  assert.equal(started.status, 202, started.text)
  const { running, backups: listed } = (await admin.get('/backups')).body
  assert.ok(running !== null || listed.some(({ name }: { name: string }) => name === started.body.name))
  for (;;) {
    const { backups } = (await admin.get('/backups')).body
    const found = backups.find(({ name }: { name: string }) => name === started.body.name)
    if (found !== undefined) return found
    await sleep(20)
  }
}

const first = await createBackup()

test('a backup is created on request, listed with its size, and counts as the last one', async () => {
  assert.equal(first.kind, 'manual')
  assert.ok(first.bytes > 10_000, String(first.bytes))
  for (;;) {
    const { body } = await admin.get('/backups')
    assert.deepEqual(body.schedule, { time: '03:17', keepDays: 7, keepMonths: 6, isCopied: false })
    assert.equal(body.running, null)
    if (body.lastAt !== null) break
    await sleep(20)
  }
})

test('a download needs a ticket of the same caller, and gives the file, whole or in ranges', async () => {
  const { body } = await admin.post(`/backups/${first.name}/downloads`)
  assert.equal(body.bytes, first.bytes)
  const path = `/backups/downloads/${body.ticket}`
  const file = await readFile(join(folder, first.name))
  const whole = await admin.send({ method: 'GET', url: path })
  assert.equal(whole.status, 200)
  assert.equal(whole.headers['content-length'], String(file.length))
  const part = await admin.get(path, { range: 'bytes=0-9' })
  assert.equal(part.status, 206)
  assert.equal(part.headers['content-range'], `bytes 0-9/${file.length}`)
  assert.equal(part.text, 'README.txt')
  for (const range of ['bytes=5-2', `bytes=${file.length}-`, 'bytes=-', 'lines=1-2']) {
    assert.equal((await admin.get(path, { range })).status, 416, range)
  }
  const otherAdmin = await withRole('admin')
  assert.equal((await otherAdmin.get(path)).body.code, 'download-expired')
  assert.equal((await admin.get(`${path}x`)).body.code, 'download-expired')
  const [last] = (await admin.get('/activity?action=backup.downloaded&limit=1')).body
  assert.equal(last.subjectId, first.name)
})

test('a name that is no backup of the folder is not found, whatever path it spells', async () => {
  await writeFile(join(folder, 'secret.txt'), 'secret')
  for (const name of ['secret.txt', '..%2F..%2Fetc%2Fpasswd', 'kalends-manual-2001-01-01T000000Z.backup', '%00']) {
    for (const action of ['downloads', 'restore']) {
      const { status, body } = await admin.post(`/backups/${name}/${action}`)
      assert.deepEqual([status, body.code], [404, 'backup-not-found'], `${name} ${action}`)
    }
  }
})

test('a file is uploaded in pieces, in order, and is a backup only if every byte is right', async () => {
  const file = await readFile(join(folder, first.name))
  const half = Math.ceil(file.length / 2)
  const uploadId = randomBytes(16).toString('hex')
  const send = async (offset: number, bytes: Buffer, isLast = false) =>
    await admin.post('/backups/uploads', { uploadId, offset, content: bytes.toString('base64'), isLast })
  assert.deepEqual((await send(0, file.subarray(0, half))).body, { receivedBytes: half, backup: null })
  const early = await send(half + 1, file.subarray(half + 1))
  assert.deepEqual([early.status, early.body.code], [409, 'upload-offset'])
  const { status, body } = await send(half, file.subarray(half), true)
  assert.equal(status, 200)
  assert.equal(body.backup.kind, 'uploaded')
  assert.deepEqual(await readFile(join(folder, body.backup.name)), file)

  const damaged = Buffer.from(file)
  damaged[damaged.length - 5000] = (damaged[damaged.length - 5000] ?? 0) ^ 1
  const content = damaged.toString('base64')
  const refused = await admin.post('/backups/uploads', { uploadId, offset: 0, content, isLast: true })
  assert.deepEqual([refused.status, refused.body.code], [422, 'backup-unusable'])
  assert.match(refused.body.detail, /Nothing was changed/)
  assert.ok(!refused.body.detail.includes(folder), 'the folder is not told')
  assert.deepEqual(
    (await readdir(folder)).filter(name => name.startsWith('upload-')),
    []
  )
})

test('uploads that were not restored are removed after a day', async () => {
  const { backups } = (await admin.get('/backups')).body
  const { name } = backups.find(({ kind }: { kind: string }) => kind === 'uploaded')
  const dayBefore = new Date(Date.now() - 25 * 3_600_000)
  await utimes(join(folder, name), dayBefore, dayBefore)
  await admin.post('/backups/uploads', { uploadId: randomBytes(16).toString('hex'), offset: 0, content: 'QQ==' })
  assert.ok(!(await readdir(folder)).includes(name))
})

test('a restore verifies the backup first: a damaged file is refused while the site is running', async () => {
  const name = 'kalends-manual-2001-01-01T000000Z.backup'
  await writeFile(join(folder, name), (await readFile(join(folder, first.name))).subarray(0, 5000))
  const { status, body } = await admin.post(`/backups/${name}/restore`)
  assert.deepEqual([status, body.code], [422, 'backup-unusable'])
  const fine = await admin.post(`/backups/${first.name}/restore`)
  assert.equal(fine.status, 202)
  assert.ok(fine.body.rows > 0)
  await rm(join(folder, name))
})

test('of backups that were created on request the five newest are kept', async () => {
  for (let day = 1; day <= 6; day += 1) {
    await writeFile(join(folder, `kalends-manual-2001-01-0${day}T000000Z.backup`), 'old')
    const at = new Date(`2001-01-0${day}`)
    await utimes(join(folder, `kalends-manual-2001-01-0${day}T000000Z.backup`), at, at)
  }
  await writeFile(join(folder, 'kalends-2001-01-01T0000Z.backup'), 'of the command line')
  await sleep(1000)
  await createBackup()
  const list = async () => (await readdir(folder)).filter(name => name.endsWith('.backup'))
  let kept = await list()
  // Old ones are removed after the new one is complete.
  for (; kept.filter(name => name.startsWith('kalends-manual-')).length > 5; kept = await list()) await sleep(20)
  assert.equal(kept.filter(name => name.startsWith('kalends-manual-2001')).length, 3)
  assert.ok(kept.includes('kalends-2001-01-01T0000Z.backup'))
  assert.ok(kept.includes(first.name))
})

test('a signed-in admin proves the password before a backup is created, downloaded or restored', async () => {
  const { signIn, store } = await startAdmin({ env })
  const anna = await signIn('admin')
  await store.script('update platform.sessions set confirmed_at = null')
  for (const path of [
    '/admin/data/backups',
    `/admin/data/backups/${first.name}/download`,
    `/admin/data/backups/${first.name}/restore`
  ]) {
    const asked = await anna.send(path, {})
    assert.equal(asked.status, 403, path)
    assert.match(asked.text, /name="_password"/, path)
  }
  const bruno = await signIn('editor')
  assert.equal((await bruno.get('/admin/data')).status, 403)
  assert.equal((await bruno.send('/admin/data/backups', {})).status, 403)
})
