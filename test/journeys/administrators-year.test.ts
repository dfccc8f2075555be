// test: own process, long, full
// An administrator's year: all procedures of docs/server.md, with the commands of the documents, in their order. The differences to a
// real machine are in test/support/year/machine.ts (folders, ports, user) and programs.ts (systemd, certbot, apt-get).
import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { waitUntil } from '../support/kalends-process.ts'
import { startObjectStore } from '../support/object-store.ts'
import { startDatabaseServer } from '../support/year/database-server.ts'
import { findSymptom, listHeadings, readBlock, readBlocks } from '../support/year/documents.ts'
import { startInForeground } from '../support/year/foreground.ts'
import { createMachine } from '../support/year/machine.ts'
import { checkProxiedSite, getProxySkip, signIn } from '../support/year/proxies.ts'
import { packReleases } from '../support/year/releases.ts'
import { addReceivedDonation, createContent, newSite, type Snapshot, takeSnapshot } from '../support/year/site.ts'
import { startWithMistake, wrongCommands, wrongSettings } from '../support/year/wrong-settings.ts'

const manual = 'docs/server.md'
const operations = 'docs/operations.md'
const machine = await createMachine()
let stopDatabaseServer = async () => {}
after(async () => {
  await machine.remove()
  await stopDatabaseServer()
})
const { run, runRefused, locate, waitUntilReady } = machine
const versions = await packReleases(locate('/root'))
const [first = '', second = ''] = versions

const headingsRead = new Set<string>()
/** Lines under a heading of docs/server.md, which names two releases: an older and a newer one. */
function readLines(heading: string, [older = first, newer = second]: string[] = []): string {
  headingsRead.add(heading)
  return readBlock(manual, heading).replaceAll(/\b0\.[12]\.0\b/g, name => (name === '0.1.0' ? older : newer))
}
/** Runs a command as docs/server.md does. */
const runKalends = async (words: string) => await run(`cd /var/lib/kalends\nrunuser -u kalends -- kalends ${words}`)
const readSettings = async () => await readFile(locate('/var/lib/kalends/.env'), 'utf8')
const listScheduled = async () =>
  (await readdir(locate('/backups'))).filter(name => name.startsWith('kalends-scheduled-')).sort()

/** Each step builds on the previous ones: after a failure the others are skipped. */
let hasFailed = false
function step(name: string, work: (context: TestContext) => Promise<void>): void {
  test(name, async context => {
    if (hasFailed) return context.skip('an earlier step failed')
    try {
      await work(context)
    } catch (error) {
      hasFailed = true
      throw error
    }
  })
}

let password = ''
let key = ''
const site = newSite(machine, () => key)
/** The site before each upgrade. */
const snapshots: Snapshot[] = []

step('a release starts in an empty folder', async () => {
  const folder = locate('/root/try')
  await mkdir(folder)
  await cp(locate(`/root/kalends-${first}.tgz`), join(folder, `kalends-${first}.tgz`))
  const [lines = ''] = readBlocks(operations, 'Install')
  const server = await startInForeground(machine, lines.replaceAll('0.1.0', first), folder)
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  await server.stop()
})

step('the service is installed, and runs as an unprivileged user', async () => {
  await run(readLines('The program'))
  await run(readLines('The settings'))
  password = /^\S{20}$/m.exec(await run(readLines('The first user')))?.[0] ?? ''
  assert.ok(password, 'the command prints a password')
  assert.doesNotMatch(await run(readLines('The service')), /^FAULT/m)
  await waitUntilReady()
  key = /kal_\S+/.exec(await runKalends('key create --name test --role admin'))?.[0] ?? ''
  await createContent(site)
})

for (const mistake of wrongSettings) {
  step(
    `${mistake.name}: the start is refused with a helpful message`,
    async () => await startWithMistake(machine, mistake)
  )
}

step('without these mistakes the service starts again', async () => {
  await run('systemctl start kalends')
  await waitUntilReady()
})

for (const { name, expected, lines } of wrongCommands) {
  step(`${name}: refused with a helpful message`, async () => assert.match(await runRefused(lines), expected))
}

step('the site works behind nginx', async context => {
  const skip = getProxySkip('nginx')
  if (skip !== false) return context.skip(skip)
  await run(readLines('nginx'))
  await checkProxiedSite(machine, { password, key })
  assert.doesNotMatch(await runKalends('doctor'), /TRUST_PROXY/)
  await run('systemctl stop nginx')
})

step('the site works behind Caddy', async context => {
  const skip = getProxySkip('caddy')
  if (skip !== false) return context.skip(skip)
  // Caddy requests a certificate itself, but not in this test: it uses the one that the certbot command creates.
  await run(/^certbot .*$/m.exec(readLines('nginx'))?.[0] ?? 'false')
  await run(readLines('Caddy'))
  await checkProxiedSite(machine, { password, key })
  assert.doesNotMatch(await runKalends('doctor'), /TRUST_PROXY/)
})

