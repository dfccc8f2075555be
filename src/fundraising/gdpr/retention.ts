import { newSystemCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { sql, toLiteral } from '#platform/database/sql.ts'
import { toLocalDay } from '../dates.ts'
import * as organisation from '../organisation/queries.ts'
import { eraseDonations } from './donor.ts'
import type { DonorDonationKey } from './queries.ts'
import { deleteOldLetterFiles } from './sources/donor-records.ts'
import * as mandates from './sources/mandates.ts'
import { deleteOldRules } from './sources/payer-rules.ts'
import * as payments from './sources/statement-entries.ts'

/** Donors whose money never arrived are erased after this many days; until then they may ask what went wrong. */
const neverCameDays = 90
/** An unauthorised debit can be returned for 13 months, and we must be able to show the mandate until then. */
const neverCameByDebitDays = 430
const dayMs = 86_400_000
/** Donations per transaction, and transactions per run; the rest waits for the next day. */
const batchSize = 200
const roundsMax = 50

const retentionCaller = newSystemCaller('retention')

/**
 * Erases donors whose data is no longer needed: unpaid donations after a while, all others at the end of the legal
 * retention period of their year. Returns the number of donations.
 */
export async function eraseExpiredDonors(
  db: Database,
  settings: Pick<Settings, 'timezone'>,
  { now = new Date(), stopping }: { now?: Date; stopping?: AbortSignal } = {}
): Promise<number> {
  const { retentionYears } = await organisation.find(db)
  // Retention counts whole years after the end of the year, so everything from before this year has expired.
  const year = Number(toLocalDay(now, settings.timezone).slice(0, 4)) - retentionYears
  const limits = {
    books: `${year}-01-01`,
    neverCame: new Date(now.getTime() - neverCameDays * dayMs),
    neverCameByDebit: new Date(now.getTime() - neverCameByDebitDays * dayMs),
    timezone: settings.timezone
  }
  const inRounds = async (erase: (tx: Database) => Promise<number>): Promise<number> => {
    let count = 0
    for (let round = 0; round < roundsMax && stopping?.aborted !== true; round += 1) {
      const erased = await db.transaction(erase)
      count += erased
      if (erased < batchSize) break
    }
    return count
  }
  const erased = await inRounds(async tx => {
    const some = await listExpired(tx, limits)
    if (some.length > 0) await eraseDonations(tx, retentionCaller, some, now)
    return some.length
  })
  // Records retained at earlier erasures, and payers whose payments were never assigned.
  await inRounds(async tx => await mandates.erase(tx, await listOldMandates(tx, limits.books), now))
  await inRounds(async tx => await payments.eraseOldPayers(tx, limits.books, batchSize, now))
  await inRounds(async tx => await deleteOldRules(tx, limits.books, batchSize))
  await inRounds(async tx => await deleteOldLetterFiles(tx, limits.books, batchSize))
  return erased
}

/** Donation ids begin with their timestamp, so an index finds the old ones; a mandate is signed with its donation. */
async function listOldMandates(db: Database, day: string): Promise<DonorDonationKey[]> {
  const moment = Date.parse(`${day}T00:00:00Z`).toString(16).padStart(12, '0')
  return await db.all(sql`
    select mandate.campaign_id as "campaignId", mandate.donation_id as id
    from fundraising.mandates as mandate
    where mandate.donation_id < ${`${moment.slice(0, 8)}-${moment.slice(8)}-0000-0000-000000000000`}
      and mandate.signed_on < ${day}::date
    order by mandate.donation_id
    limit ${toLiteral(batchSize)}`)
}

interface RetentionLimits {
  books: string
  neverCame: Date
  neverCameByDebit: Date
  timezone: string
}

/** Both lists use an index. Money that arrived and was returned follows the retention period of the books. */
async function listExpired(db: Database, limits: RetentionLimits): Promise<DonorDonationKey[]> {
  const endOfBooks = sql`(${limits.books}::date::timestamp at time zone ${limits.timezone})`
  return await db.all(sql`
    (
      select donation.campaign_id as "campaignId", donation.id
      from fundraising.donations as donation
      where donation.status in ('CANCELLED', 'FAILED') and donation.erased_at is null
        and donation.updated_at
          < case donation.payment_method when 'transfer' then ${limits.neverCame}::timestamptz else ${limits.neverCameByDebit} end
        and donation.updated_at < ${limits.neverCame}
        and not exists (
          select 1 from fundraising.donation_history as history
          where history.campaign_id = donation.campaign_id and history.donation_id = donation.id
            and history.status = 'TRANSFERRED'
        )
      limit ${toLiteral(batchSize)}
    )
    union
    (
      select donation.campaign_id, donation.id
      from fundraising.donations as donation
      where donation.created_at < ${endOfBooks} and donation.erased_at is null
        and not exists (
          select 1 from fundraising.donation_history as history
          where history.campaign_id = donation.campaign_id and history.donation_id = donation.id
            and history.at >= ${endOfBooks}
        )
      limit ${toLiteral(batchSize)}
    )
    limit ${toLiteral(batchSize)}`)
}
