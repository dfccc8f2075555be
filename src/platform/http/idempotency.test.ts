// test: server
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { waitUntil } from '#test/support/kalends-process.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'
import { sql } from '../database/sql.ts'
import { deleteExpiredResponses } from './idempotency.ts'

const { admin, visitor, settings, store, withRole, aCampaign } = await startCampaigns({
  env: { TRUST_PROXY: '1', RATE_LIMIT_DONATIONS: '0', RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' }
})

/** A key that no other test uses. */
let made = 0
const newKey = () => {
  made += 1
  return { 'idempotency-key': `key-${made}-of-the-idempotency-tests` }
}
const named = (name: string) => ({ ...campaign, name })
const countNamed = async (name: string) =>
  (await store.one<{ n: number }>(sql`select count(*) as n from fundraising.campaigns where name = ${name}`)).n
const countAnswers = async () => (await store.one<{ n: number }>(sql`select count(*) as n from platform.idempotency`)).n

test('the same request again is answered like the first time, and done once', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('once'), key)
  assert.equal(first.status, 201)
  assert.equal(first.headers['idempotent-replayed'], undefined)
  for (let count = 0; count < 3; count += 1) {
    const again = await admin.post('/campaigns', named('once'), key)
    assert.equal(again.status, 201)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.location, first.headers.location)
    assert.equal(again.headers.etag, first.headers.etag)
    assert.equal(again.headers['content-type'], first.headers['content-type'])
    assert.equal(again.headers['idempotent-replayed'], 'true')
  }
  assert.equal(await countNamed('once'), 1)
})

test('an answer that comes again waits for the disks that the first one waited for', async () => {
  const key = newKey()
  const { body } = await admin.post('/campaigns', named('on two disks'), key)
  const transaction = async () =>
    (await store.one<{ tx: string }>(sql`select max(xmin::text::bigint) as tx from platform.idempotency`)).tx
  const before = await transaction()
  assert.equal((await admin.post('/campaigns', named('on two disks'), key)).body.id, body.id)
  assert.ok((await transaction()) > before, 'Only a transaction that writes waits for a standby.')
})

test('every POST that creates takes an Idempotency-Key', async () => {
  const { id } = await aCampaign()
  const creating: [path: string, body: object][] = [
    ['/campaigns', campaign],
    [`/campaigns/${id}/donations`, donation],
    ['/keys', { name: 'twice', role: 'viewer' }]
  ]
  for (const [path, body] of creating) {
    const key = newKey()
    const first = await admin.post(path, body, key)
    const again = await admin.post(path, body, key)
    assert.deepEqual([first.status, again.status], [201, 201], path)
    assert.deepEqual(again.body, first.body, path)
    assert.equal(again.headers.location, first.headers.location, path)
    assert.equal(again.headers['idempotent-replayed'], 'true', path)
  }
})

test('the first answer comes again also when the thing has changed or is gone', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('changed later'), key)
  await admin.put(`/campaigns/${first.body.id}`, named('changed'))
  await admin.delete(`/campaigns/${first.body.id}`)
  assert.deepEqual((await admin.post('/campaigns', named('changed later'), key)).body, first.body)
})

test('blanks in the JSON, a query or a trailing slash do not make another request', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('the same'), key)
  const headers = { ...key, 'content-type': 'application/json' }
  const payload = JSON.stringify(named('the same'), undefined, 4)
  for (const url of ['/campaigns', '/campaigns/', '/campaigns?from=form']) {
    const again = await admin.send({ method: 'POST', url, headers, payload })
    assert.equal(again.body.id, first.body.id, url)
  }
})

test('the same key is another one for another caller and another path', async () => {
  const key = newKey()
  const callers = [admin, await withRole('editor'), await withRole('editor'), await withRole('treasurer')]
  const ids = new Set<number>()
  for (const caller of callers) ids.add((await caller.post('/campaigns', named('of many'), key)).body.id)
  assert.equal(ids.size, callers.length)

  const [one, other] = [await aCampaign(), await aCampaign()]
  const paths = [one, other].map(({ id }) => `/campaigns/${id}/donations`)
  const donations = new Set<string>()
  for (const path of paths) donations.add((await visitor.post(path, donation, key)).body.id)
  assert.equal(donations.size, 2)
})

const from = (address: string) => ({ 'x-forwarded-for': address })

test('a stranger with the key and the body of a visitor gets neither the answer nor a second donation', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const key = newKey()
  const first = await visitor.post(path, donation, { ...key, ...from('192.0.2.1') })
  assert.equal(first.status, 201)
  for (const address of ['192.0.2.2', '2001:db8::1']) {
    const other = await visitor.post(path, donation, { ...key, ...from(address), 'accept-language': 'de' })
    assert.deepEqual([other.status, other.body.code], [409, 'idempotency-key-of-another-network'])
    assert.match(other.body.detail, /aus einem anderen Netz eingegangen/)
    assert.ok(!other.text.includes(first.body.donorToken) && !other.text.includes(first.body.id))
  }
  const again = await visitor.post(path, donation, { ...key, ...from('192.0.2.1') })
  assert.deepEqual([again.status, again.body.donorToken], [201, first.body.donorToken])
  assert.equal((await admin.get(`/campaigns/${id}`)).body.donationCount, 1)
  // Whoever has credentials is not a visitor.
  assert.equal(
    (await admin.post(path, donation, { ...key, ...from('192.0.2.1') })).headers['idempotent-replayed'],
    undefined
  )
})

