// test: both stores
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { computeTotpCode, getTotpStep } from '#platform/auth/second-factor/totp.ts'
import { readSettings, type Settings } from '#platform/config.ts'
import { sql } from '#platform/database/sql.ts'
import { decrypt } from '#platform/encryption/encryption.ts'
import { encryptionKey } from '#test/support/database.ts'
import { findRows } from '#test/support/find-rows.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { decryptIban, encryptIban, getIbanFingerprint, listIbanFingerprints } from './iban-encryption.ts'
import { checkEncryption, getKeyFile, loadOrCreateKey } from './key.ts'
import { discardUnreadable, rotateKeys } from './rotate.ts'

const { store, settings, admin, visitor, withKey, withRole, aCampaign, aDonation } = await startCampaigns()
const treasurer = await withRole('treasurer')
const { iban } = donation.account
const newKey = 'another key of the tests, for account numbers'
const thirdKey = 'a third key that nobody knows anything about'
const actor = { name: 'test', requestId: '' } as never

const withKeys = (current: string, ...old: string[]): Settings => ({
  ...settings,
  encryptionKey: current,
  encryptionKeysOld: old
})

test('an encrypted IBAN can be decrypted, differs each time, and any change to it is detected', () => {
  const [one, other] = [encryptIban(settings, iban), encryptIban(settings, iban)]
  assert.notDeepEqual(one, other)
  assert.deepEqual([decryptIban(settings, one), decryptIban(settings, other)], [iban, iban])
  for (const index of one.keys()) {
    const changed = Buffer.from(one)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    assert.throws(() => decryptIban(settings, changed))
  }
  assert.throws(() => decryptIban(settings, one.subarray(0, 20)))
  assert.throws(() => decryptIban(withKeys(newKey), one), /which this process does not have/)
  assert.equal(decryptIban(withKeys(newKey, encryptionKey), one), iban)
})

test('the fingerprint of an IBAN depends on the IBAN and the key only', () => {
  const fingerprint = getIbanFingerprint(settings, iban)
  assert.equal(fingerprint.length, 16)
  assert.deepEqual(fingerprint, getIbanFingerprint(withKeys(encryptionKey), iban))
  assert.notDeepEqual(fingerprint, getIbanFingerprint(settings, 'DE89370400440532013000'))
  assert.notDeepEqual(fingerprint, getIbanFingerprint(withKeys(newKey), iban))
  assert.deepEqual(listIbanFingerprints(withKeys(newKey, encryptionKey), iban), [
    getIbanFingerprint(withKeys(newKey), iban),
    fingerprint
  ])
})

test('IBANs stored without encryption can still be read, and the job encrypts them', async () => {
  const { id } = await aCampaign()
  const one = await aDonation(id)
  await store.run(sql`
    update fundraising.donations set account_iban = ${iban}, iban_encrypted = null, iban_fingerprint = null
    where campaign_id = ${id}`)
  const path = `/campaigns/${id}/donations/${one.id}`
  const before = (await treasurer.get(path)).body
  assert.equal(before.account.iban, iban)
  await loadOrCreateKey(store, settings)
  assert.match((await checkEncryption(store, settings)).details?.join() ?? '', /1 values are not encrypted yet/)
  assert.equal(await rotateKeys(store, settings), 1)
  assert.deepEqual((await treasurer.get(path)).body, before)
  const row = await store.one<{ clear: string | null; print: Buffer }>(sql`
    select account_iban as clear, iban_fingerprint as print from fundraising.donations where campaign_id = ${id}`)
  assert.deepEqual([row.clear, row.print], [null, getIbanFingerprint(settings, iban)])
  assert.equal((await checkEncryption(store, settings)).level, 'ok')
})

test('with a new and the old key everything can be read and is encrypted with the new key; then the new key is enough', async () => {
  const { id } = await aCampaign()
  await Promise.all(Array.from({ length: 12 }, async () => await aDonation(id)))
  await treasurer.post('/payer-rules', { iban, action: 'ignore' })
  await loadOrCreateKey(store, settings)
  const rotating = withKeys(newKey, encryptionKey)
  await loadOrCreateKey(store, rotating)
  await assert.rejects(
    loadOrCreateKey(store, withKeys(encryptionKey)),
    /encrypted with another key[\s\S]*ENCRYPTION_KEY/
  )
  await assert.rejects(
    loadOrCreateKey(store, withKeys(newKey)),
    /still encrypted with a previous key[\s\S]*ENCRYPTION_KEY_OLD/
  )
  const check = await checkEncryption(store, rotating)
  assert.deepEqual([check.level, /which is an old key/.test(check.details?.join() ?? '')], ['WARN', true])

  assert.ok((await rotateKeys(store, rotating)) >= 12)
  assert.equal(await rotateKeys(store, rotating), 0)
  assert.match((await checkEncryption(store, rotating)).about, /ENCRYPTION_KEY_OLD is no longer used/)
  await loadOrCreateKey(store, withKeys(newKey))
  const rows = await store.all<{ encrypted: Buffer; print: Buffer }>(sql`
    select iban_encrypted as encrypted, iban_fingerprint as print from fundraising.donations where campaign_id = ${id}
    union all
    select iban_encrypted, iban_fingerprint from fundraising.payer_rules`)
  assert.equal(rows.length, 13)
  for (const { encrypted, print: fingerprint } of rows) {
    assert.equal(decryptIban(withKeys(newKey), encrypted), iban)
    assert.deepEqual(fingerprint, getIbanFingerprint(withKeys(newKey), iban))
  }
  // Back to the old key for the other tests.
  await loadOrCreateKey(store, withKeys(encryptionKey, newKey))
  await rotateKeys(store, withKeys(encryptionKey, newKey))
  await loadOrCreateKey(store, settings)
})