step('a scheduled and a manual backup are taken', async () => {
  await waitUntil(async () => (await listScheduled()).length > 0, 6 * 60_000)
  assert.match(await run(readLines('Backups')), /archive OK/)
  await run(readLines('The key and the settings'))
  assert.equal((await site.get('/metrics')).text.match(/^kalends_backup_failed (\d)$/m)?.[1], '0')
  for (const line of readBlocks(operations, 'Backup and restore')[0]?.split('\n').slice(0, 2) ?? []) {
    assert.match(await run(`cd /var/lib/kalends\n${line.replace('kalends', 'runuser -u kalends -- kalends')}`), /rows/)
  }
})

step('backups are copied to an object store', async () => {
  const before = await readSettings()
  const store = await startObjectStore()
  try {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = store.settings
    const values: Record<string, string> = {
      ENDPOINT: endpoint,
      BUCKET: bucket,
      REGION: region,
      ACCESS_KEY_ID: accessKeyId
    }
    const block = readBlocks(operations, 'Backup and restore').find(text => text.includes('BACKUP_S3_BUCKET='))
    const lines = block?.replaceAll(
      /^(BACKUP_S3_(\w+))=(.*)$/gm,
      (_, name, end, value) => `${name}=${values[end] ?? value}`
    )
    await mkdir(locate('/etc/kalends'))
    await writeFile(locate('/etc/kalends/s3-secret'), secretAccessKey)
    await run(`cat >> /var/lib/kalends/.env <<'END'\n${lines}END\nsystemctl restart kalends`)
    await runKalends('backup --scheduled')
    const newest = (await listScheduled()).at(-1) ?? ''
    const copy = store.objects.get(`${bucket}/kalends/${newest}`)
    assert.ok(copy?.equals(await readFile(locate(`/backups/${newest}`))), newest)
    assert.doesNotMatch(await runKalends('doctor'), /^FAULT/m)
  } finally {
    await store.close()
  }
  await writeFile(locate('/var/lib/kalends/.env'), before)
  await run('systemctl restart kalends')
  await waitUntilReady()
})

step('data and the whole instance are exported, and the instance is imported in another folder', async () => {
  const asService = (lines: string) => lines.replaceAll(/^kalends/gm, 'runuser -u kalends -- kalends')
  await run(`cd /var/lib/kalends\n${asService(readBlock('docs/data.md', 'Exports'))}`)
  const files = await readdir(locate('/var/lib/kalends/folder'))
  for (const name of ['donations.csv', 'donations.jsonl', 'events.en.ics']) {
    assert.ok(files.includes(name), `${name} of ${files}`)
  }
  const [exported = '', imported = ''] = asService(readBlock('docs/data.md', 'Moving a whole instance')).split('\n')
  await run(`cd /var/lib/kalends\n${exported}\nexport DATA_DIR=$PWD/other\ninstall -d -o kalends -g kalends $DATA_DIR
    install -o kalends -g kalends data/encryption.key $DATA_DIR\n${imported}\nrunuser -u kalends -- kalends doctor
    rm -r "$DATA_DIR" folder kalends.instance`)
})

step('the disk is lost, and everything up to the last backup is restored', async () => {
  const before = await takeSnapshot(site)
  await runKalends('backup --scheduled')
  await addReceivedDonation(site, 99)
  await run('systemctl stop kalends')
  for (const path of ['/var/lib/kalends', '/usr/local', '/etc/systemd/system']) {
    await rm(locate(path), { recursive: true })
    if (path !== '/var/lib/kalends') await mkdir(locate(path))
  }
  await run(readLines('The program'))
  assert.match(await run(readLines('After a lost disk')), /^Restored \d+ rows/m)
  assert.doesNotMatch(await run(readLines('The service')), /^FAULT/m)
  await waitUntilReady()
  assert.deepEqual(await takeSnapshot(site), before)
  if (getProxySkip('caddy') === false) await signIn(machine, password)
})

for (const [index, to] of versions.slice(1).entries()) {
  step(`an upgrade to release ${to} keeps all data`, async () => {
    const before = await takeSnapshot(site)
    snapshots.push(before)
    assert.match(await run(readLines('Upgrade', [first, to])), /^ok {4}migrations: up to date$/m)
    await waitUntilReady()
    assert.equal(await run('kalends version'), `${to}\n`)
    assert.match((await site.get('/metrics')).text, new RegExp(`^kalends_build_info\\{version="${to}"`, 'm'))
    assert.deepEqual(await takeSnapshot(site), before)
    await addReceivedDonation(site, 30 + index)
  })
}

