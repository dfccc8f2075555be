import { isDeepStrictEqual } from 'node:util'
import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { newAccountLengthsDifferProblem } from '../problems/payments.ts'
import * as bookkeeping from './queries.ts'
import { type Bookkeeping, type BookkeepingChange, defaultBookkeeping, type LedgerAccount } from './schema.ts'

export async function changeBookkeeping(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  change: BookkeepingChange
): Promise<Bookkeeping> {
  return await db.transaction(async tx => {
    const before = await bookkeeping.find(tx)
    requireVersion(expected, before.version)
    const { version, ...settings } = { ...before, ...pickKnownFields(change) }
    if (new Set(listAccounts(settings).map(account => account.length)).size > 1) throw newAccountLengthsDifferProblem()
    const fields = (Object.keys(settings) as (keyof typeof settings)[]).filter(
      field => !isDeepStrictEqual(before[field], settings[field])
    )
    if (fields.length === 0) return before
    if (!(await bookkeeping.update(tx, version, settings, now)))
      throw new RetryTransaction('The settings were modified concurrently.')
    await record(tx, { by, now }, 'bookkeeping.updated', { subject: 'bookkeeping', id: 1, details: { fields } })
    return { ...settings, version: version + 1 }
  })
}

/** All account numbers; DATEV requires the same length for all. */
export function listAccounts(settings: Omit<Bookkeeping, 'version'>): string[] {
  return [...ledgerAccounts.map(name => settings[name]), ...settings.bankAccounts.map(({ account }) => account)]
}

const ledgerAccounts: LedgerAccount[] = [
  'bank',
  'cash',
  'donationsWithReceipt',
  'donationsWithoutReceipt',
  'membershipFees'
]

/** Drops read-only fields that clients send back. */
function pickKnownFields(change: BookkeepingChange): BookkeepingChange {
  const known = Object.keys(defaultBookkeeping)
  return Object.fromEntries(Object.entries(change).filter(([name]) => known.includes(name)))
}