test('donor tokens and webhook secrets stored without encryption still work, and the job encrypts them', async () => {
  const { id } = await aCampaign()
  const { donorToken } = await aDonation(id)
  const webhook = (await admin.post('/webhooks', { url: 'https://a.example', actions: ['*'] })).body
  await admin.post(`/webhooks/${webhook.id}/secret`)
  const secret = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64')
  await store.run(sql`
    update fundraising.donations set donor_token = ${donorToken}, donor_token_encrypted = null, donor_token_hash = null
    where campaign_id = ${id}`)
  await store.run(sql`
    update platform.webhooks
    set secret = ${secret}, previous_secret = ${secret}, secret_encrypted = null, previous_secret_encrypted = null
    where id = ${webhook.id}`)
  assert.equal((await visitor.get(`/donations/by-token/${donorToken}`)).status, 200)
  await loadOrCreateKey(store, settings)
  assert.match((await checkEncryption(store, settings)).details?.join() ?? '', /3 values are not encrypted yet/)
  assert.equal(await rotateKeys(store, settings), 3)
  assert.equal((await visitor.get(`/donations/by-token/${donorToken}`)).status, 200)
  assert.deepEqual(await findRows(store, donorToken), [])
  assert.deepEqual(await findRows(store, secret.toString('hex')), [])
  const row = await store.one<{ now: Buffer; before: Buffer }>(sql`
    select secret_encrypted as now, previous_secret_encrypted as before from platform.webhooks where id = ${webhook.id}`)
  for (const encrypted of [row.now, row.before])
    assert.deepEqual(decrypt(settings, 'webhook secrets', encrypted), secret)
  assert.equal((await checkEncryption(store, settings)).level, 'ok')
})

test('donor tokens and webhook secrets are encrypted with the new key; before that, starting without the old key is refused', async () => {
  const { id } = await aCampaign()
  const { donorToken } = await aDonation(id)
  const webhook = (await admin.post('/webhooks', { url: 'https://a.example', actions: ['*'] })).body
  await store.run(sql`update fundraising.donations set iban_encrypted = null, iban_fingerprint = null`)
  await loadOrCreateKey(store, settings)
  const rotating = withKeys(newKey, encryptionKey)
  await loadOrCreateKey(store, rotating)
  await assert.rejects(loadOrCreateKey(store, withKeys(newKey)), /still encrypted with a previous key/)
  assert.ok((await rotateKeys(store, rotating)) >= 2)
  await loadOrCreateKey(store, withKeys(newKey))
  const { token, secret } = await store.one<{ token: Buffer; secret: Buffer }>(sql`
    select
      (select donor_token_encrypted from fundraising.donations where campaign_id = ${id}) as token,
      (select secret_encrypted from platform.webhooks where id = ${webhook.id}) as secret`)
  assert.equal(decrypt(withKeys(newKey), 'donor links', token).toString(), donorToken)
  assert.equal(`whsec_${decrypt(withKeys(newKey), 'webhook secrets', secret).toString('base64')}`, webhook.secret)
  assert.equal((await visitor.get(`/donations/by-token/${donorToken}`)).status, 200)
  await loadOrCreateKey(store, withKeys(encryptionKey, newKey))
  await rotateKeys(store, withKeys(encryptionKey, newKey))
  await loadOrCreateKey(store, settings)
})

test('after a lost key the links of donors still work, and webhooks are off until they get a new secret', async () => {
  const { id } = await aCampaign()
  const { donorToken } = await aDonation(id)
  const webhook = (await admin.post('/webhooks', { url: 'https://a.example', actions: ['*'] })).body
  await loadOrCreateKey(store, settings)
  const discarded = await discardUnreadable(store, actor, withKeys(thirdKey))
  assert.ok(discarded['donor links'] >= 1 && discarded['webhook secrets'] >= 1)
  assert.equal((await visitor.get(`/donations/by-token/${donorToken}`)).status, 200)
  const path = `/webhooks/${webhook.id}`
  assert.equal((await admin.get(path)).body.isOn, false)
  const refused = await admin.patch(path, { isOn: true }, { 'accept-language': 'de' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'webhook-has-no-secret'])
  assert.match(refused.body.detail, /Signaturschlüssel/)
  await discardUnreadable(store, actor, settings)
  assert.equal((await admin.post(`${path}/secret`)).status, 200)
  assert.equal((await admin.patch(path, { isOn: true })).body.isOn, true)
})