step('a release is rolled back to the previous one', async () => {
  const [older = '', newer = ''] = versions.slice(-2)
  await run('systemctl stop kalends')
  await run(`npm install --global /root/kalends-${older}.tgz`)
  assert.match(
    await runRefused('cd /var/lib/kalends\nrunuser -u kalends -- kalends migrate'),
    findSymptom('This database is newer than this program')
  )
  assert.match(await run(readLines('Roll back', [older, newer])), /^Restored \d+ rows/m)
  await waitUntilReady()
  assert.equal(await run('kalends version'), `${older}\n`)
  assert.deepEqual(await takeSnapshot(site), snapshots.at(-1))
})

step('the site moves to a PostgreSQL server', async () => {
  const before = await takeSnapshot(site)
  const { env, stop } = await startDatabaseServer(machine)
  stopDatabaseServer = stop
  assert.match(await run(readLines('Move to a PostgreSQL server'), env), /^ok {4}settings: database server$/m)
  await waitUntilReady()
  assert.deepEqual(await takeSnapshot(site), before)
  await addReceivedDonation(site, 41)

  // The embedded database is not used any more.
  await run('rm -r /var/lib/kalends/data/postgres\nsystemctl restart kalends')
  await waitUntilReady()
})

step('with a wrong database password the start is refused', async () => {
  const settings = await readSettings()
  await run(
    "systemctl stop kalends\nsed -i 's|postgres://kalends:[0-9a-f]*|postgres://kalends:wrong|' /var/lib/kalends/.env"
  )
  const printed = await runRefused('cd /var/lib/kalends\nrunuser -u kalends -- timeout 20 kalends serve')
  assert.match(printed, findSymptom('password authentication failed'))
  await writeFile(locate('/var/lib/kalends/.env'), settings)
})

step('pg_dump and pg_restore keep all data', async () => {
  await run('systemctl start kalends')
  await waitUntilReady()
  const before = await takeSnapshot(site)
  const url = /^DATABASE_URL=(.*)$/m.exec(await readSettings())?.[1] ?? ''
  const block = readBlocks(operations, 'Backup and restore').find(text => text.startsWith('pg_dump')) ?? ''
  await run(`systemctl stop kalends\n${block}systemctl start kalends`, { DATABASE_URL: url })
  await waitUntilReady()
  assert.deepEqual(await takeSnapshot(site), before)
})

step('the encryption key is changed, and the old one is refused', async () => {
  const before = await takeSnapshot(site)
  const oldKey = (await readFile(locate('/var/lib/kalends/data/encryption.key'), 'utf8')).trim()
  const printed = await run(readLines('Change the encryption key'))
  assert.match(printed, /^Re-encrypted \d+ values/m)
  assert.match(printed, /ENCRYPTION_KEY_OLD is no longer used/)
  assert.doesNotMatch(await run(readLines('Remove the old key')), /^FAULT/m)
  await run(readLines('Keep the new key'))
  await waitUntilReady()
  assert.deepEqual(await takeSnapshot(site), before)

  const settings = await readSettings()
  await run('systemctl stop kalends')
  await writeFile(locate('/var/lib/kalends/.env'), settings.replace(/^ENCRYPTION_KEY=.*$/m, `ENCRYPTION_KEY=${oldKey}`))
  assert.match(
    await runRefused('cd /var/lib/kalends\nrunuser -u kalends -- timeout 20 kalends serve'),
    findSymptom('The account numbers and secrets in this database are encrypted with another key')
  )
  await writeFile(locate('/var/lib/kalends/.env'), settings)
  await run('systemctl start kalends')
  await waitUntilReady()
})

step('an API key is replaced, and the old one is refused', async () => {
  const number = /^(\d+)\tadmin\ttest\t/m.exec(await runKalends('key list'))?.[1]
  const printed = await run(readLines('Replace an API key').replace(/(?<=revoke )\d+/, number ?? ''))
  const replacement = /kal_\S+/.exec(printed)?.[0] ?? ''
  assert.deepEqual(
    [await site.getStatus('/campaigns', replacement), await site.getStatus('/campaigns', key)],
    [200, 401]
  )
})

step('the activity log of the year is verified', async () => {
  key = /kal_\S+/.exec(await runKalends('key create --name auditor --role admin'))?.[0] ?? ''
  const folder = locate('/root')
  const download = async (name: string) =>
    await writeFile(join(folder, name), (await site.get('/activity.ndjson')).bytes)
  await download('older.ndjson')
  await addReceivedDonation(site, 50)
  await writeFile(join(folder, 'verify.mjs'), readBlock(operations, 'The activity log as evidence'))
  const countRecords = async (file: string) =>
    Number(/^(\d+) records/.exec(await run(`cd /root\nnode verify.mjs < ${file}`))?.[1])
  const count = await countRecords('older.ndjson')
  await waitUntil(async () => {
    await download('newer.ndjson')
    return (await countRecords('newer.ndjson')) > count
  })
  await run('cd /root\nhead -n "$(wc -l < older.ndjson)" newer.ndjson | cmp - older.ndjson')
})

step('the commands of all sections of docs/server.md were run', async () => {
  assert.deepEqual([...headingsRead].sort(), listHeadings(manual).sort())
})
