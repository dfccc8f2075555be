// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Sql, sql } from '#platform/database/sql.ts'
import { newUuidV7 } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import { isFullRun, skipUnlessFull } from '#test/support/full-run.ts'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { buildStatement, buildStatementFile } from '#test/support/fundraising/bank-statements.ts'
import { donation } from '#test/support/services.ts'
import { fundraisingChecks } from '../../doctor.ts'
import { newReference } from '../../money/reference.ts'

const lines: string[] = []
const write = (...said: unknown[]) => void lines.push(JSON.stringify(said))
const log: Log = { debug: write, info: write, warn: write, error: write }
const bank = await startBankImports({ log })
const { admin, aCampaign, aDonation, entriesOf, imported, statusOf, store, treasurer, upload, visitor, withRole } = bank
const { id: campaignId } = await aCampaign()
let cents = 30_000
async function promised(fields: object = {}) {
  cents += 1
  return await aDonation(campaignId, { ...donation, amount: cents / 100, ...fields })
}
const amountOf = ({ amount }: { amount: number }) => amount.toFixed(2)
const paidFor = (given: { amount: number; reference: string }, fields: object = {}) =>
  buildBooking({ amount: amountOf(given), text: given.reference, ...fields })
const resultsOf = (entries: { result: string }[]) => entries.map(({ result }) => result)
const timesReceived = async ({ id }: { id: string }) =>
  (await admin.get(`/campaigns/${campaignId}/donations/${id}`)).body.history.filter(
    ({ status }: { status: string }) => status === 'TRANSFERRED'
  ).length

test('the same file again answers what came of it the first time, and books nothing', async () => {
  const given = await promised()
  const file = buildStatement([paidFor(given)])
  const first = await upload(file)
  assert.deepEqual([first.status, first.body.repeated, first.body.complete], [201, undefined, true])
  assert.match(first.headers.location ?? '', new RegExp(`/bank-statements/${first.body.id}$`))
  const again = await upload(file)
  assert.deepEqual([again.status, again.body], [200, { ...first.body, repeated: true }])
  assert.equal(await timesReceived(given), 1)
})

test('overlapping files: what stood in an earlier one is known, by the reference of the bank or by all that it says', async () => {
  const [monday, tuesday, nameless] = [await promised(), await promised(), await promised()]
  const one = paidFor(monday)
  // Two payments that are alike in everything are two payments.
  const { bankReference: _, ...twin } = paidFor(nameless, { text: 'Spende', amount: '8.00' })
  const first = await imported([one, twin, twin], { format: 'camt.054.001.08' })
  assert.deepEqual(resultsOf(first.entries), ['booked', 'unmatched', 'unmatched'])
  const week = await imported([one, paidFor(tuesday), twin, twin, twin])
  assert.deepEqual(resultsOf(week.entries), ['known', 'booked', 'known', 'known', 'unmatched'])
  assert.deepEqual(week.entries[0].firstSeen, { statementId: first.statement.id, entryId: first.entries[0].id })
  const { counts } = week.statement
  assert.deepEqual([counts.entries, counts.known, counts.booked, counts.unmatched], [5, 3, 1, 1])
  assert.equal(await timesReceived(monday), 1)
  const refused = await bank.change(week.entries[0], { donation: { campaignId, id: tuesday.id } })
  assert.deepEqual([refused.status, refused.body.code], [409, 'entry-cannot-be-assigned'])
})

test('the same file several times at the same moment, and other files with the same payments, book each donation once', async () => {
  const donations = []
  for (let count = 0; count < 8; count += 1) donations.push(await promised())
  const payments = donations.map(given => paidFor(given))
  const file = buildStatement(payments)
  const others = [
    buildStatement([...payments].reverse()),
    buildStatement(payments.slice(2), { format: 'camt.054.001.02' })
  ]
  const answers = await Promise.all([file, file, file, ...others].map(async bytes => await upload(bytes)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 201, 201, 201])
  assert.equal(new Set(answers.slice(0, 3).map(({ body }) => body.id)).size, 1)
  for (const given of donations) assert.equal(await timesReceived(given), 1)
  const statements = [...new Set(answers.map(({ body }) => body.id))]
  const all = (await Promise.all(statements.map(async id => await entriesOf(id)))).flat()
  assert.equal(all.filter(({ result }) => result === 'booked').length, donations.length)
  assert.equal(all.filter(({ result }) => result === 'known').length, all.length - donations.length)
})

test('with an Idempotency-Key the first answer comes again, and another file under it is refused', async () => {
  const file = buildStatement([paidFor(await promised())])
  const headers = { 'idempotency-key': 'a-key-for-a-statement' }
  const first = await upload(file, { headers })
  const again = await upload(file, { headers })
  assert.deepEqual([again.status, again.headers['idempotent-replayed'], again.body], [201, 'true', first.body])
  const other = await upload(buildStatement([buildBooking()]), { headers })
  assert.equal(other.status, 422)
})