test('each network of visitors has keys of its own, and all addresses of a household are one network', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const key = newKey()
  const other = { ...donation, amount: 77 }
  const [one, two] = [
    await visitor.post(path, donation, { ...key, ...from('192.0.2.1') }),
    await visitor.post(path, other, { ...key, ...from('192.0.2.2') })
  ]
  assert.deepEqual([one.status, two.status], [201, 201])
  assert.notEqual(one.body.id, two.body.id)
  assert.equal((await visitor.post(path, other, { ...key, ...from('192.0.2.1') })).status, 422)

  // Two donors whose programs count: nothing but the network tells them apart.
  const short = { 'idempotency-key': '1' }
  const tokens = new Set<string>()
  for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1']) {
    const made = await visitor.post(path, donation, { ...short, ...from(address) })
    assert.equal(made.status, 201, made.text)
    tokens.add(made.body.donorToken)
  }
  assert.equal(tokens.size, 4)
})

test('a visitor’s request from before networks had keys of their own is not done again', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const key = newKey()
  assert.equal((await visitor.post(path, donation, { ...key, ...from('192.0.2.1') })).status, 201)
  const before = createHash('sha256')
    .update(JSON.stringify(['visitor', 'POST', path, key['idempotency-key']]))
    .digest()
  await store.run(sql`
    update platform.idempotency set key_hash = ${before}, request_hash = null
    where created_at = (select max(created_at) from platform.idempotency)`)
  assert.equal((await visitor.post(path, donation, { ...key, ...from('192.0.2.1') })).status, 409)
})

test('of one request that comes from many networks at once one is done', async () => {
  const { id } = await aCampaign()
  const key = newKey()
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      visitor.post(`/campaigns/${id}/donations`, donation, { ...key, ...from(`192.0.2.${index + 1}`) })
    )
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.ok(answers.every(({ status }) => status === 201 || status === 409))
  assert.equal((await admin.get(`/campaigns/${id}`)).body.donationCount, 1)
})

test('of several bodies that a visitor sends at once with one key one is done', async () => {
  const { id } = await aCampaign()
  const key = newKey()
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 50 + index }, { ...key, ...from('192.0.2.1') })
    )
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.ok(answers.every(({ status }) => [201, 409, 422].includes(status)))
  assert.equal((await admin.get(`/campaigns/${id}`)).body.donationCount, 1)
})

test('an answer needs the key of the installation, and a lost one does not have it done again', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('encrypted'), key)
  const { encryptionKey } = settings
  settings.encryptionKey = 'another key that nothing was encrypted with'
  try {
    const lost = await admin.post('/campaigns', named('encrypted'), key)
    assert.deepEqual([lost.status, lost.body.code], [409, 'idempotency-answer-lost'])
    settings.encryptionKeysOld = [encryptionKey ?? '']
    assert.deepEqual((await admin.post('/campaigns', named('encrypted'), key)).body, first.body)
  } finally {
    settings.encryptionKey = encryptionKey
    settings.encryptionKeysOld = []
  }
  assert.equal(await countNamed('encrypted'), 1)
})

test('the same key with another body is refused with 422, and changes nothing', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('first body'), key)
  const other = await admin.post('/campaigns', named('other body'), key)
  assert.equal(other.status, 422)
  assert.equal(other.body.code, 'idempotency-key-reused')
  assert.equal(await countNamed('other body'), 0)
  assert.deepEqual((await admin.post('/campaigns', named('first body'), key)).body, first.body)
})

test('while the first request is under way the second gets 409, and afterwards the first answer', async () => {
  const key = newKey()
  const send = async () => await admin.post('/campaigns', named('in flight'), key)
  const [first, second] = await whileActivityIsLocked(async waiting => {
    const sent = send()
    await waitUntil(waiting)
    return [sent, await send()] as const
  })
  assert.equal(second.status, 409)
  assert.equal(second.body.code, 'idempotency-key-in-flight')
  assert.ok(Number(second.headers['retry-after']) > 0)
  assert.equal((await first).status, 201)
  assert.deepEqual((await send()).body, (await first).body)
  assert.equal(await countNamed('in flight'), 1)
})

test('of many requests at once with one key one is done', async () => {
  const key = newKey()
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => await admin.post('/campaigns', named('at once'), key))
  )
  const done = answers.filter(({ status }) => status === 201)
  assert.ok(done.length >= 1)
  assert.ok(answers.every(({ status }) => status === 201 || status === 409))
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  assert.equal(await countNamed('at once'), 1)
})

