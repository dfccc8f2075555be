// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from '#platform/database/sql.ts'
import { newChallenge } from '#platform/proof-of-work/proof-of-work.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'
import { suggestionProof } from './suggest.ts'

// With a public URL, so that requests count as those of visitors.
const started = await startCalendar({
  env: { RATE_LIMIT: '0', RATE_LIMIT_SUGGESTIONS: '0', PUBLIC_URL: 'https://calendar.example', TRUST_PROXY: 'true' }
})
const { admin, visitor, store, settings, withRole } = started
const editor = await withRole('editor')
const path = `${calendar}/suggestions`

let sent = 0
function newSuggestion(fields: object = {}) {
  sent += 1
  return { title: 'Party', start_date: '2031-06-01', sender_email: `guard-${sent}@example.org`, ...fields }
}
const countSuggestions = async () =>
  (await store.one<{ count: number }>(sql`select count(*)::int as count from calendar.suggestions`)).count

test('a sender can have at most five waiting suggestions, also with concurrent requests', async () => {
  const sender_email = 'eager@example.org'
  const answers = await Promise.all(
    Array.from({ length: 9 }, async () => await visitor.post(path, newSuggestion({ sender_email })))
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 429, 429, 429, 429])
  const refused = answers.find(({ status }) => status === 429)
  assert.deepEqual([refused?.body.code, refused?.headers['retry-after']], ['too-many-from-sender', '3600'])
  assert.equal((await visitor.post(path, newSuggestion({ sender_email: 'EAGER@example.org' }))).status, 429)
  assert.equal((await editor.post(path, newSuggestion({ sender_email }))).status, 201)
  const [first] = (await editor.get(`${path}?email=${sender_email}&state=open`)).body.suggestions
  await editor.post(`${path}/${first.id}/decline`)
  const [second] = (await editor.get(`${path}?email=${sender_email}&state=open`)).body.suggestions
  await editor.post(`${path}/${second.id}/accept`)
  assert.equal((await visitor.post(path, newSuggestion({ sender_email }))).status, 201)
})

test('suggestions are refused while 500 are waiting', async () => {
  await store.run(sql`
    insert into calendar.suggestions (state, language, sender_email, created_at, queued_at)
    select 'open', 'en', 'flood-' || number || '@example.org', now(), now() from generate_series(1, 500) as number`)
  const { status, body } = await visitor.post(path, newSuggestion())
  assert.deepEqual([status, body.code], [429, 'too-many-suggestions'])
  await store.run(sql`delete from calendar.suggestions where sender_email like 'flood-%'`)
  assert.equal((await visitor.post(path, newSuggestion())).status, 201)
})

test('a suggestion with a value in the hidden field is refused', async () => {
  const before = await countSuggestions()
  const { status, body } = await visitor.post(path, newSuggestion({ homepage: 'https://spam.example' }))
  assert.deepEqual([status, body.code], [422, 'not-a-person'])
  assert.equal(await countSuggestions(), before)
})

const encode = (payload: object) => Buffer.from(JSON.stringify(payload)).toString('base64')
async function solve(challenge: Challenge): Promise<string> {
  return encode({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })
}

test('a site can require a proof of work, which is valid once and only for suggestions', async () => {
  assert.deepEqual((await visitor.get(`${path}/challenge`)).body, { required: false, challenge: null })
  await admin.patch('/site', { suggestionsProofOfWork: true })
  const offered = await visitor.get(`${path}/challenge`)
  assert.equal(offered.headers['cache-control'], 'no-store')
  const before = await countSuggestions()
  const donationChallenge = await newChallenge(settings, { ...suggestionProof, name: 'challenges' }, new Date())
  const wrong = [undefined, '', 'x', encode({}), encode({ challenge: offered.body.challenge, solution: {} })]
  for (const proof_of_work of [...wrong, await solve(donationChallenge as Challenge)]) {
    const { status, body } = await visitor.post(path, newSuggestion({ proof_of_work }))
    assert.deepEqual([status, body.code, Object.keys(body.data.params)], [422, 'proof-of-work', ['proof_of_work']])
  }
  assert.equal(await countSuggestions(), before)
  const proof_of_work = await solve(offered.body.challenge)
  assert.equal((await visitor.post(path, newSuggestion({ proof_of_work }))).status, 201)
  assert.equal((await visitor.post(path, newSuggestion({ proof_of_work }))).status, 422)
  assert.equal((await editor.post(path, newSuggestion())).status, 201)
  await admin.patch('/site', { suggestionsProofOfWork: false })
  assert.equal((await visitor.post(path, newSuggestion())).status, 201)
})

test('suggestions are limited per IP address and minute', async () => {
  const limited = await startCalendar({
    env: { RATE_LIMIT: '0', RATE_LIMIT_SUGGESTIONS: '2', PUBLIC_URL: 'https://calendar.example', TRUST_PROXY: 'true' }
  })
  const statuses: number[] = []
  for (const address of ['198.51.100.7', '198.51.100.7', '198.51.100.7', '198.51.100.8']) {
    statuses.push((await limited.visitor.post(path, newSuggestion(), { 'x-forwarded-for': address })).status)
  }
  assert.deepEqual(statuses, [201, 201, 429, 201])
})

test('suggestions are limited to 30 per network and day, including invalid ones', {
  skip: skipUnlessFull
}, async () => {
  const limited = await startCalendar({
    env: {
      RATE_LIMIT: '0',
      RATE_LIMIT_SUGGESTIONS: '1000',
      PUBLIC_URL: 'https://calendar.example',
      TRUST_PROXY: 'true'
    }
  })
  const buildHeaders = (address: string) => ({ 'x-forwarded-for': address })
  for (let place = 0; place < 29; place += 1) {
    const refused = await limited.visitor.post(
      path,
      newSuggestion({ category: 99_999_999 }),
      buildHeaders('198.51.100.7')
    )
    assert.equal(refused.status, 400)
  }
  assert.equal((await limited.visitor.post(path, newSuggestion(), buildHeaders('198.51.100.7'))).status, 201)
  const { status, body, headers } = await limited.visitor.post(path, newSuggestion(), buildHeaders('198.51.100.7'))
  assert.deepEqual([status, body.code], [429, 'too-many-suggestions'])
  assert.ok(Number(headers['retry-after']) > 80_000)
  assert.equal((await limited.visitor.post(path, newSuggestion(), buildHeaders('198.51.100.8'))).status, 201)
})
