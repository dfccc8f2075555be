// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { startCampaigns } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'
import { checkChain, extendChain } from '../chain/chain.ts'
import { deleteOldActivity } from './retention.ts'

const { admin, store, aCampaign } = await startCampaigns()
const inThreeYears = new Date(Date.now() + 3 * 366 * 86_400_000)
const countRecords = async () =>
  (await store.one<{ count: number }>(sql`select count(*)::int as count from platform.activity`)).count

test('without a retention period, and within it, nothing is deleted', async () => {
  await aCampaign()
  await extendChain(store, { all: false })
  const before = await countRecords()
  await deleteOldActivity(store, { activityYears: undefined }, inThreeYears)
  await deleteOldActivity(store, { activityYears: 10 }, inThreeYears)
  assert.equal(await countRecords(), before)
})

test('after the retention period records are deleted, the chain continues from the last deleted one, and doctor reports no fault', {
  skip: skipUnlessFull
}, async () => {
  await store.script(`
    insert into platform.activity (at, action, subject, subject_id, actor, details)
    select now(), 'campaign.updated', 'campaign', number::text, 'somebody', '{}'
    from generate_series(1, 6000) as number`)
  await extendChain(store, { all: false })
  const { body: newest } = await admin.get('/activity?limit=1')
  const lastLine = (await admin.get('/activity.ndjson')).text.trimEnd().split('\n').at(-1) ?? ''
  // Not chained yet, so it stays.
  await aCampaign({ name: 'Not chained yet' })
  await deleteOldActivity(store, { activityYears: 2 }, inThreeYears)
  const { body: left } = await admin.get('/activity?limit=200')
  assert.deepEqual(
    left.map(({ action, actor }: { action: string; actor: string }) => [action, actor === 'retention']),
    [
      ['activity.deleted', true],
      ['activity.deleted', true],
      ['campaign.created', false]
    ]
  )
  assert.equal(left[0].details.position, JSON.parse(lastLine).position)
  assert.ok(newest[0].id < left[2].id)

  await extendChain(store, { all: true })
  const [first] = (await admin.get('/activity.ndjson')).text.split('\n')
  const { position, previousHash } = JSON.parse(first ?? '')
  assert.deepEqual([position, previousHash], [JSON.parse(lastLine).position + 1, left[0].details.hash])
  const { level, about } = await checkChain(store)
  assert.equal(level, 'ok')
  assert.match(about, /^activity log: 3 records in the hash chain \(6\d{3} earlier ones were deleted\), last hash/)
})

test('a second run continues, and records that were deleted manually are still reported', async () => {
  await aCampaign()
  await extendChain(store, { all: false })
  await deleteOldActivity(store, { activityYears: 2 }, inThreeYears)
  await extendChain(store, { all: false })
  assert.equal((await checkChain(store)).level, 'ok')
  await assert.rejects(store.script('delete from platform.activity'), /is append-only/)
  await store.script(`
    alter table platform.activity_chain disable trigger user;
    delete from platform.activity_chain where position = (select min(position) from platform.activity_chain);
    alter table platform.activity_chain enable trigger user`)
  const { level, details } = await checkChain(store)
  assert.equal(level, 'FAULT')
  assert.match(details?.[0] ?? '', /^positions 1 to \d+ are missing$/)
})
