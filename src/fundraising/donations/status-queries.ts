import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { type DonationKey, groupByCampaign } from '../campaigns/by-campaign.ts'
import { columns, type DonationRow } from './donation-row.ts'
import type { DonationStatus } from './schema.ts'

/**
 * Locks donations in a fixed order, so that concurrent transactions do not deadlock. Includes deleted donations and
 * those of deleted campaigns, because money can still arrive for them.
 */
export async function lockDonations(tx: Database, wanted: DonationKey[]): Promise<DonationRow[]> {
  const locked = groupByCampaign(wanted).map(({ campaignId, ids }) =>
    tx.all<DonationRow>(sql`
      select ${columns}
      from fundraising.donations as donation
      where donation.campaign_id = ${campaignId} and donation.id = any(${ids}::uuid[])
      order by donation.id
      for update of donation`)
  )
  return (await Promise.all(locked)).flat()
}

/**
 * Updates status and received amount of many donations. Restores deleted ones, because money arrived for them or the
 * bank reports that they failed. Unprepared, so that the plan fits the number of rows: the plan for one row takes
 * seconds for hundreds.
 */
export async function updateReceived(
  tx: Database,
  changes: (DonationKey & Pick<DonationRow, 'status' | 'review' | 'receivedCents' | 'receivedOn'>)[],
  now: Date
): Promise<DonationRow[]> {
  const changed = sql`
    update fundraising.donations as donation
    set
      status = change.status,
      review = change.review,
      received_cents = change.received_cents,
      received_on = change.received_on,
      version = donation.version + 1,
      updated_at = ${now},
      deleted_at = null
    from unnest(
      ${changes.map(one => one.campaignId)}::bigint[],
      ${changes.map(one => one.id)}::uuid[],
      ${changes.map(one => one.status)}::text[],
      ${changes.map(one => one.review)}::text[],
      ${changes.map(one => one.receivedCents)}::bigint[],
      ${changes.map(one => one.receivedOn)}::date[]
    ) as change (campaign_id, id, status, review, received_cents, received_on)
    where donation.campaign_id = change.campaign_id and donation.id = change.id
    returning ${columns}`
  return await tx.all(changed.unprepared())
}

export interface HistoryRow {
  status: DonationStatus
  at: string
  actor: string
}

/** The cause of a status change: a bank entry, or an undo. */
export interface HistoryDetails {
  entry?: { statementId: number; id: string } | undefined
  isUndo?: boolean | undefined
}

export async function listHistory(db: Database, campaignId: number, id: string): Promise<HistoryRow[]> {
  return await db.all(sql`
    select status, at, actor
    from fundraising.donation_history
    where campaign_id = ${campaignId} and donation_id = ${id}
    order by number
    limit 100`)
}

/** A status change that can be undone, with the status before it. */
export interface StatusChange {
  number: number
  status: DonationStatus
  statusBefore: DonationStatus | null
  statementId: number | null
  entryId: string | null
}

/** The newest status change that was not undone and is no undo itself. */
export async function findNewestChange(
  db: Database,
  { campaignId, id }: { campaignId: number; id: string }
): Promise<StatusChange | undefined> {
  return await db.maybeOne(sql`
    select
      history.number, history.status,
      history.statement_id as "statementId",
      history.entry_id as "entryId",
      (
        select before.status
        from fundraising.donation_history as before
        where before.campaign_id = history.campaign_id and before.donation_id = history.donation_id
          and before.number < history.number
        order by before.number desc
        limit 1
      ) as "statusBefore"
    from fundraising.donation_history as history
    where history.campaign_id = ${campaignId} and history.donation_id = ${id}
      and history.undone_by is null and not history.is_undo
    order by history.number desc
    limit 1`)
}

/** `undoneBy` is the donation version that undid the change. */
export async function setUndone(
  tx: Database,
  { campaignId, id }: { campaignId: number; id: string },
  number: number,
  undoneBy: number
): Promise<void> {
  await tx.run(sql`
    update fundraising.donation_history
    set undone_by = ${undoneBy}
    where campaign_id = ${campaignId} and donation_id = ${id} and number = ${number}`)
}

/** Marks the changes that a bank entry caused as undone when its booking is undone. */
export async function setUndoneByEntry(
  tx: Database,
  { campaignId, id }: { campaignId: number; id: string },
  entry: { statementId: number; id: string },
  undoneBy: number
): Promise<void> {
  await tx.run(sql`
    update fundraising.donation_history
    set undone_by = ${undoneBy}
    where campaign_id = ${campaignId} and donation_id = ${id} and undone_by is null and not is_undo
      and statement_id = ${entry.statementId} and entry_id = ${entry.id}`)
}

/** Numbered by the donation's version, which is unique because the caller holds the row lock. */
export async function insertHistory(
  tx: Database,
  donation: Pick<DonationRow, 'campaignId' | 'id' | 'status' | 'version'>,
  { entry, isUndo = false, at, actor }: HistoryDetails & { at: Date; actor: string }
): Promise<void> {
  await tx.run(sql`
    insert into fundraising.donation_history (
      campaign_id, donation_id, number, status, at, actor, is_undo, statement_id, entry_id
    ) values (
      ${donation.campaignId}, ${donation.id}, ${donation.version}, ${donation.status}, ${at}, ${actor}, ${isUndo},
      ${entry?.statementId ?? null}, ${entry?.id ?? null}
    )`)
}

/** Links the first status of a donation with the bank entry that it was created from. */
export async function setHistoryEntry(
  tx: Database,
  { campaignId, id }: { campaignId: number; id: string },
  entry: { statementId: number; id: string }
): Promise<void> {
  await tx.run(sql`
    update fundraising.donation_history
    set statement_id = ${entry.statementId}, entry_id = ${entry.id}
    where campaign_id = ${campaignId} and donation_id = ${id} and number = 1`)
}
