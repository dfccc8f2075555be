import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { eraseMessages } from '#platform/webhooks/deliveries/queries.ts'
import * as donations from '../donations/queries.ts'
import { decryptIban, type EncryptionKeys, listIbanFingerprints } from '../encryption/iban-encryption.ts'
import { toAmount } from '../money/money.ts'
import * as organisation from '../organisation/queries.ts'
import { newDonationNotFoundProblem } from '../problems/common.ts'
import { personalDataSources } from './personal-data.ts'
import type { DonorDonationKey, Person, RetainedRow } from './queries.ts'
import * as donors from './queries.ts'
import type { DonorScope, ErasureReason } from './schema.ts'

/** How many donations are erased in one transaction. */
const batchSize = 200

/** The person behind a donation, with what they are known by. */
export type Donor = Person & { iban: string | null }

/** Who that is: the same e-mail address or the same account, never the same name, which many people have. */
export async function findDonor(
  db: Database,
  settings: EncryptionKeys,
  donationId: string,
  scope: DonorScope
): Promise<Donor> {
  const row = await donors.findDonation(db, donationId)
  if (row === undefined) throw newDonationNotFoundProblem()
  const iban = row.encryptedIban === null ? row.plaintextIban : decryptIban(settings, row.encryptedIban)
  const isAlone = scope === 'donation'
  return {
    donation: { campaignId: row.campaignId, id: row.id },
    iban,
    email: isAlone ? null : row.email,
    fingerprints: isAlone || iban === null ? [] : listIbanFingerprints(settings, iban)
  }
}

/** Who handed a person's data out, and how much it was; not whose. */
export async function recordExport(db: Database, by: Caller, donor: Donor, count: number, now = new Date()) {
  const { campaignId, id } = donor.donation
  await db.transaction(
    async tx =>
      await record(tx, by, now, 'donor.exported', { subject: 'donor', id, details: { campaignId, donations: count } })
  )
}

/**
 * Erases a person for good: what was given and what became of it stays in the books, who gave it goes. Some donations at a
 * time, each time as a whole; asked again, it goes on where it stopped, and then has nothing left to do.
 */
export async function eraseDonor(
  db: Database,
  by: Caller,
  donor: Donor,
  { reason, expected, now = new Date() }: { reason: ErasureReason; expected?: IfMatch; now?: Date }
): Promise<{ donations: number; kept: RetainedRow[] }> {
  // They are found by what is erased, so what is kept is counted while they can still be found.
  const kept: RetainedRow[] = []
  let count = 0
  for (;;) {
    const erased = await db.transaction(async tx => {
      if (count === 0) await requireUnchanged(tx, donor.donation, expected)
      const some = await donors.listToErase(tx, donor, batchSize)
      // The one that was asked about comes last, because all others are found by it.
      const rest = some.filter(({ id }) => id !== donor.donation.id)
      const next = rest.length === 0 ? some : rest
      if (next.length === 0) return []
      const { id } = donor.donation
      await eraseDonations(tx, by, next, now)
      const details = { campaignId: donor.donation.campaignId, donations: next.length, reason }
      await record(tx, by, now, 'donor.erased', { subject: 'donor', id, details })
      return next
    })
    if (erased.length === 0) break
    count += erased.length
    kept.push(...(await donors.listRetained(db, erased)))
  }
  if (count === 0) kept.push(...(await donors.listRetained(db, [donor.donation])))
  return { donations: count, kept }
}

async function requireUnchanged(tx: Database, { campaignId, id }: DonorDonationKey, expected: IfMatch): Promise<void> {
  if (expected === undefined) return
  const row = await donations.lock(tx, campaignId, id)
  if (row === undefined) throw newDonationNotFoundProblem()
  requireVersion(expected, row.version)
}

/** In the transaction of whoever says why. */
export async function eraseDonations(tx: Database, by: Caller, some: DonorDonationKey[], now: Date): Promise<void> {
  // First the others: some of them look at what the donation says of the person.
  for (const part of personalDataSources) await part.erase(tx, some, now)
  const erased = await donors.erase(tx, some, now)
  await donors.removeNotes(tx, some)
  const ids = some.map(({ id }) => id)
  await eraseMessages(tx, 'donation', ids)
  await Promise.all(
    erased.map(async ({ id, campaignId, amountCents, status }) => {
      const details = { campaignId, amount: toAmount(amountCents), status }
      await record(tx, by, now, 'donation.erased', { subject: 'donation', id, details })
    })
  )
}

/** How much there is to erase, and what would be kept. */
export async function findSummary(db: Database, donor: Donor): Promise<{ donations: number; kept: RetainedRow[] }> {
  const count = await donors.count(db, donor, 'not erased')
  const kept: RetainedRow[] = []
  let after: donors.PersonDonation | undefined
  do {
    const rows = await donors.listOfPerson(db, donor, { after, rows: batchSize })
    kept.push(...(await donors.listRetained(db, rows)))
    after = rows.length < batchSize ? undefined : rows.at(-1)
  } while (after !== undefined)
  return { donations: count, kept }
}

/** For how many years the law wants things kept, from the end of the year in which they were made. */
export async function findRetentionYears(db: Database): Promise<number> {
  return (await organisation.find(db)).retentionYears
}
