// test: own process
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { onCitus } from '#test/support/database.ts'
import { recordStatements } from '#test/support/fault-injection.ts'
import { donation, startCampaigns } from '#test/support/services.ts'

const separately = onCitus && 'Citus inserts each donation by several statements'
const ofShard = onCitus && 'Citus names the constraint of the shard'

const { admin, visitor, store, aCampaign } = await startCampaigns({
  env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'give@example.org' }
})

/** Donates with an email address; returns the SQL statements and the number of rows written. */
async function donate() {
  const { id } = await aCampaign()
  const send = async () => await visitor.post(`/campaigns/${id}/donations`, { ...donation, email: 'ada@example.org' })
  const { result, statements } = await recordStatements(send)
  assert.equal(result.status, 201, result.text)
  const written = await store.one(sql`
    select
      (select count(*) from fundraising.donation_history where donation_id = ${result.body.id}) as history,
      (select donated_cents from fundraising.deltas where campaign_id = ${id}) as "donatedCents",
      (select count(*) from platform.activity where subject_id = ${result.body.id}) as activity,
      (select count(*) from platform.outbox where about = ${`${id} ${result.body.id}`}) as emails`)
  // Other processes are notified after the change is committed.
  return { written, statements: statements.filter(statement => !statement.includes('pg_notify')) }
}

const expectedRows = { history: 1, donatedCents: donation.amount * 100, activity: 1, emails: 1 }

test('a donation is inserted with history, totals, activity and email by one statement, without a transaction', {
  skip: separately
}, async () => {
  const { written, statements } = await donate()
  assert.deepEqual(written, expectedRows)
  assert.equal(statements.length, 2, statements.join('\n\n'))
  assert.match(statements[0] ?? '', /^\s*select/)
  assert.match(statements[1] ?? '', /insert into fundraising\.donations/)
})

test('the statement looks for webhooks only if one is on, and then the donation is delivered', {
  skip: separately
}, async () => {
  const without = await donate()
  assert.ok(!without.statements[1]?.includes('webhook_deliveries'))
  const url = 'https://hook.example/'
  const { body: webhook } = await admin.post('/webhooks', { url, actions: ['donation.created'] })
  const { statements } = await donate()
  assert.ok(statements[1]?.includes('webhook_deliveries'))
  const deliveries = await admin.get(`/webhooks/${webhook.id}/deliveries`)
  assert.equal(deliveries.body.length, 1, deliveries.text)
  await admin.delete(`/webhooks/${webhook.id}`)
})

test('donations that arrive together are inserted together, each with all that belongs to it', {
  skip: separately
}, async () => {
  const { body: webhook } = await admin.post('/webhooks', {
    url: 'https://hook.example/',
    actions: ['donation.created']
  })
  const { id } = await aCampaign()
  const amounts = Array.from({ length: 20 }, (_, index) => 10 + index)
  const send = async (amount: number) =>
    await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount, email: `ada${amount}@example.org` })
  const { result, statements } = await recordStatements(async () => await Promise.all(amounts.map(send)))
  for (const { status, text } of result) assert.equal(status, 201, text)
  const inserts = statements.filter(statement => statement.includes('insert into fundraising.donations'))
  assert.ok(inserts.length < amounts.length, `${inserts.length} statements`)
  const written = await store.all(sql`
    select
      donation.id, donation.amount_cents / 100 as amount, donation.email,
      (select count(*) from fundraising.donation_history as history where history.donation_id = donation.id) as history,
      (select count(*) from platform.activity where subject_id = donation.id::text) as activities,
      (select count(*) from platform.outbox where about = ${`${id} `} || donation.id) as emails,
      (select count(*) from platform.webhook_deliveries where subject_id = donation.id::text) as deliveries
    from fundraising.donations as donation
    where donation.campaign_id = ${id}
    order by amount`)
  const expected = result.map(({ body }, index) => {
    const amount = amounts[index]
    const email = `ada${amount}@example.org`
    return { id: body.id, amount, email, history: 1, activities: 1, emails: 1, deliveries: 1 }
  })
  assert.deepEqual(written, expected)
  const { body } = await visitor.get(`/campaigns/${id}`)
  assert.deepEqual([body.donationCount, body.amountDonatedSoFar], [20, amounts.reduce((sum, amount) => sum + amount)])
  await admin.delete(`/webhooks/${webhook.id}`)
})

test('a donation that the database refuses does not make those fail that arrive with it', async () => {
  await store.script(`
    alter table fundraising.donations add constraint refuses_mallory check (donor_name <> 'Mallory') not valid`)
  const { id } = await aCampaign()
  const names = ['Ada', 'Mallory', 'Grace', 'Edsger', 'Barbara']
  const send = async (donorName: string) => await visitor.post(`/campaigns/${id}/donations`, { ...donation, donorName })
  const responses = await Promise.all(names.map(send))
  await store.script('alter table fundraising.donations drop constraint refuses_mallory')
  assert.deepEqual(
    responses.map(({ status }) => status),
    [201, 500, 201, 201, 201]
  )
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.donationCount, 4)
})

test('if Citus distributes donations, no statement writes to distributed and to local tables', async () => {
  await store.script('create table public.pg_dist_partition ()')
  const { written, statements } = await donate()
  await store.script('drop table public.pg_dist_partition')
  assert.deepEqual(written, expectedRows)
  assert.deepEqual([statements[1], statements.at(-1)], ['begin', 'commit'])
  for (const statement of statements) {
    assert.ok(!(statement.includes('into fundraising.') && statement.includes('into platform.')), statement)
  }
})

/** Values that the program never writes. */
const wrong: Record<string, string[]> = {
  amount_cents: ['0', '100000000000'],
  received_cents: ['-1', '100000000000'],
  status: [`'PAID'`],
  review: [`'later'`],
  message_review: [`'later'`],
  payment_method: [`'cash'`],
  kind: [`'favour'`, `'in_kind'`],
  in_kind: [`'{}'`],
  language: [`'DE'`, `'french'`],
  donor_name: [`''`, `repeat('x', 141)`],
  message: [`''`, `repeat('x', 1001)`],
  email: [`'a@'`, `repeat('x', 255)`],
  account_iban: [`'no IBAN'`],
  account_name: [`''`, `repeat('x', 141)`],
  account_bank: [`repeat('x', 141)`],
  iban_fingerprint: [`'\\x00'`],
  donor_token_hash: [`'\\x00'`],
  address_street: [`''`, `repeat('x', 141)`],
  address_postal_code: [`''`, `repeat('x', 61)`],
  address_city: [`''`, `repeat('x', 141)`],
  address_country: [`'Germany'`],
  consent_text: [`''`, `repeat('x', 2001)`],
  consent_version: [`''`, `repeat('x', 101)`]
}

test('the table of donations refuses values that the program never writes', { skip: ofShard }, async () => {
  const { id: campaignId } = await aCampaign()
  const { id } = (await visitor.post(`/campaigns/${campaignId}/donations`, donation)).body
  const set = async (assignments: string) =>
    await store.script(`update fundraising.donations set ${assignments} where id = '${id}'`)
  await set(`review = 'waiting', kind = 'in_kind', in_kind = '{}', language = null, message = 'Good luck!'`)
  await set(`review = null, kind = 'money', in_kind = null`)
  const refused = { code: '23514', constraint: 'donations_valid' }
  for (const [column, values] of Object.entries(wrong)) {
    for (const value of values) await assert.rejects(set(`${column} = ${value}`), refused, `${column} = ${value}`)
  }
  await assert.rejects(set(`review = 'waiting', status = 'TRANSFERRED'`), refused)
})
