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
const write = (...parts: unknown[]) => void lines.push(JSON.stringify(parts))
const log: Log = { debug: write, info: write, warn: write, error: write }
const bank = await startBankImports({ log })
const {
  admin,
  aCampaign,
  aDonation,
  readEntries,
  importBookings,
  readStatus,
  store,
  treasurer,
  upload,
  visitor,
  withRole
} = bank
const { id: campaignId } = await aCampaign()
let cents = 30_000
async function createPledge(fields: object = {}) {
  cents += 1
  return await aDonation(campaignId, { ...donation, amount: cents / 100, ...fields })
}
const formatAmount = ({ amount }: { amount: number }) => amount.toFixed(2)
const buildPayment = (pledged: { amount: number; reference: string }, fields: object = {}) =>
  buildBooking({ amount: formatAmount(pledged), text: pledged.reference, ...fields })
const toResults = (entries: { result: string }[]) => entries.map(({ result }) => result)
const countReceived = async ({ id }: { id: string }) =>
  (await admin.get(`/campaigns/${campaignId}/donations/${id}`)).body.history.filter(
    ({ status }: { status: string }) => status === 'TRANSFERRED'
  ).length

test('a repeated upload of the same file returns the first result and books nothing', async () => {
  const pledged = await createPledge()
  const file = buildStatement([buildPayment(pledged)])
  const first = await upload(file)
  assert.deepEqual([first.status, first.body.repeated, first.body.complete], [201, undefined, true])
  assert.match(first.headers.location ?? '', new RegExp(`/bank-statements/${first.body.id}$`))
  const again = await upload(file)
  assert.deepEqual([again.status, again.body], [200, { ...first.body, repeated: true }])
  assert.equal(await countReceived(pledged), 1)
})

test('in overlapping files an entry of an earlier file is a duplicate, by its bank reference or by all its fields', async () => {
  const [monday, tuesday, withoutReference] = [await createPledge(), await createPledge(), await createPledge()]
  const one = buildPayment(monday)
  // Two payments with equal fields in one file are two payments.
  const { bankReference: _, ...twin } = buildPayment(withoutReference, { text: 'Spende', amount: '8.00' })
  const first = await importBookings([one, twin, twin], { format: 'camt.054.001.08' })
  assert.deepEqual(toResults(first.entries), ['booked', 'unmatched', 'unmatched'])
  const week = await importBookings([one, buildPayment(tuesday), twin, twin, twin])
  assert.deepEqual(toResults(week.entries), ['known', 'booked', 'known', 'known', 'unmatched'])
  assert.deepEqual(week.entries[0].firstSeen, { statementId: first.statement.id, entryId: first.entries[0].id })
  const { counts } = week.statement
  assert.deepEqual([counts.entries, counts.known, counts.booked, counts.unmatched], [5, 3, 1, 1])
  assert.equal(await countReceived(monday), 1)
  const refused = await bank.change(week.entries[0], { donation: { campaignId, id: tuesday.id } })
  assert.deepEqual([refused.status, refused.body.code], [409, 'entry-cannot-be-assigned'])
})

test('concurrent uploads of the same file and of files with the same payments book each donation once', async () => {
  const donations = []
  for (let count = 0; count < 8; count += 1) donations.push(await createPledge())
  const payments = donations.map(pledged => buildPayment(pledged))
  const file = buildStatement(payments)
  const others = [
    buildStatement([...payments].reverse()),
    buildStatement(payments.slice(2), { format: 'camt.054.001.02' })
  ]
  const responses = await Promise.all([file, file, file, ...others].map(async bytes => await upload(bytes)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 201, 201, 201])
  assert.equal(new Set(responses.slice(0, 3).map(({ body }) => body.id)).size, 1)
  for (const pledged of donations) assert.equal(await countReceived(pledged), 1)
  const statements = [...new Set(responses.map(({ body }) => body.id))]
  const all = (await Promise.all(statements.map(async id => await readEntries(id)))).flat()
  assert.equal(all.filter(({ result }) => result === 'booked').length, donations.length)
  assert.equal(all.filter(({ result }) => result === 'known').length, all.length - donations.length)
})

