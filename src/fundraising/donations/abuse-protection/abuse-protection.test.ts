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
const otherMachine = { remoteAddress: '192.0.2.1' }

/** Sends a donation from another machine, by a visitor unless a client is given. */
const donate = async (fields: object, headers: Record<string, string> = {}, client = visitor) =>
  await client.send({ method: 'POST', url, payload: { ...donation, ...fields }, headers, ...otherMachine })
const toAccount = (iban: string) => ({ account: { iban } })
/** Row by row: Citus does not calculate with times in an update. */
async function moveIntoPast(iban: string, interval: string): Promise<void> {
  const moved = await store.all<{ campaignId: number; id: string; moment: string }>(sql`
    select campaign_id as "campaignId", id, (created_at - ${interval}::interval)::text as moment
    from fundraising.donations
    where iban_fingerprint = (
      select iban_fingerprint from fundraising.donations where donor_name = ${iban} order by created_at desc limit 1
    )`)
  for (const { campaignId, id, moment } of moved) {
    await store.run(sql`
      update fundraising.donations set created_at = ${moment}::timestamptz where campaign_id = ${campaignId} and id = ${id}`)
  }
}

test('donations from one IBAN are limited per hour and to three times as many per day; other IBANs and treasurers are not limited', async () => {
  const iban = 'DE75512108001245126199'
  const donateFrom = async (spelled: string) => await donate({ ...toAccount(spelled), donorName: iban })
  assert.equal((await donateFrom(iban)).status, 201)
  const second = await donateFrom('de75 5121 0800 1245 1261 99')
  assert.equal(second.status, 201)
  // The number of remaining donations would show whether the owner of an IBAN donates here.
  assert.equal(second.headers.ratelimit, undefined)

  const refused = await donateFrom(iban)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.code, 'too-many-from-account')
  assert.equal(refused.body.errors[0].pointer, '/account/iban')
  assert.equal(refused.headers['ratelimit-policy'], '"donations-of-account";q=2;w=3600')
  const seconds = Number(refused.headers['retry-after'])
  assert.ok(seconds > 3500 && seconds <= 3600, String(seconds))
  assert.equal(refused.headers.ratelimit, `"donations-of-account";r=0;t=${seconds}`)
  assert.doesNotMatch(refused.text + JSON.stringify(logged), /DE75|5121/)

  assert.equal((await donate({ ...toAccount('DE02120300000000202051') })).status, 201)
  assert.equal((await donate({ ...toAccount(iban), donorName: iban }, {}, treasurer)).status, 201)
  assert.equal((await visitor.post(url, { ...donation, ...toAccount(iban), donorName: iban })).status, 201)

  // Donations by treasurers and from the local machine are never refused, but they count.
  await moveIntoPast(iban, '61 minutes')
  assert.equal((await donateFrom(iban)).status, 201)
  assert.equal((await donateFrom(iban)).status, 201)
  await moveIntoPast(iban, '61 minutes')
  const dailyLimit = await donateFrom(iban)
  assert.equal(dailyLimit.status, 429)
  assert.equal(dailyLimit.headers['ratelimit-policy'], '"donations-of-account";q=6;w=86400')
  assert.ok(Number(dailyLimit.headers['retry-after']) > 70_000)
  await moveIntoPast(iban, '1 day')
  assert.equal((await donateFrom(iban)).status, 201)
})

test('the limit per IBAN holds for concurrent donations', async () => {
  const iban = 'DE89370400440532013000'
  const all = await Promise.all(Array.from({ length: 30 }, async () => await donate(toAccount(iban))))
  assert.deepEqual(
    all.map(({ status }) => status).toSorted(),
    Array.from({ length: 30 }, (_, index) => (index < 2 ? 201 : 429))
  )
})

test('a donation that fills in the hidden honeypot field is refused and changes nothing', async () => {
  const before = (await visitor.get(`/campaigns/${campaignId}`)).body.donationCount
  const refused = await donate({ ...toAccount('DE91100000000123456789'), website: 'https://spam.example' })
  assert.equal(refused.status, 422)
  assert.deepEqual([refused.body.code, refused.body.errors[0].pointer], ['not-a-person', '/website'])
  assert.equal((await donate({ website: 'x', amount: 0.01 })).body.code, 'not-a-person')
  assert.equal((await visitor.get(`/campaigns/${campaignId}`)).body.donationCount, before)
  for (const website of ['', '  ', null]) {
    assert.equal((await visitor.post(url, { ...donation, website })).status, 201, JSON.stringify(website))
  }
})

type Challenge = Awaited<ReturnType<typeof newChallenge>>