test('a file whose reading broke off goes on where it was when it comes again', async () => {
  const donations = [await promised(), await promised()]
  const file = buildStatement(donations.map(given => paidFor(given)))
  const { body } = await upload(file)
  // As if the process had died before the last entry.
  assert.equal((await bank.change((await entriesOf(body.id))[1], { donation: null })).status, 200)
  await store.run(sql`
    delete from fundraising.statement_entries where statement_id = ${body.id} and position = 2`)
  await store.run(sql`
    update fundraising.bank_statements set read_to = 1, finished_at = null where id = ${body.id}`)
  const again = await upload(file)
  assert.deepEqual([again.body.id, again.body.complete, again.body.counts.entries], [body.id, true, 2])
  assert.deepEqual(resultsOf(await entriesOf(body.id)), ['booked', 'booked'])
  for (const given of donations) assert.equal(await statusOf(given), 'TRANSFERRED')
})

test('a form brings the file with its name, and a table with what its columns are', async () => {
  const given = await promised()
  const table = `Tag;Wieviel;Wozu\n02.03.2026;${amountOf(given).replace('.', ',')};${given.reference}\n`
  const form = new FormData()
  form.set('file', new Blob([table], { type: 'text/csv' }), 'umsätze märz.csv')
  form.set('mapping', JSON.stringify({ Tag: 'bookedOn', Wieviel: 'amount', Wozu: 'text' }))
  const request = new Request('http://kalends.example', { method: 'POST', body: form })
  const answer = await upload(Buffer.from(await request.arrayBuffer()), {
    headers: { 'content-type': request.headers.get('content-type') ?? '' }
  })
  assert.equal(answer.status, 201, answer.text)
  assert.deepEqual(
    [answer.body.format, answer.body.fileName, answer.body.counts.booked],
    ['csv', 'umsätze märz.csv', 1]
  )
  assert.equal(await statusOf(given), 'TRANSFERRED')
})

