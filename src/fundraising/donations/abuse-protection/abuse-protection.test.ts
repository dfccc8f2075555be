// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from '#platform/database/sql.ts'
import { newChallenge } from '#platform/proof-of-work/proof-of-work.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { deleteExpiredProofs, donationProof } from './abuse-protection.ts'

const logged: unknown[] = []
const write = (...line: unknown[]) => void logged.push(line)
const log = { debug: write, info: write, warn: write, error: write }
const { admin, visitor, store, settings, withRole, aCampaign } = await startCampaigns({
  log,
  env: { RATE_LIMIT: '0', RATE_LIMIT_DONATIONS: '0', RATE_LIMIT_DONATIONS_PER_ACCOUNT: '2' }
})
const treasurer = await withRole('treasurer')
const { id: campaignId } = await aCampaign()
const url = `/campaigns/${campaignId}/donations`
const elsewhere = { remoteAddress: '192.0.2.1' }

/** Of the public, from another machine. */
const give = async (fields: object, headers: Record<string, string> = {}, client = visitor) =>
  await client.send({ method: 'POST', url, payload: { ...donation, ...fields }, headers, ...elsewhere })
const accountOf = (iban: string) => ({ account: { iban } })
const inPast = async (iban: string, interval: string) =>
  await store.run(sql`
    update fundraising.donations set created_at = created_at - ${interval}::interval
    where iban_fingerprint = (
      select iban_fingerprint from fundraising.donations where donor_name = ${iban} order by created_at desc limit 1
    )`)

test('one account gives so many times an hour and three times as many a day, whatever the address; others are not held back', async () => {
  const iban = 'DE75512108001245126199'
  const from = async (spelled: string) => await give({ ...accountOf(spelled), donorName: iban })
  assert.equal((await from(iban)).status, 201)
  const second = await from('de75 5121 0800 1245 1261 99')
  assert.equal(second.status, 201)
  // How many are left would tell everybody who knows a number whether its owner gives here.
  assert.equal(second.headers.ratelimit, undefined)

  const refused = await from(iban)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.code, 'too-many-from-account')
  assert.equal(refused.body.errors[0].pointer, '/account/iban')
  assert.equal(refused.headers['ratelimit-policy'], '"donations-of-account";q=2;w=3600')
  const seconds = Number(refused.headers['retry-after'])
  assert.ok(seconds > 3500 && seconds <= 3600, String(seconds))
  assert.equal(refused.headers.ratelimit, `"donations-of-account";r=0;t=${seconds}`)
  assert.doesNotMatch(refused.text + JSON.stringify(logged), /DE75|5121/)

  assert.equal((await give({ ...accountOf('DE02120300000000202051') })).status, 201)
  assert.equal((await give({ ...accountOf(iban), donorName: iban }, {}, treasurer)).status, 201)
  assert.equal((await visitor.post(url, { ...donation, ...accountOf(iban), donorName: iban })).status, 201)

  // Those of treasurers and of the machine count, too; they are only not refused.
  await inPast(iban, '61 minutes')
  assert.equal((await from(iban)).status, 201)
  assert.equal((await from(iban)).status, 201)
  await inPast(iban, '61 minutes')
  const day = await from(iban)
  assert.equal(day.status, 429)
  assert.equal(day.headers['ratelimit-policy'], '"donations-of-account";q=6;w=86400')
  assert.ok(Number(day.headers['retry-after']) > 70_000)
  await inPast(iban, '1 day')
  assert.equal((await from(iban)).status, 201)
})

test('the limit of an account holds for donations at the same moment', async () => {
  const iban = 'DE89370400440532013000'
  const all = await Promise.all(Array.from({ length: 30 }, async () => await give(accountOf(iban))))
  assert.deepEqual(
    all.map(({ status }) => status).toSorted(),
    Array.from({ length: 30 }, (_, index) => (index < 2 ? 201 : 429))
  )
})

test('a field that people do not see must stay empty, and what programs fill in changes nothing', async () => {
  const before = (await visitor.get(`/campaigns/${campaignId}`)).body.donationCount
  const caught = await give({ ...accountOf('DE91100000000123456789'), website: 'https://spam.example' })
  assert.equal(caught.status, 422)
  assert.deepEqual([caught.body.code, caught.body.errors[0].pointer], ['not-a-person', '/website'])
  assert.equal((await give({ website: 'x', amount: 0.01 })).body.code, 'not-a-person')
  assert.equal((await visitor.get(`/campaigns/${campaignId}`)).body.donationCount, before)
  for (const website of ['', '  ', null]) {
    assert.equal((await visitor.post(url, { ...donation, website })).status, 201, JSON.stringify(website))
  }
})