/** Encodes a proof of work as a browser sends it. */
const encodeProof = (payload: object) => Buffer.from(JSON.stringify(payload)).toString('base64')
const solve = async (challenge: Challenge) => ({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })

test('if the organisation requires a proof of work, a donation by a visitor needs a valid one that was not used before', async () => {
  const off = await visitor.get('/challenge')
  assert.deepEqual(off.body, { required: false, challenge: null })
  assert.equal(off.headers['cache-control'], 'no-store')
  assert.equal((await visitor.post(url, { ...donation, proofOfWork: 'whatever' })).status, 201)

  assert.equal((await admin.patch('/organisation', { proofOfWork: true })).status, 200)
  const { required, challenge } = (await visitor.get('/challenge')).body
  assert.equal(required, true)
  const other = (await visitor.get('/challenge')).body.challenge
  assert.notEqual(challenge.signature, other.signature)
  const { solution } = await solve(challenge)
  const proofOfWork = encodeProof({ challenge, solution })
  const { parameters, signature } = challenge

  const attempts: [string, unknown][] = [
    ['missing', undefined],
    ['empty', ''],
    ['null', null],
    ['invalid base64', '§§§'],
    ['invalid JSON', Buffer.from('{').toString('base64')],
    ['JSON null', encodeProof(JSON.parse('null'))],
    ['JSON arrays', encodeProof([[], []])],
    ['no solution', encodeProof({ challenge })],
    ['solution of another challenge', encodeProof({ challenge: other, solution })],
    ['lower cost', encodeProof({ challenge: { parameters: { ...parameters, cost: 1 }, signature }, solution })],
    [
      'later expiry',
      encodeProof({ challenge: { parameters: { ...parameters, expiresAt: 9e9 }, signature }, solution })
    ],
    ['no expiry', encodeProof({ challenge: { parameters: { ...parameters, expiresAt: null }, signature }, solution })],
    ['wrong types', encodeProof({ challenge, solution: { counter: 'a', derivedKey: {} } })],
    ['unsigned', encodeProof({ challenge: { parameters }, solution })],
    [
      'expired',
      encodeProof({
        challenge: await newChallenge(settings, donationProof, new Date(Date.now() - 11 * 60_000)),
        solution
      })
    ],
    [
      'signed with another key',
      encodeProof({
        challenge: await newChallenge({ ...settings, encryptionKey: 'x' }, donationProof, new Date()),
        solution
      })
    ]
  ]
  for (const [description, sent] of attempts) {
    const { status, body } = await visitor.post(url, { ...donation, proofOfWork: sent })
    assert.deepEqual([status, body.code], [422, 'proof-of-work'], description)
    assert.equal(body.errors[0].pointer, '/proofOfWork', description)
  }

  // A donation that is refused for another reason does not use the proof up.
  assert.equal((await visitor.post(url, { ...donation, amount: 1, proofOfWork })).body.code, 'donation-too-small')
  const key = { 'idempotency-key': 'the-same-donation' }
  const both = await Promise.all([1, 2].map(() => visitor.post(url, { ...donation, proofOfWork })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 422])
  const secondProof = encodeProof(await solve(other))
  assert.equal((await visitor.post(url, { ...donation, proofOfWork: secondProof }, key)).status, 201)
  const replayed = await visitor.post(url, { ...donation, proofOfWork: secondProof }, key)
  assert.deepEqual([replayed.status, replayed.headers['idempotent-replayed']], [201, 'true'])
  const again = await visitor.post(url, { ...donation, proofOfWork: secondProof })
  assert.match(again.body.detail, /was already used/)
  assert.equal((await treasurer.post(url, donation)).status, 201)

  // Another process refuses used proofs too; they are deleted only after they expire.
  const second = await startCampaigns({ database: { url: settings.databaseUrl ?? '', remove: async () => {} } })
  assert.equal((await second.visitor.post(url, { ...donation, proofOfWork: secondProof })).body.code, 'proof-of-work')
  const countUsedProofs = async () => (await store.all(sql`select challenge from fundraising.used_proofs`)).length
  await deleteExpiredProofs(store)
  assert.equal(await countUsedProofs(), 2)
  await store.run(sql`update fundraising.used_proofs set expires_at = now() - interval '1 second'`)
  await deleteExpiredProofs(store)
  assert.equal(await countUsedProofs(), 0)
  await admin.patch('/organisation', { proofOfWork: false })
})

test('the log contains no IBAN, donor name or honeypot value of checked donations', () => {
  assert.ok(logged.length > 20)
  assert.doesNotMatch(JSON.stringify(logged), /DE75|DE02|spam\.example|Lovelace/)
})