test('TOTP secrets are encrypted with the new key; after a lost key the second factor is still required, and recovery codes work', {
  skip: skipUnlessFull
}, async () => {
  const [email, password] = ['totp@example.org', 'correct horse battery']
  await admin.post('/users', { name: 'Anna', email, role: 'editor', password })
  const client = withKey((await visitor.post('/sessions', { email, password })).body.token)
  const { secret } = (await client.post('/users/me/totp', { currentPassword: password })).body
  const step = getTotpStep(new Date())
  const { recoveryCodes } = (await client.post('/users/me/totp/confirm', { code: computeTotpCode(secret, step) })).body
  await loadOrCreateKey(store, settings)

  await loadOrCreateKey(store, withKeys(newKey, encryptionKey))
  assert.ok((await rotateKeys(store, withKeys(newKey, encryptionKey))) >= 1)
  const { encrypted } = await store.one<{ encrypted: Buffer }>(
    sql`select secret_encrypted as encrypted from platform.totp_factors order by user_id desc limit 1`
  )
  assert.match(decrypt(withKeys(newKey), 'second factors', encrypted).toString(), new RegExp(`\\n${secret}$`))
  await loadOrCreateKey(store, withKeys(encryptionKey, newKey))
  await rotateKeys(store, withKeys(encryptionKey, newKey))
  await loadOrCreateKey(store, settings)
  const withNewCode = await visitor.post('/sessions', { email, password, code: computeTotpCode(secret, step + 1) })
  assert.equal(withNewCode.status, 201, withNewCode.text)

  assert.ok((await discardUnreadable(store, actor, withKeys(thirdKey)))['second factors'] >= 1)
  await discardUnreadable(store, actor, settings)
  const withoutCode = await visitor.post('/sessions', { email, password })
  assert.deepEqual([withoutCode.status, withoutCode.body.code], [401, 'second-factor-required'])
  const withUnreadableSecret = await visitor.post('/sessions', {
    email,
    password,
    code: computeTotpCode(secret, step + 1)
  })
  assert.deepEqual([withUnreadableSecret.status, withUnreadableSecret.body.code], [409, 'factor-unreadable'])
  assert.equal((await visitor.post('/sessions', { email, password, code: recoveryCodes[0] })).status, 201)
})

test('after a lost key the IBANs of donations are deleted and the other fields are kept', async () => {
  await store.run(sql`delete from platform.webhooks`)
  const { id } = await aCampaign()
  const { id: donationId } = await aDonation(id)
  await loadOrCreateKey(store, settings)
  await assert.rejects(loadOrCreateKey(store, withKeys(thirdKey)), /encrypted with another key/)
  assert.ok((await discardUnreadable(store, actor, withKeys(thirdKey))).accounts >= 1)
  await loadOrCreateKey(store, withKeys(thirdKey))
  const { body } = await treasurer.get(`/campaigns/${id}/donations/${donationId}`)
  assert.deepEqual([body.account, body.donorName, body.amount], [null, donation.donorName, donation.amount])
  const [last] = (await admin.get('/activity?limit=1')).body
  assert.equal(last.action, 'donation.accounts_lost')
  await discardUnreadable(store, actor, settings)
})

test('without a setting the key is a file that only its owner can read, created once even if several processes start', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kalends-key-'))
  t.after(async () => await rm(dataDir, { recursive: true }))
  const folder = join(dataDir, 'not', 'there')
  await discardUnreadable(store, actor, settings)
  await store.run(sql`delete from fundraising.encryption_key`)
  await store.run(
    sql`update fundraising.donations set iban_encrypted = null, iban_fingerprint = null, donor_token_encrypted = null`
  )
  await store.run(sql`delete from platform.webhooks`)
  const processes = Array.from({ length: 8 }, () => ({ ...readSettings({ DATA_DIR: folder }) }))
  await Promise.all(processes.map(async one => await loadOrCreateKey(store, one)))
  assert.equal(new Set(processes.map(one => one.encryptionKey)).size, 1)
  assert.ok((processes[0]?.encryptionKey?.length ?? 0) >= 32)
  assert.deepEqual(await readdir(folder), ['encryption.key'])
  assert.equal((await stat(getKeyFile({ dataDir: folder }))).mode & 0o777, 0o600)

  const otherFolder = readSettings({ DATA_DIR: join(dataDir, 'elsewhere') })
  await assert.rejects(loadOrCreateKey(store, otherFolder), /there is no key to decrypt them[\s\S]*ENCRYPTION_KEY/)
  assert.deepEqual(await readdir(dataDir), ['not'], 'no new key is created if encrypted values exist')
})