type Challenge = Awaited<ReturnType<typeof newChallenge>>

/** What a browser sends. */
const sentFor = (payload: object) => Buffer.from(JSON.stringify(payload)).toString('base64')
const solved = async (challenge: Challenge) => ({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })

test('a donation by the public proves that something was calculated for it, once, where the organisation asks for that', async () => {
  const off = await visitor.get('/challenge')
  assert.deepEqual(off.body, { required: false, challenge: null })
  assert.equal(off.headers['cache-control'], 'no-store')
  assert.equal((await visitor.post(url, { ...donation, proofOfWork: 'whatever' })).status, 201)

  assert.equal((await admin.patch('/organisation', { proofOfWork: true })).status, 200)
  const { required, challenge } = (await visitor.get('/challenge')).body
  assert.equal(required, true)
  const other = (await visitor.get('/challenge')).body.challenge
  assert.notEqual(challenge.signature, other.signature)
  const { solution } = await solved(challenge)
  const proofOfWork = sentFor({ challenge, solution })
  const { parameters, signature } = challenge

  const attempts: [string, unknown][] = [
    ['missing', undefined],
    ['empty', ''],
    ['null', null],
    ['no base64', '§§§'],
    ['no JSON', Buffer.from('{').toString('base64')],
    ['JSON of nothing', sentFor(JSON.parse('null'))],
    ['JSON of lists', sentFor([[], []])],
    ['no solution', sentFor({ challenge })],
    ['solution of another', sentFor({ challenge: other, solution })],
    ['cheaper', sentFor({ challenge: { parameters: { ...parameters, cost: 1 }, signature }, solution })],
    ['longer', sentFor({ challenge: { parameters: { ...parameters, expiresAt: 9e9 }, signature }, solution })],
    ['for ever', sentFor({ challenge: { parameters: { ...parameters, expiresAt: null }, signature }, solution })],
    ['strange types', sentFor({ challenge, solution: { counter: 'a', derivedKey: {} } })],
    ['unsigned', sentFor({ challenge: { parameters }, solution })],
    [
      'expired',
      sentFor({ challenge: await newChallenge(settings, donationProof, new Date(Date.now() - 11 * 60_000)), solution })
    ],
    [
      'of others',
      sentFor({
        challenge: await newChallenge({ ...settings, encryptionKey: 'x' }, donationProof, new Date()),
        solution
      })
    ]
  ]
  for (const [what, sent] of attempts) {
    const { status, body } = await visitor.post(url, { ...donation, proofOfWork: sent })
    assert.deepEqual([status, body.code], [422, 'proof-of-work'], what)
    assert.equal(body.errors[0].pointer, '/proofOfWork', what)
  }

  // What is refused for another reason does not use it up.
  assert.equal((await visitor.post(url, { ...donation, amount: 1, proofOfWork })).body.code, 'donation-too-small')
  const key = { 'idempotency-key': 'the-same-donation' }
  const both = await Promise.all([1, 2].map(() => visitor.post(url, { ...donation, proofOfWork })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 422])
  const fresh = sentFor(await solved(other))
  assert.equal((await visitor.post(url, { ...donation, proofOfWork: fresh }, key)).status, 201)
  const replayed = await visitor.post(url, { ...donation, proofOfWork: fresh }, key)
  assert.deepEqual([replayed.status, replayed.headers['idempotent-replayed']], [201, 'true'])
  const again = await visitor.post(url, { ...donation, proofOfWork: fresh })
  assert.match(again.body.detail, /was already used/)
  assert.equal((await treasurer.post(url, donation)).status, 201)

  // Another process knows what was used, and forgets it only when it has expired.
  const second = await startCampaigns({ database: { url: settings.databaseUrl ?? '', remove: async () => {} } })
  assert.equal((await second.visitor.post(url, { ...donation, proofOfWork: fresh })).body.code, 'proof-of-work')
  const remembered = async () => (await store.all(sql`select challenge from fundraising.used_proofs`)).length
  await deleteExpiredProofs(store)
  assert.equal(await remembered(), 2)
  await store.run(sql`update fundraising.used_proofs set expires_at = now() - interval '1 second'`)
  await deleteExpiredProofs(store)
  assert.equal(await remembered(), 0)
  await admin.patch('/organisation', { proofOfWork: false })
})

test('nothing of what the guard looks at reaches the log', () => {
  assert.ok(logged.length > 20)
  assert.doesNotMatch(JSON.stringify(logged), /DE75|DE02|spam\.example|Lovelace/)
})
