import type { Caller } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Database } from '#platform/database.ts'
import { forgetMessages } from '#platform/deliveries/queries.ts'
import * as donations from '../donations/queries.ts'
import { toAmount } from '../money.ts'
import * as organisation from '../organisation/queries.ts'
import { personal } from '../personal.ts'
import { donationNotFound } from '../problems.ts'
import { type Keys, openIban, printsOf } from '../vault.ts'
import type { DonationKey, KeptRow, Person } from './queries.ts'
import * as donors from './queries.ts'
import type { DonorScope, ErasureReason } from './schema.ts'

/** How many donations are erased in one transaction. */
const erasedAtOnce = 200

/** The person behind a donation, with what they are known by. */
export type Donor = Person & { iban: string | null }

/** Who that is: the same e-mail address or the same account, never the same name, which many people have. */
export async function findDonor(db: Database, settings: Keys, donationId: string, scope: DonorScope): Promise<Donor> {
  const row = await donors.findDonation(db, donationId)
  if (row === undefined) throw donationNotFound()
  const iban = row.sealedIban === null ? row.ibanBefore : openIban(settings, row.sealedIban)
  const isAlone = scope === 'donation'
  return {
    donation: { campaignId: row.campaignId, id: row.id },
    iban,
    email: isAlone ? null : row.email,
    prints: isAlone || iban === null ? [] : printsOf(settings, iban)
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
): Promise<{ donations: number; kept: KeptRow[] }> {
  // They are found by what is erased, so what is kept is counted while they can still be found.
  const kept: KeptRow[] = []
  let count = 0
  for (;;) {
    const erased = await db.transaction(async tx => {
      if (count === 0) await refuseChanged(tx, donor.donation, expected)
      const some = await donors.listToErase(tx, donor, erasedAtOnce)
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
    kept.push(...(await donors.listKept(db, erased)))
  }
  if (count === 0) kept.push(...(await donors.listKept(db, [donor.donation])))
  return { donations: count, kept }
}

async function refuseChanged(tx: Database, { campaignId, id }: DonationKey, expected: IfMatch): Promise<void> {
  if (expected === undefined) return
  const row = await donations.lock(tx, campaignId, id)
  if (row === undefined) throw donationNotFound()
  refuseStale(expected, row.version)
}

/** In the transaction of whoever says why. */
export async function eraseDonations(tx: Database, by: Caller, some: DonationKey[], now: Date): Promise<void> {
  // First the others: some of them look at what the donation says of the person.
  for (const part of personal) await part.erase(tx, some, now)
  const erased = await donors.erase(tx, some, now)
  await donors.removeNotes(tx, some)
  const ids = some.map(({ id }) => id)
  await forgetMessages(tx, 'donation', ids)
  await Promise.all(
    erased.map(async ({ id, campaignId, amountCents, status }) => {
      const details = { campaignId, amount: toAmount(amountCents), status }
      await record(tx, by, now, 'donation.erased', { subject: 'donation', id, details })
    })
  )
}

/** How much there is to erase, and what would be kept. */
export async function findSummary(db: Database, donor: Donor): Promise<{ donations: number; kept: KeptRow[] }> {
  const count = await donors.count(db, donor, 'not erased')
  const kept: KeptRow[] = []
  let after: donors.PersonsDonation | undefined
  do {
    const rows = await donors.listOfPerson(db, donor, { after, rows: erasedAtOnce })
    kept.push(...(await donors.listKept(db, rows)))
    after = rows.length < erasedAtOnce ? undefined : rows.at(-1)
  } while (after !== undefined)
  return { donations: count, kept }
}

/** For how many years the law wants things kept, from the end of the year in which they were made. */
export async function findRetentionYears(db: Database): Promise<number> {
  return (await organisation.find(db)).retentionYears
}
