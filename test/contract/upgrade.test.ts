// test: own process, both stores
// A database of the last release with the old table names (platform 26, fundraising 26, calendar 9), with rows as that
// release wrote them: after the upgrade all of them can still be used.
import assert from 'node:assert/strict'
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fundraisingEmails } from '#fundraising/emails/templates.ts'
import { checkEncryption, loadOrCreateKey } from '#fundraising/encryption/key.ts'
import { migrate, migrateInTransaction } from '#platform/database/migrate.ts'
import { connectStore } from '#platform/database/postgres.ts'
import { sql } from '#platform/database/sql.ts'
import { buildEmailJobs } from '#platform/email/send.ts'
import { decrypt } from '#platform/encryption/encryption.ts'
import { enqueue, startWorker } from '#platform/jobs/jobs.ts'
import { incrementCounter } from '#platform/rate-limit/postgres-store.ts'
import { createDatabase, migrations, silent } from '../support/database.ts'
import { waitUntil } from '../support/kalends-process.ts'
import { startMailbox } from '../support/mailbox.ts'
import { startCampaignsAndCalendar } from '../support/services.ts'

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()
const hex = (text: string) => Buffer.from(text, 'hex')

const donationId = '01900000-0000-7000-8000-000000000001'
const entryId = '01900000-0000-7000-8000-000000000002'
const ruleId = '01900000-0000-7000-8000-000000000003'
const emailId = '01900000-0000-7000-8000-000000000004'
const runId = '01900000-0000-7000-8000-000000000005'
const key = `kal_abcdefghij_${'k'.repeat(32)}`
const session = `kls_klmnopqrst_${'s'.repeat(32)}`
const iban = 'DE02120300000000202051'
const donorToken = '0123456789ABCDEFGHIJab'
/** Encrypted by that release with the key of the tests, so that a changed key derivation fails here. */
const encrypted = {
  keyId: hex('71fc6301'),
  iban: hex(
    '0171fc63012156ca02d71156fdc34076f9176c04c570878ba5cd84aa7049492f979aedc7d83845f887a22edc4032f7b216966425737102'
  ),
  ibanFingerprint: hex('48768c83a65d43d111f82b365c8603d8'),
  donorToken: hex(
    '0171fc6301d2bcb7ee9c511a4f8d3a88d4310671bcac5168f31ac1d1112d41a5a527a970b48fc3822e9591945b12b49e48ab273103b4d9'
  ),
  donorTokenHash: hex('6f24386128f54f79be037f92811fe963'),
  webhookSecret: hex(
    '0171fc63018ab8c4745fe481195b5e000ff7b9228f76642269ae0cb92491c831a12f4aba569f3a85c16e29f9220e40b9ebb05b60fd5eca307104705eab8b289c82'
  ),
  totpSecret: hex(
    '0171fc6301ee27dc9e10853d76ac199fd21facbc0ce2a44da9f0826bbd66617796411e14471375283e9e33faca21c433d6a153afa0'
  )
}

const mailbox = await startMailbox()
const database = await createDatabase()
const store = connectStore({ connectionString: database.url }, { noTimeouts: true, log: silent })
await store.transaction(async tx => {
  await tx.script('drop schema platform, fundraising, calendar cascade')
  await migrateInTransaction(tx, migrations, { platform: 26, fundraising: 26, calendar: 9 })
})
const { keyId } = await store.one<{ keyId: number }>(sql`
  insert into platform.keys (finder, hash, name, role, created_at)
  values ('abcdefghij', ${sha256(key)}, 'of before', 'admin', now()) returning id as "keyId"`)
const { userId } = await store.one<{ userId: number }>(sql`
  insert into platform.users (name, email, role, language, password_hash, created_at)
  values ('Ada', 'ada@example.org', 'admin', 'en', 'x', now()) returning id as "userId"`)
await store.run(sql`
  insert into platform.sessions (finder, hash, user_id, created_at, last_used_at)
  values ('klmnopqrst', ${sha256(session)}, ${userId}, now(), now())`)
await store.run(sql`
  insert into platform.totp_factors (user_id, secret_sealed, created_at) values (${userId}, ${encrypted.totpSecret}, now())`)
