import type { Caller } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database.ts'
import { decrypt, encrypt, type Keys } from '#platform/encryption.ts'
import type { SealedColumns } from '#platform/sealed-columns.ts'
import { switchOffUnsigned } from '#platform/webhooks/webhook.ts'
import { keyIds } from '../vault.ts'
import type { Change, Found, GivenUp } from './queries.ts'
import * as vault from './queries.ts'

/** How many values are sealed in one statement. */
const rowsAtOnce = 500

/**
 * Seals the values from before values were sealed, and anew those of a key of before. Answers how many it did. May stop and
 * be run again at any moment: every value can be read before, during and after.
 */
export async function sealAccounts(db: Database, settings: Keys, stopping?: AbortSignal): Promise<number> {
  let done = 0
  for (const columns of vault.sealedColumns.filter(vault.hasBefore))
    done += await sealFirst(db, settings, columns, stopping)
  const [current, ...old] = keyIds(settings)
  const row = await vault.find(db)
  if (current === undefined || row === undefined || row.isSettled) return done
  for (const columns of vault.sealedColumns) done += await sealAnew(db, settings, columns, { keys: old, stopping })
  if (stopping?.aborted !== true) await settle(db, current)
  return done
}

/**
 * Gives up what no key opens any more. From then on everything is sealed with the key of today. Webhooks that cannot be signed
 * for are switched off.
 */
export async function giveUpUnreadable(db: Database, by: Caller, settings: Keys, now = new Date()): Promise<GivenUp> {
  const [current, ...old] = keyIds(settings)
  if (current === undefined) throw new Error('There is no key.')
  return await db.transaction(async tx => {
    await vault.insert(tx, current)
    await vault.lock(tx)
    const removed = await vault.removeUnlessSealedWith(tx, [current, ...old])
    await vault.update(tx, { keyId: current, isSettled: old.length === 0 })
    const what = { subject: 'donation', id: 'all', details: { count: removed.accounts } }
    if (removed.accounts > 0) await record(tx, by, now, 'donation.accounts_lost', what)
    if (removed['webhook secrets'] > 0) await switchOffUnsigned(tx, by, now)
    return removed
  })
}

async function sealFirst(
  db: Database,
  settings: Keys,
  columns: SealedColumns,
  stopping: AbortSignal | undefined
): Promise<number> {
  let done = 0
  while (stopping?.aborted !== true) {
    const found = await vault.listNotSealed(db, columns, rowsAtOnce)
    if (found.length === 0) break
    done += await vault.seal(
      db,
      columns,
      found.map(one => toChange(settings, columns, one, one.value))
    )
  }
  return done
}

async function sealAnew(
  db: Database,
  settings: Keys,
  columns: SealedColumns,
  { keys, stopping }: { keys: Buffer[]; stopping: AbortSignal | undefined }
): Promise<number> {
  let done = 0
  let after: Found | undefined
  while (keys.length > 0 && stopping?.aborted !== true) {
    const found = await vault.listSealedWith(db, columns, keys, { after, rows: rowsAtOnce })
    if (found.length === 0) break
    const changes = found.map(one => toChange(settings, columns, one, decrypt(settings, columns.purpose, one.value)))
    await vault.updateSealed(db, columns, changes)
    done += found.length
    after = found.at(-1)
  }
  return done
}

/** Only if no other key came into use meanwhile. */
async function settle(db: Database, current: Buffer): Promise<void> {
  await db.transaction(async tx => {
    const row = await vault.lock(tx)
    if (row === undefined || !row.keyId.equals(current)) return
    if ((await vault.countByOtherKeys(tx, current)).length === 0)
      await vault.update(tx, { keyId: current, isSettled: true })
  })
}

function toChange(settings: Keys, { purpose, found }: SealedColumns, one: Found, value: Buffer): Change {
  return { ...one, sealed: encrypt(settings, purpose, value), found: found?.from(settings, value) ?? null }
}
