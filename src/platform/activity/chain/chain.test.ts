// test: both stores
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silent } from '#test/support/database.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { root } from '#test/support/project-root.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'
import { checkChain, extendChain, startChainWriter } from './chain.ts'

const { admin, visitor, store, aCampaign } = await startCampaigns()
const folder = await mkdtemp(join(tmpdir(), 'kalends-chain-'))
after(async () => await rm(folder, { recursive: true }))

const exportRecords = async () => {
  const { status, headers, text } = await admin.get('/activity.ndjson')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8')
  assert.match(headers['content-disposition'] ?? '', /^attachment; filename="activity\.ndjson"$/)
  return text
}

/** Runs the verification script that the manual gives to auditors. */
async function verify(text: string): Promise<string> {
  const manual = readFileSync(join(root, 'docs', 'operations.md'), 'utf8')
  const script = /```js\n(\/\/ node verify\.mjs[^`]*(?:`[^`]+`[^`]*)*?)```/.exec(manual)?.[1] ?? ''
  const file = join(folder, 'verify.mjs')
  await writeFile(file, script)
  return execFileSync(process.execPath, [file], { input: text, encoding: 'utf8', stdio: 'pipe' })
}

/** As an owner of the tables who disables the triggers. */
async function tamper(table: 'activity' | 'activity_chain', statement: string): Promise<void> {
  await store.script(
    `alter table platform.${table} disable trigger user; ${statement}; alter table platform.${table} enable trigger user`
  )
}

test('every record is exported as a line with the hash of the previous one, and the script in the manual verifies the chain', async () => {
  const { id } = await aCampaign({ name: 'Zwölf "Töne" \\ & mehr\u2028' })
  await visitor.post(`/campaigns/${id}/donations`, donation)
  const text = await exportRecords()
  const lines = text.trimEnd().split('\n')
  const { body } = await admin.get('/activity?limit=200')
  assert.equal(lines.length, body.length)
  const records = lines.map(line => JSON.parse(line)).toReversed()
  for (const [index, { position, previousHash, at, ...record }] of records.entries()) {
    const { at: moment, ...shown } = body[index]
    assert.deepEqual(record, shown)
    assert.equal(Date.parse(at), Date.parse(moment))
    assert.equal(position, lines.length - index)
    assert.match(previousHash, /^[0-9a-f]{64}$/)
  }
  const output = await verify(text)
  assert.match(output, new RegExp(`^${lines.length} records, last hash [0-9a-f]{64}\n$`))
  const { level, about } = await checkChain(store)
  assert.deepEqual(
    [level, about],
    ['ok', `activity log: ${output.trim().replace(' records,', ' records in the hash chain,')}`]
  )

  await aCampaign()
  assert.ok((await exportRecords()).startsWith(text), 'An older export is the beginning of a newer one.')
  await assert.rejects(verify(text.replace('Ada', 'Eve').replace('campaign.created', 'campaign.updated')))
  await assert.rejects(verify(lines.toSpliced(0, 1).join('\n')))
})

test('neither records nor their chain entries can be updated, deleted or truncated', async () => {
  await aCampaign()
  await extendChain(store, { all: false })
  const before = await exportRecords()
  for (const statement of [
    "update platform.activity set actor = 'nobody'",
    "update platform.activity set details = '{}' where id = (select max(id) from platform.activity)",
    'delete from platform.activity where id = (select min(id) from platform.activity)',
    'truncate platform.activity',
    "update platform.activity_chain set hash = sha256('') where position = 1",
    'delete from platform.activity_chain where position = 1',
    'truncate platform.activity_chain'
  ]) {
    await assert.rejects(store.script(statement), /is append-only/, statement)
  }
  assert.equal(await exportRecords(), before)
  // The transaction id is not part of the hash: it is only valid in this database.
  await store.run(sql`update platform.activity set tx = '0' where id = (select min(id) from platform.activity)`)
  assert.equal(await exportRecords(), before)
})

test('concurrent writers extend one chain, and a record that is committed late is chained last', {
  skip: skipUnlessFull
}, async () => {
  for (let count = 0; count < 20; count += 1) await aCampaign()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  let isWritten = () => {}
  const written = new Promise<void>(resolve => {
    isWritten = resolve
  })
  const slow = store.transaction(async tx => {
    await tx.script(`
      insert into platform.activity (at, action, subject, subject_id, actor, details)
      values ('2020-01-01', 'campaign.updated', 'campaign', 'slow', 'somebody', '{}')`)
    isWritten()
    await held
  })
  await written
  await aCampaign({ name: 'behind the slow one' })
  await Promise.all(Array.from({ length: 5 }, async () => await extendChain(store, { all: true })))
  assert.match((await exportRecords()).trimEnd().split('\n').at(-1) ?? '', /behind the slow one/)
  release()
  await slow
  const text = await exportRecords()
  assert.match(text.trimEnd().split('\n').at(-1) ?? '', /"subjectId":"slow"/)
  await verify(text)
  assert.equal((await checkChain(store)).level, 'ok')
})

test('the chain writer extends the chain by itself, and once more when it stops', async () => {
  const unchained = async () => (await checkChain(store)).about.match(/(\d+) not chained yet/)?.[1] ?? 'none'
  await aCampaign()
  assert.notEqual(await unchained(), 'none')
  const chainWriter = startChainWriter(store, silent, 60_000)
  while ((await unchained()) !== 'none') await new Promise(resolve => setTimeout(resolve, 10))
  await aCampaign()
  assert.equal(await unchained(), '1')
  await chainWriter.stop()
  assert.equal(await unchained(), 'none')
})

test('more records than one batch are chained in one call', {
  skip: skipUnlessFull
}, async () => {
  await store.script(`
    insert into platform.activity (at, action, subject, subject_id, actor, details)
    select now() - interval '1 hour', 'campaign.updated', 'campaign', number::text, 'somebody', '{"price": 1.10}'
    from generate_series(1, 1700) as number`)
  const waiting = await checkChain(store)
  assert.deepEqual([waiting.level, waiting.details], ['WARN', ['1700 records older than ten minutes are not chained']])
  assert.equal(await extendChain(store, { all: false }), 1700)
  assert.equal(await extendChain(store, { all: true }), 0)
  await verify(await exportRecords())
})

test('changed and deleted records and deleted chain entries are found although the triggers were disabled', {
  skip: skipUnlessFull
}, async () => {
  const { id } = (await admin.post('/campaigns', campaign)).body
  await aCampaign()
  await extendChain(store, { all: false })
  const { position, record } = await store.one<{ position: number; record: number }>(sql`
    select chain.position, chain.activity_id as record
    from platform.activity_chain as chain
    join platform.activity on activity.id = chain.activity_id
    where activity.action = 'campaign.created' and activity.subject_id = ${String(id)}`)
  const faults = async () => {
    const { level, details, remedy } = await checkChain(store)
    assert.equal(level, 'FAULT')
    assert.match(remedy ?? '', /compare it with an older backup/)
    return details
  }
  await tamper('activity', `update platform.activity set actor = 'Eve' where id = ${record}`)
  assert.deepEqual(await faults(), [`record ${record} (position ${position}) was modified after it was chained`])
  await assert.rejects(verify(await exportRecords()))
  await tamper('activity', `delete from platform.activity where id = ${record}`)
  assert.deepEqual(await faults(), [`record ${record} (position ${position}) is missing`])
  await assert.rejects(verify(await exportRecords()))
  await tamper('activity_chain', `delete from platform.activity_chain where position = ${position}`)
  assert.match((await faults())?.[0] ?? '', new RegExp(`^positions ${position} to ${position} are missing$`))
})