test('what is no statement is refused with a reason, and nothing is kept of it', async () => {
  const before = (await treasurer.get('/bank-statements')).headers['x-total-count']
  const given = await promised()
  const whole = buildStatement([paidFor(given), paidFor(await promised())])
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const bad: [string, Buffer | string, Record<string, string>, number][] = [
    ['nothing', '', {}, 400],
    ['no XML', 'hello', {}, 400],
    ['another document', '<html/>', {}, 400],
    ['broken off', whole.subarray(0, whole.length - 300), {}, 400],
    ['an entity', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', {}, 400],
    ['JSON', '{}', { 'content-type': 'application/json' }, 415],
    ['another type', whole, { 'content-type': 'application/pdf' }, 415],
    ['a form without a file', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n', form, 400],
    ['a broken form', 'x', form, 400],
    [
      'a mapping that is none',
      '--x\r\ncontent-disposition: form-data; name="mapping"\r\n\r\n[1]\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na;b\r\n--x--\r\n',
      form,
      400
    ],
    ['too much', Buffer.alloc(50 * 1024 * 1024 + 65_537, 60), {}, 413]
  ]
  for (const [what, bytes, headers, status] of bad) {
    const answer = await upload(bytes, { headers })
    assert.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`)
    assert.ok(answer.body.detail.length > 10, what)
  }
  assert.equal((await treasurer.get('/bank-statements')).headers['x-total-count'], before)
  assert.equal(await statusOf(given), 'IN_PROCESS')
  assert.equal((await visitor.post('/campaigns', '<a/>', { 'content-type': 'application/xml' })).status, 401)
  assert.equal((await admin.post('/campaigns', {}, { 'content-type': 'text/csv' })).status, 415)
})

test('statements are listed newest first, page by page, and their entries in the order of the file, by result', async () => {
  const { statement, entries } = await imported([buildBooking(), buildBooking({ direction: 'out' }), buildBooking()])
  const { body, headers } = await treasurer.get('/bank-statements?limit=2')
  assert.deepEqual([body[0].id, body.length], [statement.id, 2])
  const next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? ''
  const following = await treasurer.get(next.replace(/^https?:\/\/[^/]+/, ''))
  assert.ok(following.body[0].id < body[1].id)
  const page = await treasurer.get(`/bank-statements/${statement.id}/entries?limit=1&result=unmatched`)
  assert.deepEqual([page.body[0].id, page.headers['x-total-count']], [entries[0].id, '2'])
  const link = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1] ?? ''
  const rest = await treasurer.get(link.replace(/^https?:\/\/[^/]+/, ''))
  assert.deepEqual(
    rest.body.map(({ id }: { id: string }) => id),
    [entries[2].id]
  )
  assert.equal((await treasurer.get(`/bank-statements/${statement.id}/entries?result=x`)).status, 400)
  assert.equal((await treasurer.get('/bank-statements/0')).status, 404)
})

test('several accounts and currencies in one file are each what they are', async () => {
  const given = await promised()
  const file = buildStatementFile([
    { bookings: [paidFor(given)] },
    { bookings: [buildBooking({ amount: '10.00' })], account: 'CH9300762011623852957', currency: 'CHF' }
  ])
  const { body } = await upload(file)
  const entries = await entriesOf(body.id)
  assert.deepEqual(
    entries.map(({ currency, account, result }: Record<string, string>) => [currency, account, result]),
    [
      ['EUR', 'DE89370400440532013000', 'booked'],
      ['CHF', 'CH9300762011623852957', 'unmatched']
    ]
  )
  assert.deepEqual([body.currency, body.amounts.unmatched], ['EUR', 0])
})

test('who paid is told to treasurers alone: not in logs, the record, webhooks, the stream, nor in the database itself', async () => {
  const secrets = {
    name: 'Wilhelmine Zahlungsgeheim',
    iban: 'DE75512108001245126199',
    text: 'Danke fuer Geheimniskram'
  }
  const given = await promised()
  await admin.post('/webhooks', { url: 'https://example.org/hook', actions: ['*'] })
  const { statement, entries } = await imported([
    paidFor(given, { ...secrets, text: `${secrets.text} ${given.reference}` }),
    buildBooking({ ...secrets, amount: '1.11' })
  ])
  await bank.change(entries[1], { ignored: true })
  assert.deepEqual(entries[0].counterpart, { name: secrets.name, iban: secrets.iban, bic: null })
  const editor = await withRole('editor')
  const paths = ['/bank-statements', `/bank-statements/${statement.id}`, `/bank-statements/${statement.id}/entries`]
  for (const path of paths) {
    assert.equal((await visitor.get(path)).status, 401)
    assert.equal((await editor.get(path)).status, 403)
  }
  const { text: activity } = await admin.get('/activity?limit=200')
  const told = await store.all(sql`
    select details, action from platform.webhook_deliveries
    union all select details, action from platform.activity`)
  const said = [activity, JSON.stringify(told), lines.join('\n')].join('\n')
  assert.ok(said.includes('statement.imported') && said.includes('statement.entry_changed'))
  assert.doesNotMatch(said, /Zahlungsgeheim|DE75512108|Geheimniskram/)
  const stored = await store.all(sql`select entry::text as text from fundraising.statement_entries as entry`)
  assert.doesNotMatch(JSON.stringify(stored), /DE75512108/)
})

test('what is known of a payer goes with the donor; that so much came stays', async () => {
  const given = await promised()
  const text = `KREF+ERNA-4711SVWZ+${given.reference}`
  const { statement, entries } = await imported([paidFor(given, { name: 'Erna Vergessen', text })])
  assert.deepEqual([entries[0].paymentInformationId, entries[0].text], ['ERNA-4711', given.reference])
  const { body } = await treasurer.get(`/donors/${given.id}`)
  assert.match(JSON.stringify(body), /Erna Vergessen/)
  assert.match(JSON.stringify(body), /ERNA-4711/)
  assert.ok((await treasurer.post(`/donors/${given.id}/erase`, {})).status < 300)
  const [entry] = await entriesOf(statement.id)
  assert.deepEqual(entry.counterpart, { name: null, iban: null, bic: null })
  assert.deepEqual([entry.text, entry.amount, entry.result], ['', entries[0].amount, 'booked'])
  assert.equal(entry.paymentInformationId, null)
})

test('a file with thousands of entries is taken in one by one with flat memory, and everything adds up', {
  skip: skipUnlessFull
}, async () => {
  const { id } = await aCampaign()
  const [count, others] = isFullRun && process.env.TEST_STORE !== 'server' ? [8000, 2000] : [500, 200]
  const donations = Array.from({ length: count }, (_, place) => ({
    id: newUuidV7(Date.now()),
    reference: newReference(id),
    cents: 1000 + place
  }))
  await store.run(sql`
    with given as (
      insert into fundraising.donations (
        campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, status, reference, created_at, updated_at
      )
      select ${id}, id, amount, 'Ada Lovelace', false, false, 'IN_PROCESS', reference, now(), now()
      from unnest(
        ${donations.map(one => one.id)}::uuid[], ${donations.map(one => one.reference)}::text[], ${donations.map(one => one.cents)}::bigint[]
      ) as made (id, reference, amount)
      returning campaign_id, id, amount_cents
    ), history as (
      insert into fundraising.donation_history (campaign_id, donation_id, number, status, at, actor)
      select campaign_id, id, 1, 'IN_PROCESS', now(), 'test' from given
    )
    insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
    select campaign_id, amount_cents, 0, 1 from given`)
  const file = buildStatement([
    ...donations.map(({ cents, reference }) =>
      buildBooking({ amount: (cents / 100).toFixed(2), text: `Spende ${reference}` })
    ),
    ...Array.from({ length: others }, (_, place) => buildBooking({ amount: '0.01', text: `Rechnung ${place}` }))
  ])
  const memory = watchHeap()
  const lookedBefore = await rowsLookedAt()
  let { status, body } = await upload(file)
  let uploads = 1
  // On a busy machine a batch takes too long and is refused; the same file, sent again, goes on where it was.
  for (; status === 503 && uploads < 10; uploads += 1) ({ status, body } = await upload(file))
  assert.ok(memory.most() < 30 * 1024 * 1024, `${memory.most()} bytes more`)
  assert.ok([200, 201].includes(status), `answered ${status}`)
  // Some 30 rows for each entry if the plans are right. A plan that reads all donations for each entry would read
  // millions. Statistics that PostgreSQL collects meanwhile change plans, so the bound is half of that.
  const looked = (await rowsLookedAt()) - lookedBefore
  const quadratic = count * (count + others) * uploads
  assert.ok(looked > count && looked < quadratic / 2, `${looked} rows in ${uploads} uploads: ${await describeReads()}`)
  const entries = await store.all<{ result: string; donationId: string | null }>(sql`
    select result, donation_id as "donationId" from fundraising.statement_entries
    where statement_id = ${body.id} order by position`)
  assert.equal(entries.length, count + others)
  for (const [place, { result, donationId }] of entries.entries()) {
    const expected = place < count ? ['booked', donations[place]?.id] : ['unmatched', null]
    assert.deepEqual([result, donationId], expected, `entry ${place + 1}`)
  }
  assert.deepEqual([body.counts.entries, body.counts.booked, body.counts.unmatched], [count + others, count, others])
  const sum = donations.reduce((total, { cents }) => total + cents, 0)
  assert.equal(Math.round(body.amounts.booked * 100), sum)
  const campaign = (await admin.get(`/campaigns/${id}`)).body
  assert.deepEqual([Math.round(campaign.amountTransferred * 100), campaign.donationCount], [sum, count])
  assert.equal((await upload(file)).body.repeated, true)
})

/** Since the database was made, up to a second ago. */
async function rowsLookedAt(): Promise<number> {
  const { rows } = await store.one<{ rows: number }>(sql`
    select seq_tup_read + idx_tup_fetch as rows from pg_stat_user_tables where relid = 'fundraising.donations'::regclass`)
  return rows
}

/** Which scans have read donations, for the message of a failure. */
async function describeReads(): Promise<string> {
  const scans = await store.all(sql`
    select 'all rows' as scan, seq_scan as count, seq_tup_read as rows
    from pg_stat_user_tables where relid = 'fundraising.donations'::regclass
    union all
    select indexrelname, idx_scan, idx_tup_fetch
    from pg_stat_user_indexes where relid = 'fundraising.donations'::regclass and idx_scan > 0`)
  return JSON.stringify(scans)
}

/** How much more is in use than now, at most: looked at every now and then, without what is only waiting to be cleared away. */
function watchHeap(): { most(): number } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const inUse = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = inUse()
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, inUse() - before)
  }, 1000)
  return {
    most: () => {
      clearInterval(timer)
      return most
    }
  }
}

test('doctor finds entries without their donation or their money, and money without its entry', async () => {
  const check = fundraisingChecks.find(({ name }) => name.startsWith('bank transactions'))
  assert.deepEqual(await check?.run(store), [])
  const { entries } = await imported([paidFor(await promised())])
  const { statementId, id, match } = entries[0]
  const entryIs = async (donationId: string) =>
    await store.run(sql`
      update fundraising.statement_entries set donation_id = ${donationId}
      where statement_id = ${statementId} and id = ${id}`)
  await entryIs(id)
  assert.deepEqual(await check?.run(store), ['1 entries of bank statements are booked for no donation'])
  await entryIs(match.donationId)
  const paymentIs = async (change: Sql) =>
    await store.run(sql`
      update fundraising.payments set ${change} where campaign_id = ${campaignId} and donation_id = ${match.donationId}`)
  await paymentIs(sql`amount_cents = amount_cents - 1`)
  assert.deepEqual(await check?.run(store), ['1 entries of bank statements are not the sum of their payments'])
  await paymentIs(sql`amount_cents = amount_cents + 1, entry_id = ${match.donationId}`)
  assert.deepEqual(await check?.run(store), [
    '1 entries of bank statements are booked and have no payment',
    '1 payments belong to no booked entry of a bank statement'
  ])
  await paymentIs(sql`entry_id = ${id}`)
  assert.deepEqual(await check?.run(store), [])
})
