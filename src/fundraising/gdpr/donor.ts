import { record } from '#platform/activity/activity.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { eraseMessages } from '#platform/webhooks/deliveries/queries.ts'
import * as donations from '../donations/queries.ts'
import { decryptIban, type EncryptionKeys, listIbanFingerprints } from '../encryption/iban-encryption.ts'
import { toAmount } from '../money/money.ts'
import * as organisation from '../organisation/queries.ts'
import { newDonationNotFoundProblem } from '../problems/donations.ts'
import { personalDataSources } from './personal-data.ts'
import type { DonorDonationKey, Person, RetainedRow } from './queries.ts'
import * as donors from './queries.ts'
import type { DonorScope, ErasureReason } from './schema.ts'
import { listDonationsOfDonor } from './sources/donor-records.ts'

/** The number of donations erased in one transaction. */
const batchSize = 200

/** The person behind a donation, with the identifiers that find their other donations. */
export type Donor = Person & { iban: string | null }

/**
 * Identifies the person by e-mail address, IBAN or donor record, never by name alone, because many people share a name.
 */
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
  const donation = { campaignId: row.campaignId, id: row.id }
  const others = isAlone ? [] : await listDonationsOfDonor(db, donation)
  return {
    donation,
    donations: [donation, ...others.filter(({ id }) => id !== row.id)],
    iban,
    email: isAlone ? null : row.email,
    fingerprints: isAlone || iban === null ? [] : listIbanFingerprints(settings, iban)
  }
}

/** Records who exported personal data and how much, but not of which person. */
export async function recordExport(db: Database, { by, now = new Date() }: Actor, donor: Donor, count: number) {
  const { campaignId, id } = donor.donation
  await db.transaction(
    async tx =>
      await record(tx, { by, now }, 'donor.exported', {
        subject: 'donor',
        id,
        details: { campaignId, donations: count }
      })
  )
}

/**
 * Erases a person permanently: amounts and statuses stay in the books, the donor's identity goes. Works in batches,
 * each in one transaction; a repeated call continues where the last one stopped, and then does nothing.
 */
export async function eraseDonor(
  db: Database,
  by: Caller,
  donor: Donor,
  { reason, expected, now = new Date() }: { reason: ErasureReason; expected?: IfMatch; now?: Date }
): Promise<{ donations: number; kept: RetainedRow[] }> {
  // Erasure removes the identifiers, so retained rows are counted while the donations can still be found.
  const kept: RetainedRow[] = []
  let count = 0
  for (;;) {
    const erased = await db.transaction(async tx => {
      if (count === 0) await requireUnchanged(tx, donor.donation, expected)
      const some = await donors.listToErase(tx, donor, batchSize)
      // The requested donation is erased last, because the others are found by its identifiers.
      const rest = some.filter(({ id }) => id !== donor.donation.id)
      const next = rest.length === 0 ? some : rest
      if (next.length === 0) return []
      const { id } = donor.donation
      await eraseDonations(tx, by, next, now)
      const details = { campaignId: donor.donation.campaignId, donations: next.length, reason }
      await record(tx, { by, now }, 'donor.erased', { subject: 'donor', id, details })
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

/** Runs in the transaction of the caller, who records the reason. */
export async function eraseDonations(tx: Database, by: Caller, some: DonorDonationKey[], now: Date): Promise<void> {
  // The other sources come first: some of them find their rows by personal data of the donation.
  for (const part of personalDataSources) await part.erase(tx, some, now)
  const erased = await donors.erase(tx, some, now)
  await donors.removeNotes(tx, some)
  const ids = some.map(({ id }) => id)
  await eraseMessages(tx, 'donation', ids)
  await Promise.all(
    erased.map(async ({ id, campaignId, amountCents, status }) => {
      const details = { campaignId, amount: toAmount(amountCents), status }
      await record(tx, { by, now }, 'donation.erased', { subject: 'donation', id, details })
    })
  )
}

/** The number of donations to erase, and what has to be retained. */
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

/** The legal retention period in years, counted from the end of the year of creation. */
export async function findRetentionYears(db: Database): Promise<number> {
  return (await organisation.find(db)).retentionYears
}