await store.run(sql`
  insert into platform.webhooks (
    url, actions, description, secret_sealed, previous_secret_sealed, previous_secret_until, created_at, updated_at
  ) values (
    'https://example.org/hook', '{*}', '', ${encrypted.webhookSecret}, ${encrypted.webhookSecret}, now() + interval '1 day', now(), now()
  )`)
await store.run(sql`
  insert into platform.counters (counted, count, until)
  values (${sha256('wrong-keys 192.0.2.7')}, 4, now() + interval '1 hour')`)

/** A response as that release encrypted it, for a request with this Idempotency-Key. */
const notes = `/campaigns/1/donations/${donationId}/notes`
const note = { text: 'Called her' }
const scoped = JSON.stringify([keyId, 'POST', notes, 'once-only'])
const nonce = randomBytes(12)
const cipher = createCipheriv('aes-256-gcm', sha256(`answer ${scoped}`), nonce)
const response = Buffer.concat([
  cipher.update(
    JSON.stringify({ body: { ...note, id: entryId, at: '2026-01-01T00:00:00Z', actor: 'of before' }, location: notes })
  ),
  cipher.final()
])
await store.run(sql`
  insert into platform.idempotency (key_hash, body_hash, answer, created_at)
  values (
    ${sha256(scoped)}, ${sha256(JSON.stringify(['', Object.entries(note)]))},
    ${Buffer.concat([nonce, cipher.getAuthTag(), response])}, now()
  )`)

await store.run(sql`insert into fundraising.vault (key_id, is_settled) values (${encrypted.keyId}, true)`)
await store.run(sql`
  insert into fundraising.campaigns (
    name, description, donation_minimum_cents, target_amount_cents, currency, status, account_iban, account_iban_valid,
    account_name, account_bank, created_at, updated_at
  ) values ('Roof', '', 0, 100, 'EUR', 'open', 'DE89370400440532013000', true, 'School', '', now(), now())`)
await store.run(sql`
  insert into fundraising.donations (
    campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, email, status, reference, account_sealed,
    account_print, account_iban_valid, account_name, created_at, updated_at, language, donor_token_sealed, donor_token_hash
  ) values (
    1, ${donationId}, 2500, 'Ada', true, false, 'ada@example.org', 'IN_PROCESS', 'R1', ${encrypted.iban},
    ${encrypted.ibanFingerprint}, true, 'Ada', now(), now(), 'en', ${encrypted.donorToken}, ${encrypted.donorTokenHash}
  )`)
await store.run(sql`
  insert into fundraising.donation_history (campaign_id, donation_id, number, status, at, actor)
  values (1, ${donationId}, 1, 'IN_PROCESS', now(), 'visitor')`)
await store.run(sql`
  insert into fundraising.bank_statements (digest, format, imported_at, imported_by, finished_at)
  values (${sha256('a file')}, 'csv', now(), 'Treasurer', now())`)
await store.run(sql`
  insert into fundraising.statement_entries (
    statement_id, id, position, amount_cents, currency, direction, is_return, is_pending, text, result, counterpart_name,
    counterpart_iban_sealed, counterpart_iban_print
  ) values (1, ${entryId}, 1, 700, 'EUR', 'in', false, false, '', 'unmatched', 'Ada', ${encrypted.iban}, ${encrypted.ibanFingerprint})`)
await store.run(sql`
  insert into fundraising.payer_rules (id, payer_name, iban_sealed, iban_print, action, created_at, created_by)
  values (${ruleId}, 'Ada', ${encrypted.iban}, ${encrypted.ibanFingerprint}, 'ignore', now(), 'Treasurer')`)
await store.run(sql`
  insert into fundraising.receipt_runs (id, year, send, status, started_at, started_by, held_until)
  values (${runId}, 2025, false, 'running', now(), 'Treasurer', '2099-01-01Z')`)
await store.run(sql`
  insert into platform.letters (id, kind, about, is_once, next_attempt_at, created_at)
  values
    (${emailId}, 'donation-made', ${`1 ${donationId}`}, true, now(), now()),
    (gen_random_uuid(), 'donation-held', 'x', true, now() + interval '1 day', now())`)
