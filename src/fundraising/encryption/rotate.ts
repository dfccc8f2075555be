import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import type { EncryptedColumn } from '#platform/encryption/encrypted-columns.ts'
import { decrypt, type EncryptionKeys, encrypt } from '#platform/encryption/encryption.ts'
import { switchOffWithoutSecret } from '#platform/webhooks/webhook.ts'
import { getKeyIds } from './iban-encryption.ts'
import type { EncryptedValue, LostValues, ReencryptedValue } from './queries.ts'
import * as encryption from './queries.ts'

/** The number of values encrypted in one statement. */
const batchSize = 500

/**
 * Encrypts plaintext values, and re-encrypts values of old keys with the current one. Returns how many. Can be stopped
 * and restarted at any time: every value is readable before, during and after.
 */
export async function rotateKeys(db: Database, settings: EncryptionKeys, stopping?: AbortSignal): Promise<number> {
  let done = 0
  for (const columns of encryption.encryptedColumns.filter(encryption.hasPlaintextColumn))
    done += await encryptOldValues(db, settings, columns, stopping)
  const [current, ...old] = getKeyIds(settings)
  const row = await encryption.find(db)
  if (current === undefined || row === undefined || row.isRotationComplete) return done
  for (const columns of encryption.encryptedColumns)
    done += await reencryptValues(db, settings, columns, { keys: old, stopping })
  if (stopping?.aborted !== true) await markRotationComplete(db, current)
  return done
}

/**
 * Discards values that no key can decrypt; the current key then encrypts everything. Webhooks whose signing secret is
 * lost are turned off.
 */
export async function discardUnreadable(
  db: Database,
  by: Caller,
  settings: EncryptionKeys,
  now = new Date()
): Promise<LostValues> {
  const [current, ...old] = getKeyIds(settings)
  if (current === undefined) throw new Error('No encryption key is loaded.')
  return await db.transaction(async tx => {
    await encryption.insert(tx, current)
    await encryption.lock(tx)
    const removed = await encryption.removeUnreadable(tx, [current, ...old])
    await encryption.update(tx, { keyId: current, isRotationComplete: old.length === 0 })
    const what = { subject: 'donation', id: 'all', details: { count: removed.accounts } }
    if (removed.accounts > 0) await record(tx, { by, now }, 'donation.accounts_lost', what)
    if (removed['webhook secrets'] > 0) await switchOffWithoutSecret(tx, by, now)
    return removed
  })
}

async function encryptOldValues(
  db: Database,
  settings: EncryptionKeys,
  columns: EncryptedColumn,
  stopping: AbortSignal | undefined
): Promise<number> {
  let done = 0
  while (stopping?.aborted !== true) {
    const found = await encryption.listPlaintext(db, columns, batchSize)
    if (found.length === 0) break
    done += await encryption.encryptPlaintext(
      db,
      columns,
      found.map(one => toChange(settings, columns, one, one.value))
    )
  }
  return done
}

async function reencryptValues(
  db: Database,
  settings: EncryptionKeys,
  columns: EncryptedColumn,
  { keys, stopping }: { keys: Buffer[]; stopping: AbortSignal | undefined }
): Promise<number> {
  let done = 0
  let after: EncryptedValue | undefined
  while (keys.length > 0 && stopping?.aborted !== true) {
    const found = await encryption.listEncryptedWith(db, columns, keys, { after, rows: batchSize })
    if (found.length === 0) break
    const changes = found.map(one => toChange(settings, columns, one, decrypt(settings, columns.purpose, one.value)))
    await encryption.updateEncrypted(db, columns, changes)
    done += found.length
    after = found.at(-1)
  }
  return done
}

/** Only if no other key became current in the meantime. */
async function markRotationComplete(db: Database, current: Buffer): Promise<void> {
  await db.transaction(async tx => {
    const row = await encryption.lock(tx)
    if (row === undefined || !row.keyId.equals(current)) return
    if ((await encryption.countByOtherKeys(tx, current)).length === 0)
      await encryption.update(tx, { keyId: current, isRotationComplete: true })
  })
}

function toChange(
  settings: EncryptionKeys,
  { purpose, fingerprint }: EncryptedColumn,
  one: EncryptedValue,
  value: Buffer
): ReencryptedValue {
  return { ...one, encrypted: encrypt(settings, purpose, value), found: fingerprint?.from(settings, value) ?? null }
}
