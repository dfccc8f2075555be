import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { RequestChange } from './schema.ts'

export interface AccountRequestRow {
  id: number
  change: RequestChange
  campaignId: number | null
  campaignName: string | null
  iban: string | null
  accountName: string | null
  bankName: string | null
  ibanBefore: string | null
  askedBy: string
  askedById: number | null
  createdAt: string
  expiresAt: string
}

const columns = sql`
  request.id, request.change, request.iban,
  request.campaign_id as "campaignId",
  campaign.name as "campaignName",
  request.account_name as "accountName",
  request.account_bank as "bankName",
  request.iban_before as "ibanBefore",
  request.asked_by as "askedBy",
  request.asked_by_id as "askedById",
  request.created_at as "createdAt",
  request.expires_at as "expiresAt"`

const tables = sql`
  fundraising.account_requests as request
  left join fundraising.campaigns as campaign on campaign.id = request.campaign_id`

/** Unexpired requests, oldest first. */
export async function list(db: Database, now: Date): Promise<AccountRequestRow[]> {
  return await db.all(sql`
    select ${columns}
    from ${tables}
    where request.expires_at > ${now}
    order by request.id
    limit 1000`)
}

/** All requests, expired or not. */
export async function listAll(db: Database): Promise<AccountRequestRow[]> {
  return await db.all(sql`
    select ${columns} from ${tables} order by request.id limit 1000`)
}

export async function find(db: Database, id: number): Promise<AccountRequestRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns} from ${tables} where request.id = ${id}`)
}

export async function lock(tx: Database, id: number): Promise<AccountRequestRow | undefined> {
  return await findLocked(tx, sql`request.id = ${id}`)
}

/** Locks the one request about the same account, or about the second-person rule itself. */
export async function lockForSameAccount(
  tx: Database,
  { change, campaignId }: Pick<AccountRequestRow, 'change' | 'campaignId'>
): Promise<AccountRequestRow | undefined> {
  return await findLocked(tx, sql`request.change = ${change} and coalesce(request.campaign_id, 0) = ${campaignId ?? 0}`)
}

/** Locks first, because Citus does not lock rows that are joined with distributed ones. */
async function findLocked(tx: Database, filter: Sql): Promise<AccountRequestRow | undefined> {
  const locked = await tx.maybeOne<{ id: number }>(sql`
    select request.id from fundraising.account_requests as request where ${filter} for update`)
  return locked && (await find(tx, locked.id))
}

/** Returns undefined if a concurrent request for the same account was inserted first. */
export async function insert(
  tx: Database,
  request: Omit<AccountRequestRow, 'id' | 'campaignName' | 'createdAt' | 'expiresAt'>,
  { now, expiresAt }: { now: Date; expiresAt: Date }
): Promise<AccountRequestRow | undefined> {
  const inserted = await tx.maybeOne<{ id: number }>(sql`
    insert into fundraising.account_requests (
      change, campaign_id, iban, account_name, account_bank, iban_before, asked_by, asked_by_id, created_at, expires_at
    ) values (
      ${request.change}, ${request.campaignId}, ${request.iban}, ${request.accountName}, ${request.bankName},
      ${request.ibanBefore}, ${request.askedBy}, ${request.askedById}, ${now}, ${expiresAt}
    )
    on conflict (change, coalesce(campaign_id, 0)) do nothing
    returning id`)
  return inserted && (await find(tx, inserted.id))
}

export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from fundraising.account_requests where id = ${id}`)
}