await enqueue(store, 'send-mail', { key: 'send-mail' })

await migrate(store, migrations, silent)

const { admin, visitor, withKey, settings } = await startCampaignsAndCalendar({
  database: {
    url: database.url,
    remove: async () => {
      await store.close()
      await database.remove()
    }
  },
  env: { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
})

test('an API key and a session from before the upgrade still authenticate', async () => {
  const [byKey, bySession] = [await withKey(key).get('/users/me'), await withKey(session).get('/users/me')]
  assert.equal((await withKey(key).get('/keys')).status, 200, byKey.text)
  assert.equal(bySession.body.email, 'ada@example.org', bySession.text)
})

test('an IBAN that was encrypted before the upgrade is decrypted, and found by its fingerprint', async () => {
  const donation = await admin.get(`/campaigns/1/donations/${donationId}`)
  assert.equal(donation.body.account?.iban, iban, donation.text)
  const entries = await admin.get('/bank-statements/1/entries')
  assert.equal(entries.body[0]?.counterpart?.iban, iban, entries.text)
  const rules = await admin.get('/payer-rules')
  assert.equal(rules.body[0]?.iban, iban, rules.text)
  const { found } = await store.one<{ found: number }>(sql`
    select count(*) as found from fundraising.payer_rules as rule
    join fundraising.donations as donation on donation.iban_fingerprint = rule.iban_fingerprint`)
  assert.equal(found, 1)
})

test('a donor link, webhook secrets and a TOTP secret from before the upgrade still work', async () => {
  assert.equal((await visitor.get(`/donations/by-token/${donorToken}`)).status, 200)
  const { now, before, totp } = await store.one<{ now: Buffer; before: Buffer; totp: Buffer }>(sql`
    select secret_encrypted as now, previous_secret_encrypted as before,
      (select secret_encrypted from platform.totp_factors) as totp
    from platform.webhooks`)
  for (const secret of [now, before]) {
    assert.deepEqual(decrypt(settings, 'webhook secrets', secret), Buffer.alloc(32, 7))
  }
  assert.deepEqual(decrypt(settings, 'second factors', totp), Buffer.alloc(20, 9))
})

test('the encryption key from before the upgrade is accepted, another key is refused, and doctor reports no problem', async () => {
  await loadOrCreateKey(store, settings)
  assert.equal((await checkEncryption(store, settings)).level, 'ok')
  await assert.rejects(
    loadOrCreateKey(store, { ...settings, encryptionKey: 'another key'.padEnd(32, '!') }),
    /another key/
  )
})

test('a job queued under its old name sends the queued email, with the link of the donor', async () => {
  const worker = await startWorker(store, buildEmailJobs(settings, fundraisingEmails), silent)
  await waitUntil(() => mailbox.received.length > 0)
  await worker.stop()
  const [email] = mailbox.received
  assert.deepEqual(email?.to, ['ada@example.org'])
  assert.ok(email?.raw.includes(`<${emailId}@`))
  assert.ok(email?.text.includes(donorToken), email?.text)
  const { kind } = await store.one<{ kind: string }>(sql`select kind from platform.outbox where state = 'waiting'`)
  assert.equal(kind, 'donation-awaiting-review')
})

test('a rate limit counter from before the upgrade keeps its value', async () => {
  const { count } = await incrementCounter(store, { name: 'wrong-keys', of: '192.0.2.7', windowSeconds: 60 })
  assert.equal(count, 5)
})

test('a repeated request with the Idempotency-Key of a request from before the upgrade gets the same response', async () => {
  const again = await withKey(key).post(notes, note, { 'idempotency-key': 'once-only' })
  assert.equal(again.headers['idempotent-replayed'], 'true', again.text)
  assert.equal(again.body.actor, 'of before', again.text)
})

test('the lease of a receipt run keeps its end', async () => {
  const { until: end } = await store.one<{ until: string }>(sql`
    select leased_until as until from fundraising.receipt_runs where id = ${runId}`)
  assert.equal(Date.parse(end), Date.parse('2099-01-01T00:00:00Z'))
})
