import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSettings, type Settings } from '#platform/config.ts'
import { sql } from '#platform/sql.ts'
import { encryptionKey } from '#test/database.ts'
import { donation, startCampaigns } from '#test/support.ts'
import { openIban, printOf, printsOf, sealIban } from '../vault.ts'
import { bringKey, keyFile, lookAtSealing } from './key.ts'
import { giveUpUnreadable, sealAccounts } from './sealing.ts'

const { store, settings, admin, withRole, aCampaign, aDonation } = await startCampaigns()
const treasurer = await withRole('treasurer')
const { iban } = donation.account
const newKey = 'another key of the tests, for account numbers'
const thirdKey = 'a third key that nobody knows anything about'
const by = { name: 'test', requestId: '' } as never

const keyed = (current: string, ...old: string[]): Settings => ({
  ...settings,
  encryptionKey: current,
  encryptionKeysOld: old
})

test('a sealed account number opens again, differs each time, and cannot be changed unnoticed', () => {
  const [one, other] = [sealIban(settings, iban), sealIban(settings, iban)]
  assert.notDeepEqual(one, other)
  assert.deepEqual([openIban(settings, one), openIban(settings, other)], [iban, iban])
  for (const index of one.keys()) {
    const changed = Buffer.from(one)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    assert.throws(() => openIban(settings, changed))
  }
  assert.throws(() => openIban(settings, one.subarray(0, 20)))
  assert.throws(() => openIban(keyed(newKey), one), /which this process does not have/)
  assert.equal(openIban(keyed(newKey, encryptionKey), one), iban)
})

test('the print of an account is the same for the same account and key, and for no other', () => {
  const print = printOf(settings, iban)
  assert.equal(print.length, 16)
  assert.deepEqual(print, printOf(keyed(encryptionKey), iban))
  assert.notDeepEqual(print, printOf(settings, 'DE89370400440532013000'))
  assert.notDeepEqual(print, printOf(keyed(newKey), iban))
  assert.deepEqual(printsOf(keyed(newKey, encryptionKey), iban), [printOf(keyed(newKey), iban), print])
})

test('numbers from before numbers were sealed are read as they are, and sealed by the job', async () => {
  const { id } = await aCampaign()
  const one = await aDonation(id)
  await store.run(sql`
    update fundraising.donations set account_iban = ${iban}, account_sealed = null, account_print = null
    where campaign_id = ${id}`)
  const path = `/campaigns/${id}/donations/${one.id}`
  const before = (await treasurer.get(path)).body
  assert.equal(before.account.iban, iban)
  await bringKey(store, settings)
  assert.match((await lookAtSealing(store, settings)).details?.join() ?? '', /1 are not sealed yet/)
  assert.equal(await sealAccounts(store, settings), 1)
  assert.deepEqual((await treasurer.get(path)).body, before)
  const row = await store.one<{ clear: string | null; print: Buffer }>(sql`
    select account_iban as clear, account_print as print from fundraising.donations where campaign_id = ${id}`)
  assert.deepEqual([row.clear, row.print], [null, printOf(settings, iban)])
  assert.equal((await lookAtSealing(store, settings)).level, 'ok')
})

test('with a new key and the one before everything is read, then sealed anew; then the new one is enough', async () => {
  const { id } = await aCampaign()
  await Promise.all(Array.from({ length: 12 }, async () => await aDonation(id)))
  await treasurer.post('/payer-rules', { iban, action: 'ignore' })
  await bringKey(store, settings)
  const rotating = keyed(newKey, encryptionKey)
  await bringKey(store, rotating)
  await assert.rejects(bringKey(store, keyed(encryptionKey)), /sealed with another key[\s\S]*ENCRYPTION_KEY/)
  await assert.rejects(bringKey(store, keyed(newKey)), /still sealed with a key of before[\s\S]*ENCRYPTION_KEY_OLD/)
  const looked = await lookAtSealing(store, rotating)
  assert.deepEqual([looked.level, /which is one of before/.test(looked.details?.join() ?? '')], ['WARN', true])

  assert.ok((await sealAccounts(store, rotating)) >= 12)
  assert.equal(await sealAccounts(store, rotating), 0)
  assert.match((await lookAtSealing(store, rotating)).about, /nothing uses ENCRYPTION_KEY_OLD any more/)
  await bringKey(store, keyed(newKey))
  const rows = await store.all<{ sealed: Buffer; print: Buffer }>(sql`
    select account_sealed as sealed, account_print as print from fundraising.donations where campaign_id = ${id}
    union all
    select iban_sealed, iban_print from fundraising.payer_rules`)
  assert.equal(rows.length, 13)
  for (const { sealed, print } of rows) {
    assert.equal(openIban(keyed(newKey), sealed), iban)
    assert.deepEqual(print, printOf(keyed(newKey), iban))
  }
  // And back, so that the other tests have their key again.
  await bringKey(store, keyed(encryptionKey, newKey))
  await sealAccounts(store, keyed(encryptionKey, newKey))
  await bringKey(store, settings)
})

test('a key that is lost costs the account numbers and nothing else', async () => {
  const { id } = await aCampaign()
  const { id: donationId } = await aDonation(id)
  await bringKey(store, settings)
  await assert.rejects(bringKey(store, keyed(thirdKey)), /sealed with another key/)
  assert.ok((await giveUpUnreadable(store, by, keyed(thirdKey))) >= 1)
  await bringKey(store, keyed(thirdKey))
  const { body } = await treasurer.get(`/campaigns/${id}/donations/${donationId}`)
  assert.deepEqual([body.account, body.donorName, body.amount], [null, donation.donorName, donation.amount])
  const [last] = (await admin.get('/activity?limit=1')).body
  assert.equal(last.action, 'donation.accounts_lost')
  await giveUpUnreadable(store, by, settings)
})

test('without a setting the key is a file that only its owner reads, made once however many start', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kalends-key-'))
  t.after(async () => await rm(dataDir, { recursive: true }))
  const folder = join(dataDir, 'not', 'there')
  await giveUpUnreadable(store, by, settings)
  await store.run(sql`delete from fundraising.vault`)
  await store.run(sql`update fundraising.donations set account_sealed = null, account_print = null`)
  const several = Array.from({ length: 8 }, () => ({ ...readSettings({ DATA_DIR: folder }) }))
  await Promise.all(several.map(async one => await bringKey(store, one)))
  assert.equal(new Set(several.map(one => one.encryptionKey)).size, 1)
  assert.ok((several[0]?.encryptionKey?.length ?? 0) >= 32)
  assert.deepEqual(await readdir(folder), ['encryption.key'])
  assert.equal((await stat(keyFile({ dataDir: folder }))).mode & 0o777, 0o600)

  const elsewhere = readSettings({ DATA_DIR: join(dataDir, 'elsewhere') })
  await assert.rejects(bringKey(store, elsewhere), /there is no key to open them[\s\S]*ENCRYPTION_KEY/)
  assert.deepEqual(await readdir(dataDir), ['not'], 'A key that would open nothing is not made.')
})