test('a repeated Idempotency-Key gets the first response, and another file with it is refused', async () => {
  const file = buildStatement([buildPayment(await createPledge())])
  const headers = { 'idempotency-key': 'a-key-for-a-statement' }
  const first = await upload(file, { headers })
  const again = await upload(file, { headers })
  assert.deepEqual([again.status, again.headers['idempotent-replayed'], again.body], [201, 'true', first.body])
  const other = await upload(buildStatement([buildBooking()]), { headers })
  assert.equal(other.status, 422)
})

test('an interrupted import continues where it stopped when the file is uploaded again', async () => {
  const donations = [await createPledge(), await createPledge()]
  const file = buildStatement(donations.map(pledged => buildPayment(pledged)))
  const { body } = await upload(file)
  // The state after a process was killed before the last entry.
  assert.equal((await bank.change((await readEntries(body.id))[1], { donation: null })).status, 200)
  await store.run(sql`
    delete from fundraising.statement_entries where statement_id = ${body.id} and position = 2`)
  await store.run(sql`
    update fundraising.bank_statements set read_to = 1, finished_at = null where id = ${body.id}`)
  const again = await upload(file)
  assert.deepEqual([again.body.id, again.body.complete, again.body.counts.entries], [body.id, true, 2])
  assert.deepEqual(toResults(await readEntries(body.id)), ['booked', 'booked'])
  for (const pledged of donations) assert.equal(await readStatus(pledged), 'TRANSFERRED')
})

test('a multipart upload contains the file with its name and the mapping of CSV columns', async () => {
  const pledged = await createPledge()
  const table = `Tag;Wieviel;Wozu\n02.03.2026;${formatAmount(pledged).replace('.', ',')};${pledged.reference}\n`
  const form = new FormData()
  form.set('file', new Blob([table], { type: 'text/csv' }), 'umsätze märz.csv')
  form.set('mapping', JSON.stringify({ Tag: 'bookedOn', Wieviel: 'amount', Wozu: 'text' }))
  const request = new Request('http://kalends.example', { method: 'POST', body: form })
  const response = await upload(Buffer.from(await request.arrayBuffer()), {
    headers: { 'content-type': request.headers.get('content-type') ?? '' }
  })
  assert.equal(response.status, 201, response.text)
  assert.deepEqual(
    [response.body.format, response.body.fileName, response.body.counts.booked],
    ['csv', 'umsätze märz.csv', 1]
  )
  assert.equal(await readStatus(pledged), 'TRANSFERRED')
})

