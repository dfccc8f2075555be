import { buildRecords } from '#platform/activity/activity.ts'
import type { NewActivity } from '#platform/activity/queries.ts'
import type { Database } from '#platform/database/database.ts'
import { isDuplicate, RetryTransaction } from '#platform/database/errors.ts'
import { emptySql, joinValues, sql } from '#platform/database/sql.ts'
import { buildQueuedEmails } from '#platform/email/outbox.ts'
import type { DueEmail } from '#platform/email/queries.ts'
import type { Totals } from '../campaigns/totals/queries.ts'
import { type InsertedDonation, insertedColumns, toInsertedColumns, toInsertedValues } from './donation-row.ts'

/** A donation with what is always inserted with it. */
interface NewDonationRow {
  donation: InsertedDonation
  share: Totals
  actor: string
}

/** The same with its activity and its e-mail. */
export interface RecordedDonationRow extends NewDonationRow {
  activity: NewActivity
  email: DueEmail | undefined
}

/**
 * Inserts donations with their first history rows, totals deltas, activities and e-mails: one statement, because this is
 * the path that has to be fast. If a reference is taken, the transaction is retried.
 */
export async function insertAll(tx: Database, all: RecordedDonationRow[], withDeliveries: boolean): Promise<void> {
  const emails = all.flatMap(({ email }) => email ?? [])
  const records = buildRecords(
    all.map(({ activity }) => activity),
    withDeliveries
  )
  await retryTakenReference(async () => {
    await tx.run(sql`
      with history as (
        insert into fundraising.donation_history (${historyColumns})
        select ${historyColumns}
        from json_populate_recordset(null::fundraising.donation_history, ${toJson(all, toHistoryColumns)})
      ), delta as (
        insert into fundraising.deltas (${deltaColumns})
        select ${deltaColumns} from json_populate_recordset(null::fundraising.deltas, ${toJson(all, toDeltaColumns)})
      ), ${records} ${emails.length === 0 ? emptySql : sql`, email as (${buildQueuedEmails(emails)})`}
      insert into fundraising.donations (${insertedColumns})
      select ${insertedColumns}
      from json_populate_recordset(null::fundraising.donations, ${toJson(all, one => toInsertedColumns(one.donation))})`)
  })
}

/** Inserts a donation with its first history row and totals delta, all on the worker of its campaign if there are any. */
export async function insert(tx: Database, one: NewDonationRow): Promise<void> {
  const { donation } = one
  await retryTakenReference(async () => {
    await tx.run(sql`
      with history as (
        insert into fundraising.donation_history (${historyColumns})
        values (${joinValues(Object.values(toHistoryColumns(one)))})
      ), delta as (
        insert into fundraising.deltas (${deltaColumns}) values (${joinValues(Object.values(toDeltaColumns(one)))})
      )
      insert into fundraising.donations (${insertedColumns}) values (${toInsertedValues(donation)})`)
  })
}

const historyColumns = sql`campaign_id, donation_id, number, status, at, actor`

const toHistoryColumns = ({ donation, actor }: NewDonationRow) => ({
  campaign_id: donation.campaignId,
  donation_id: donation.id,
  number: 1,
  status: donation.status,
  at: donation.createdAt,
  actor
})

const deltaColumns = sql`campaign_id, donated_cents, transferred_cents, donation_count`

const toDeltaColumns = ({ donation, share }: NewDonationRow) => ({
  campaign_id: donation.campaignId,
  donated_cents: share.donatedCents,
  transferred_cents: share.transferredCents,
  donation_count: share.donationCount
})

const toJson = (all: RecordedDonationRow[], toColumns: (one: RecordedDonationRow) => object) =>
  JSON.stringify(all.map(toColumns))

async function retryTakenReference(insert: () => Promise<void>): Promise<void> {
  try {
    await insert()
  } catch (error) {
    if (!isDuplicate(error, 'donations_by_reference')) throw error
    throw new RetryTransaction('The reference was taken.', { cause: error })
  }
}
