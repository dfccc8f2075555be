import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { DonationStatus } from '../../donations/schema.ts'
import type { EntryResult } from './schema.ts'

export interface StatementRow {
  id: number
  format: string
  fileName: string | null
  importedAt: string
  importedBy: string
  firstDay: string | null
  lastDay: string | null
  currency: string | null
  readTo: number
  finishedAt: string | null
  counts: Partial<Record<EntryResult, number>>
  /** In cents. */
  amounts: Partial<Record<EntryResult, number>>
}

const statementColumns = sql`
  id, format, currency, counts, amounts,
  file_name as "fileName",
  imported_at as "importedAt",
  imported_by as "importedBy",
  first_day::text as "firstDay",
  last_day::text as "lastDay",
  read_to as "readTo",
  finished_at as "finishedAt"`

/** Newest first. */
export async function list(
  db: Database,
  page: { beforeId: number | undefined; rows: number }
): Promise<StatementRow[]> {
  return await db.all(sql`
    select ${statementColumns}
    from fundraising.bank_statements
    ${page.beforeId === undefined ? emptySql : sql`where id < ${page.beforeId}`}
    order by id desc
    limit ${toLiteral(page.rows)}`)
}

export async function count(db: Database): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`select count(*) as total from fundraising.bank_statements`)
  return total
}

export async function find(db: Database, id: number): Promise<StatementRow | undefined> {
  return await db.maybeOne(sql`select ${statementColumns} from fundraising.bank_statements where id = ${id}`)
}

export async function findByDigest(db: Database, digest: Buffer): Promise<StatementRow | undefined> {
  return await db.maybeOne(sql`select ${statementColumns} from fundraising.bank_statements where digest = ${digest}`)
}

/** Locked before any change, so that a recount sees the entries of concurrent transactions. */
export async function lock(tx: Database, id: number): Promise<StatementRow | undefined> {
  return await tx.maybeOne(sql`select ${statementColumns} from fundraising.bank_statements where id = ${id} for update`)
}

/** Returns undefined if the same file was imported before. */
export async function insert(
  tx: Database,
  statement: Pick<StatementRow, 'format' | 'fileName' | 'firstDay' | 'lastDay' | 'currency' | 'importedBy'> & {
    digest: Buffer
  },
  now: Date
): Promise<number | undefined> {
  const row = await tx.maybeOne<{ id: number }>(sql`
    insert into fundraising.bank_statements (
      digest, format, file_name, currency, first_day, last_day, imported_at, imported_by
    ) values (
      ${statement.digest}, ${statement.format}, ${statement.fileName}, ${statement.currency},
      ${statement.firstDay}, ${statement.lastDay}, ${now}, ${statement.importedBy}
    )
    on conflict (digest) do nothing
    returning id`)
  return row?.id
}

export async function setReadTo(tx: Database, id: number, position: number): Promise<void> {
  await tx.run(sql`update fundraising.bank_statements set read_to = ${position} where id = ${id}`)
}

/** Returns false if a concurrent import finished it first. */
export async function setFinished(tx: Database, id: number, now: Date): Promise<boolean> {
  const finished = await tx.run(sql`
    update fundraising.bank_statements set finished_at = ${now} where id = ${id} and finished_at is null`)
  return finished === 1
}

/** Recounts the entries of a statement; the caller holds the statement's lock. */
export async function recount(tx: Database, id: number): Promise<void> {
  await tx.run(sql`
    with counted as (
      select result, count(*) as entries,
        coalesce(sum(entry.amount_cents) filter (where entry.currency = statement.currency), 0)::bigint as cents
      from fundraising.statement_entries as entry
      join fundraising.bank_statements as statement on statement.id = entry.statement_id
      where entry.statement_id = ${id}
      group by result
    )
    update fundraising.bank_statements
    set
      counts = coalesce((select jsonb_object_agg(counted.result, counted.entries) from counted), '{}'),
      amounts = coalesce((select jsonb_object_agg(counted.result, counted.cents) from counted), '{}')
    where id = ${id}`)
}

/** The fields of a donation shown with an entry. */
export interface MatchedDonation {
  campaignId: number
  id: string
  campaignName: string
  currency: string
  reference: string
  donorName: string | null
  amountCents: number
  status: DonationStatus
  receivedCents: number
}

export async function listDonations(
  db: Database,
  wanted: { campaignId: number; id: string }[]
): Promise<MatchedDonation[]> {
  if (wanted.length === 0) return []
  return await db.all(sql`
    select
      donation.campaign_id as "campaignId", donation.id, donation.reference, donation.status,
      donation.donor_name as "donorName",
      donation.amount_cents as "amountCents",
      campaign.name as "campaignName",
      campaign.currency,
      donation.received_cents as "receivedCents"
    from unnest(
      ${wanted.map(one => one.campaignId)}::bigint[], ${wanted.map(one => one.id)}::uuid[]
    ) as wanted (campaign_id, id)
    join fundraising.donations as donation
      on donation.campaign_id = wanted.campaign_id and donation.id = wanted.id
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id`)
}

/** For `doctor`: all counts are 0 unless the tables were edited by hand. With outer joins, which Citus can plan over all nodes. */
export async function countViolations(db: Database): Promise<Record<string, number>> {
  return await db.one(sql`
    select
      (
        select count(*)
        from fundraising.statement_entries as entry
        left join fundraising.donations as donation
          on donation.campaign_id = entry.campaign_id and donation.id = entry.donation_id
        where entry.donation_id is not null and donation.id is null
      ) as "entries of bank statements are booked for no donation",
      (
        select count(*)
        from fundraising.statement_entries as entry
        left join fundraising.payments as payment
          on payment.statement_id = entry.statement_id and payment.entry_id = entry.id and payment.taken_back_at is null
        where entry.result = 'booked' and entry.collection_id is null and payment.id is null
      ) as "entries of bank statements are booked and have no payment",
      (
        select count(*)
        from fundraising.statement_entries as entry
        left join fundraising.collections as collection on collection.id = entry.collection_id
        where entry.collection_id is not null and collection.id is null
      ) as "entries of bank statements belong to no direct debit batch",
      (
        select count(*)
        from fundraising.payments as payment
        left join fundraising.statement_entries as entry
          on entry.statement_id = payment.statement_id and entry.id = payment.entry_id and entry.result in ('booked', 'returned')
        where payment.entry_id is not null and payment.taken_back_at is null and entry.id is null
      ) as "payments belong to no booked entry of a bank statement",
      (
        select count(*) from (
          select entry.id
          from fundraising.payments as payment
          join fundraising.statement_entries as entry
            on entry.statement_id = payment.statement_id and entry.id = payment.entry_id
          join fundraising.campaigns as campaign on campaign.id = payment.campaign_id
          where payment.taken_back_at is null and campaign.currency = entry.currency
          group by entry.statement_id, entry.id, entry.amount_cents
          having abs(sum(payment.amount_cents)) <> entry.amount_cents
        ) as uneven
      ) as "entries of bank statements are not the sum of their payments",
      (
        select count(*)
        from fundraising.statement_entries as entry
        left join fundraising.bank_statements as statement on statement.id = entry.statement_id
        where statement.id is null
      ) as "entries belong to no bank statement"`)
}
