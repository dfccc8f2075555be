import type { Caller } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database.ts'
import { type Keys, keyIds, openIban, printOf, sealIban } from '../vault.ts'
import type { Found, SealedColumns } from './queries.ts'
import * as vault from './queries.ts'

/** How many numbers are sealed in one statement. */
const rowsAtOnce = 500

/**
 * Seals the numbers from before numbers were sealed, and anew those of a key of before. Answers how many it did. May stop and
 * be run again at any moment: every number can be read before, during and after.
 */
export async function sealAccounts(db: Database, settings: Keys, stopping?: AbortSignal): Promise<number> {
  let done = await sealFirst(db, settings, stopping)
  const [current, ...old] = keyIds(settings)
  const row = await vault.find(db)
  if (current === undefined || row === undefined || row.isSettled) return done
  for (const columns of vault.sealedColumns) done += await sealAnew(db, settings, columns, old, stopping)
  if (stopping?.aborted !== true) await settle(db, current)
  return done
}

/** Gives up what no key opens any more. From then on everything is sealed with the key of today. */
export async function giveUpUnreadable(db: Database, by: Caller, settings: Keys, now = new Date()): Promise<number> {
  const [current, ...old] = keyIds(settings)
  if (current === undefined) return 0
  return await db.transaction(async tx => {
    await vault.insert(tx, current)
    await vault.lock(tx)
    const removed = await vault.removeUnlessSealedWith(tx, [current, ...old])
    await vault.update(tx, { keyId: current, isSettled: old.length === 0 })
    const what = { subject: 'donation', id: 'all', details: { count: removed } }
    if (removed > 0) await record(tx, by, now, 'donation.accounts_lost', what)
    return removed
  })
}

async function sealFirst(db: Database, settings: Keys, stopping?: AbortSignal): Promise<number> {
  let done = 0
  while (stopping?.aborted !== true) {
    const found = await vault.listNotSealed(db, rowsAtOnce)
    if (found.length === 0) break
    done += await vault.seal(
      db,
      found.map(one => ({ ...one, ...sealedAnew(settings, one.value) }))
    )
  }
  return done
}

async function sealAnew(
  db: Database,
  settings: Keys,
  columns: SealedColumns,
  keys: Buffer[],
  stopping?: AbortSignal
): Promise<number> {
  let done = 0
  let after: Found<Buffer> | undefined
  while (keys.length > 0 && stopping?.aborted !== true) {
    const found = await vault.listSealedWith(db, columns, keys, { after, rows: rowsAtOnce })
    if (found.length === 0) break
    const changes = found.map(one => ({ ...one, ...sealedAnew(settings, openIban(settings, one.value)) }))
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

function sealedAnew(settings: Keys, iban: string): { sealed: Buffer; print: Buffer } {
  return { sealed: sealIban(settings, iban), print: printOf(settings, iban) }
}