test('an invalid upload is refused with a message, and nothing is stored', async () => {
  const before = (await treasurer.get('/bank-statements')).headers['x-total-count']
  const pledged = await createPledge()
  const validFile = buildStatement([buildPayment(pledged), buildPayment(await createPledge())])
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const bad: [string, Buffer | string, Record<string, string>, number][] = [
    ['an empty file', '', {}, 400],
    ['text instead of XML', 'hello', {}, 400],
    ['another document', '<html/>', {}, 400],
    ['a truncated file', validFile.subarray(0, validFile.length - 300), {}, 400],
    ['an entity', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', {}, 400],
    ['JSON', '{}', { 'content-type': 'application/json' }, 415],
    ['another type', validFile, { 'content-type': 'application/pdf' }, 415],
    ['a form without a file', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n', form, 400],
    ['a broken form', 'x', form, 400],
    [
      'an invalid mapping',
      '--x\r\ncontent-disposition: form-data; name="mapping"\r\n\r\n[1]\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na;b\r\n--x--\r\n',
      form,
      400
    ],
    ['too large', Buffer.alloc(50 * 1024 * 1024 + 65_537, 60), {}, 413]
  ]
  for (const [description, bytes, headers, status] of bad) {
    const response = await upload(bytes, { headers })
    assert.equal(response.status, status, `${description}: ${response.text.slice(0, 300)}`)
    assert.ok(response.body.detail.length > 10, description)
  }
  assert.equal((await treasurer.get('/bank-statements')).headers['x-total-count'], before)
  assert.equal(await readStatus(pledged), 'IN_PROCESS')
  assert.equal((await visitor.post('/campaigns', '<a/>', { 'content-type': 'application/xml' })).status, 401)
  assert.equal((await admin.post('/campaigns', {}, { 'content-type': 'text/csv' })).status, 415)
})

test('statements are listed newest first in pages, and their entries in the order of the file, filtered by result', async () => {
  const { statement, entries } = await importBookings([
    buildBooking(),
    buildBooking({ direction: 'out' }),
    buildBooking()
  ])
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

test('entries of several accounts in one file keep their own account and currency', async () => {
  const pledged = await createPledge()
  const file = buildStatementFile([
    { bookings: [buildPayment(pledged)] },
    { bookings: [buildBooking({ amount: '10.00' })], account: 'CH9300762011623852957', currency: 'CHF' }
  ])
  const { body } = await upload(file)
  const entries = await readEntries(body.id)
  assert.deepEqual(
    entries.map(({ currency, account, result }: Record<string, string>) => [currency, account, result]),
    [
      ['EUR', 'DE89370400440532013000', 'booked'],
      ['CHF', 'CH9300762011623852957', 'unmatched']
    ]
  )
  assert.deepEqual([body.currency, body.amounts.unmatched], ['EUR', 0])
})

test('only treasurers read the payer: not editors or visitors, and it is in no log, activity or webhook; the IBAN is stored encrypted', async () => {
  const secrets = {
    name: 'Wilhelmine Zahlungsgeheim',
    iban: 'DE75512108001245126199',
    text: 'Danke fuer Geheimniskram'
  }
  const pledged = await createPledge()
  await admin.post('/webhooks', { url: 'https://example.org/hook', actions: ['*'] })
  const { statement, entries } = await importBookings([
    buildPayment(pledged, { ...secrets, text: `${secrets.text} ${pledged.reference}` }),
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
  const webhooksAndActivity = await store.all(sql`
    select details, action from platform.webhook_deliveries
    union all select details, action from platform.activity`)
  const parts = [activity, JSON.stringify(webhooksAndActivity), lines.join('\n')].join('\n')
  assert.ok(parts.includes('statement.imported') && parts.includes('statement.entry_changed'))
  assert.doesNotMatch(parts, /Zahlungsgeheim|DE75512108|Geheimniskram/)
  const stored = await store.all(sql`select entry::text as text from fundraising.statement_entries as entry`)
  assert.doesNotMatch(JSON.stringify(stored), /DE75512108/)
})

test('erasing a donor deletes the payer data of the entries and keeps their amounts', async () => {
  const pledged = await createPledge()
  const text = `KREF+ERNA-4711SVWZ+${pledged.reference}`
  const { statement, entries } = await importBookings([buildPayment(pledged, { name: 'Erna Vergessen', text })])
  assert.deepEqual([entries[0].paymentInformationId, entries[0].text], ['ERNA-4711', pledged.reference])
  const { body } = await treasurer.get(`/donors/${pledged.id}`)
  assert.match(JSON.stringify(body), /Erna Vergessen/)
  assert.match(JSON.stringify(body), /ERNA-4711/)
  assert.ok((await treasurer.post(`/donors/${pledged.id}/erase`, {})).status < 300)
  const [entry] = await readEntries(statement.id)
  assert.deepEqual(entry.counterpart, { name: null, iban: null, bic: null })
  assert.deepEqual([entry.text, entry.amount, entry.result], ['', entries[0].amount, 'booked'])
  assert.equal(entry.paymentInformationId, null)
})

test('a file with thousands of entries is imported with constant memory and correct sums', {
  skip: skipUnlessFull
}, async () => {
  const { id } = await aCampaign()
  const [count, others] = isFullRun && process.env.TEST_STORE !== 'server' ? [8000, 2000] : [500, 200]
  const donations = Array.from({ length: count }, (_, index) => ({
    id: newUuidV7(Date.now()),
    reference: newReference(id),
    cents: 1000 + index
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
    ...Array.from({ length: others }, (_, index) => buildBooking({ amount: '0.01', text: `Rechnung ${index}` }))
  ])
  const memory = watchHeap()
  const rowsBefore = await countRowsRead()
  let { status, body } = await upload(file)
  let uploads = 1
  // On a busy machine a batch may time out with 503; uploading the same file again continues the import.
  for (; status === 503 && uploads < 10; uploads += 1) ({ status, body } = await upload(file))
  assert.ok(memory.maxGrowth() < 30 * 1024 * 1024, `${memory.maxGrowth()} bytes more`)
  assert.ok([200, 201].includes(status), `answered ${status}`)
  // About 30 rows per entry with the right plans. A plan that reads all donations for each entry would read
  // millions. Statistics that PostgreSQL collects during the test change plans, so the bound is half of that.
  const rowsRead = (await countRowsRead()) - rowsBefore
  const quadratic = count * (count + others) * uploads
  assert.ok(
    rowsRead > count && rowsRead < quadratic / 2,
    `${rowsRead} rows in ${uploads} uploads: ${await describeReads()}`
  )
  const entries = await store.all<{ result: string; donationId: string | null }>(sql`
    select result, donation_id as "donationId" from fundraising.statement_entries
    where statement_id = ${body.id} order by position`)
  assert.equal(entries.length, count + others)
  for (const [index, { result, donationId }] of entries.entries()) {
    const expected = index < count ? ['booked', donations[index]?.id] : ['unmatched', null]
    assert.deepEqual([result, donationId], expected, `entry ${index + 1}`)
  }
  assert.deepEqual([body.counts.entries, body.counts.booked, body.counts.unmatched], [count + others, count, others])
  const sum = donations.reduce((total, { cents }) => total + cents, 0)
  assert.equal(Math.round(body.amounts.booked * 100), sum)
  const campaign = (await admin.get(`/campaigns/${id}`)).body
  assert.deepEqual([Math.round(campaign.amountTransferred * 100), campaign.donationCount], [sum, count])
  assert.equal((await upload(file)).body.repeated, true)
})

/** The number of rows of donations read since the database was created, up to a second ago. */
async function countRowsRead(): Promise<number> {
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

/** Measures the maximum growth of the heap every second, after garbage collection. */
function watchHeap(): { maxGrowth(): number } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const measureHeap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = measureHeap()
  let maxGrowth = 0
  const timer = setInterval(() => {
    maxGrowth = Math.max(maxGrowth, measureHeap() - before)
  }, 1000)
  return {
    maxGrowth: () => {
      clearInterval(timer)
      return maxGrowth
    }
  }
}

test('doctor reports booked entries without a donation or payment, wrong sums, and payments without an entry', async () => {
  const check = fundraisingChecks.find(({ name }) => name.startsWith('bank transactions'))
  assert.deepEqual(await check?.run(store), [])
  const { entries } = await importBookings([buildPayment(await createPledge())])
  const { statementId, id, match } = entries[0]
  const setDonationOfEntry = async (donationId: string) =>
    await store.run(sql`
      update fundraising.statement_entries set donation_id = ${donationId}
      where statement_id = ${statementId} and id = ${id}`)
  await setDonationOfEntry(id)
  assert.deepEqual(await check?.run(store), ['1 entries of bank statements are booked for no donation'])
  await setDonationOfEntry(match.donationId)
  const updatePayment = async (change: Sql) =>
    await store.run(sql`
      update fundraising.payments set ${change} where campaign_id = ${campaignId} and donation_id = ${match.donationId}`)
  await updatePayment(sql`amount_cents = amount_cents - 1`)
  assert.deepEqual(await check?.run(store), ['1 entries of bank statements are not the sum of their payments'])
  await updatePayment(sql`amount_cents = amount_cents + 1, entry_id = ${match.donationId}`)
  assert.deepEqual(await check?.run(store), [
    '1 entries of bank statements are booked and have no payment',
    '1 payments belong to no booked entry of a bank statement'
  ])
  await updatePayment(sql`entry_id = ${id}`)
  assert.deepEqual(await check?.run(store), [])
})