test('a refused request does not use the key up', async () => {
  const { id } = await aCampaign({ status: 'closed' })
  const path = `/campaigns/${id}/donations`
  const key = newKey()
  const statuses = [
    (await visitor.post(path, { ...donation, amount: 'much' }, key)).status,
    (await visitor.post(path, donation, key)).status
  ]
  await admin.patch(`/campaigns/${id}`, { status: 'open' })
  statuses.push((await visitor.post(path, { ...donation, amount: 1 }, key)).status)
  assert.deepEqual(statuses, [400, 409, 422])
  const done = await visitor.post(path, donation, key)
  assert.equal(done.status, 201)
  assert.equal(done.headers['idempotent-replayed'], undefined)
})

test('a key that is empty, too long or not printable is refused by the name of the header', async () => {
  const before = await countAnswers()
  for (const key of ['', ' ', 'x'.repeat(256), 'two words', 'tab\tbed', 'schl\u00fcssel', 'one, other']) {
    const { status, body } = await admin.post('/campaigns', named('bad key'), { 'idempotency-key': key })
    assert.equal(status, 400, key)
    const [error, ...more] = body.errors
    assert.deepEqual([error.in, error.pointer, more], ['header', '/idempotency-key', []], key)
    assert.match(error.message, /Idempotency-Key/)
  }
  assert.equal(await countNamed('bad key'), 0)
  assert.equal(await countAnswers(), before)
  const longest = { 'idempotency-key': 'x'.repeat(255) }
  assert.equal((await admin.post('/campaigns', named('long key'), longest)).status, 201)
})

test('an answer is kept for 24 hours and no longer', async () => {
  const key = newKey()
  const send = async () => await admin.post('/campaigns', named('kept'), key)
  const first = await send()
  const answer = await newestAnswer()
  await age(answer, '23 hours 59 minutes')
  assert.equal((await send()).body.id, first.body.id)
  await age(answer, '2 minutes')
  const second = await send()
  assert.equal(second.status, 201)
  assert.notEqual(second.body.id, first.body.id)
  assert.equal(second.headers['idempotent-replayed'], undefined)
  assert.equal((await send()).body.id, second.body.id)
})

test('answers that are too old are forgotten, younger ones are not', async () => {
  const [old, young] = [newKey(), newKey()]
  await admin.post('/campaigns', named('old'), old)
  const oldAnswer = await newestAnswer()
  const youngOne = await admin.post('/campaigns', named('young'), young)
  const before = await countAnswers()
  await deleteExpiredResponses(store, new Date())
  assert.equal(await countAnswers(), before)
  await age(oldAnswer, '24 hours 1 minute')
  await deleteExpiredResponses(store, new Date())
  assert.equal(await countAnswers(), before - 1)
  assert.equal((await admin.post('/campaigns', named('young'), young)).body.id, youngOne.body.id)
  await deleteExpiredResponses(store, new Date(Date.now() + 25 * 3_600_000))
  assert.equal(await countAnswers(), 0)
})

test('what is stored shows neither the Idempotency-Key nor the API key that was answered', async () => {
  const key = newKey()
  const issued = await admin.post('/keys', { name: 'a-name-to-look-for', role: 'viewer' }, key)
  const rows = await store.all<Record<string, unknown>>(sql`
    select key_hash, body_hash, response, created_at from platform.idempotency`)
  const secrets = [key['idempotency-key'], issued.body.key, ...issued.body.key.split('_').slice(1), 'a-name-to-look']
  for (const value of rows.flatMap(Object.values)) {
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value))
    for (const secret of secrets) assert.ok(!bytes.includes(secret))
  }
  assert.ok(rows.length > 0)
})

const failures: [what: string, table: string][] = [
  ['the thing', 'fundraising.campaigns'],
  ['the record', 'platform.activity'],
  ['the answer', 'platform.idempotency']
]

test('the thing, its record and the stored answer are kept together or not at all', async () => {
  for (const [what, table] of failures) {
    const key = newKey()
    const name = `fails with ${what}`
    const before = await countAnswers()
    await store.script(`alter table ${table} add constraint never check (false) not valid`)
    const failed = await admin.post('/campaigns', named(name), key)
    await store.script(`alter table ${table} drop constraint never`)
    assert.equal(failed.status, 500, what)
    assert.equal(await countNamed(name), 0, what)
    assert.equal(await countAnswers(), before, what)

    const done = await admin.post('/campaigns', named(name), key)
    assert.equal(done.status, 201, what)
    assert.equal(done.headers['idempotent-replayed'], undefined, what)
    assert.equal(await countNamed(name), 1, what)
  }
})

/** Every creation waits at its record until the work is done. */
async function whileActivityIsLocked<Result>(work: (waiting: () => Promise<boolean>) => Promise<Result>) {
  return await store.transaction(async tx => {
    await tx.script('lock table platform.activity in share mode')
    return await work(async () => {
      const { n } = await store.one<{ n: number }>(sql`
        select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return n > 0
    })
  })
}

async function newestAnswer(): Promise<Buffer> {
  const { hash } = await store.one<{ hash: Buffer }>(sql`
    select key_hash as hash from platform.idempotency order by created_at desc limit 1`)
  return hash
}

async function age(answer: Buffer, by: string): Promise<void> {
  await store.run(sql`
    update platform.idempotency set created_at = created_at - ${by}::interval where key_hash = ${answer}`)
}
