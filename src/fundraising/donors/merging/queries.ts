import type { Database } from '#platform/database/database.ts'
import { sql, toLiteral } from '#platform/database/sql.ts'

export interface MergeRow {
  id: string
  sourceId: string
  targetId: string
  /** The source and the donors that were merged into it before. */
  moved: string[]
  at: string
  actor: string
  undoneAt: string | null
  undoneBy: string | null
}

const columns = sql`
  id, moved, at, actor,
  source_id as "sourceId",
  target_id as "targetId",
  undone_at as "undoneAt",
  undone_by as "undoneBy"`

export async function insert(
  tx: Database,
  { id, sourceId, targetId, moved, at, actor }: Omit<MergeRow, 'undoneAt' | 'undoneBy'>
): Promise<MergeRow> {
  return await tx.one(sql`
    insert into fundraising.donor_merges (id, source_id, target_id, moved, at, actor)
    values (${id}, ${sourceId}, ${targetId}, ${moved}::uuid[], ${at}, ${actor})
    returning ${columns}`)
}

/** Shows donors as another one. */
export async function updateMain(tx: Database, ids: string[], mainId: string): Promise<void> {
  await tx.run(sql`update fundraising.donors set main_id = ${mainId} where id = any(${ids}::uuid[])`)
}

/** Merges of these donors, newest first, including undone ones. */
export async function listOfDonors(db: Database, donorIds: string[]): Promise<MergeRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.donor_merges
    where source_id = any(${donorIds}::uuid[]) or target_id = any(${donorIds}::uuid[])
    order by id desc
    limit 100`)
}

export async function lock(tx: Database, id: string): Promise<MergeRow | undefined> {
  return await tx.maybeOne(sql`select ${columns} from fundraising.donor_merges where id = ${id} for update`)
}

export async function setUndone(tx: Database, id: string, { at, actor }: { at: Date; actor: string }): Promise<void> {
  await tx.run(sql`update fundraising.donor_merges set undone_at = ${at}, undone_by = ${actor} where id = ${id}`)
}

/** Locked in the order of their ids, so that two merges cannot wait for each other. */
export async function lockDonors(tx: Database, ids: string[]): Promise<{ id: string; mainId: string }[]> {
  return await tx.all(sql`
    select id, main_id as "mainId" from fundraising.donors where id = any(${ids}::uuid[]) order by id for update`)
}

export async function insertDistinction(
  tx: Database,
  ids: readonly [string, string],
  { at, actor }: { at: Date; actor: string }
): Promise<void> {
  const [oneId, otherId] = [...ids].sort()
  await tx.run(sql`
    insert into fundraising.donor_distinctions (one_id, other_id, at, actor)
    values (${oneId}, ${otherId}, ${at}, ${actor})
    on conflict (one_id, other_id) do nothing`)
}

export type DuplicateReason = 'email' | 'iban' | 'name'

/** Two donors that may be one person, by their main donors. */
export interface DuplicatePair {
  oneId: string
  otherId: string
  reasons: DuplicateReason[]
}

/** If more donors than this have the same name, address or account, it says nothing about a person. */
const sameValueMax = 10

const livingDonations = sql`
  from fundraising.donors as donor
  join fundraising.donor_donations as link on link.donor_id = donor.id
  join fundraising.donations as donation on donation.campaign_id = link.campaign_id and donation.id = link.donation_id
  where donation.deleted_at is null and donation.erased_at is null`

/** Pairs that a treasurer has not told apart. */
const notDistinct = sql`
  not exists (
    select 1 from fundraising.donor_distinctions as distinction
    join fundraising.donors as one on one.id = distinction.one_id
    join fundraising.donors as other on other.id = distinction.other_id
    where (one.main_id, other.main_id) in ((pair.one_id, pair.other_id), (pair.other_id, pair.one_id))
  )`

/** Likely duplicates among all donors, those with most in common first. Reads all donations. */
export async function listDuplicates(db: Database, rows: number): Promise<DuplicatePair[]> {
  return await db.all(sql`
    with mark as (
      select distinct donor.main_id as id, identity.reason, identity.value
      from fundraising.donors as donor
      join fundraising.donor_donations as link on link.donor_id = donor.id
      join fundraising.donations as donation on donation.campaign_id = link.campaign_id and donation.id = link.donation_id
      cross join lateral (
        values
          ('email', lower(donation.email)),
          ('iban', encode(donation.iban_fingerprint, 'hex')),
          ('name', donation.donor_search)
      ) as identity (reason, value)
      where donation.deleted_at is null and donation.erased_at is null and identity.value is not null
    ), shared as (
      select reason, value
      from mark
      where reason <> 'name' or value like '% %'
      group by reason, value
      having count(*) between 2 and ${sameValueMax}
    ), pair as (
      select one.id as one_id, other.id as other_id, shared.reason
      from shared
      join mark as one on one.reason = shared.reason and one.value = shared.value
      join mark as other on other.reason = shared.reason and other.value = shared.value and other.id > one.id
    )
    select pair.one_id as "oneId", pair.other_id as "otherId", array_agg(pair.reason order by pair.reason) as reasons
    from pair
    where ${notDistinct}
    group by pair.one_id, pair.other_id
    order by count(*) desc, min(pair.reason), pair.one_id, pair.other_id
    limit ${toLiteral(rows)}`)
}

/** Likely duplicates of one donor, by indexes. */
export async function listDuplicatesOf(db: Database, mainId: string, rows: number): Promise<DuplicatePair[]> {
  return await db.all(sql`
    with own as (
      select distinct lower(donation.email) as email, donation.iban_fingerprint as account, donation.donor_search as name
      ${livingDonations} and donor.main_id = ${mainId}
    ), alike as (
      select donation.campaign_id, donation.id, 'email' as reason
      from fundraising.donations as donation
      where lower(donation.email) in (select own.email from own) and donation.email is not null and donation.deleted_at is null
      union
      select donation.campaign_id, donation.id, 'iban'
      from fundraising.donations as donation
      where donation.iban_fingerprint in (select own.account from own) and donation.deleted_at is null
      union
      select donation.campaign_id, donation.id, 'name'
      from fundraising.donations as donation
      where donation.donor_search in (select own.name from own where own.name like '% %')
        and donation.status = 'TRANSFERRED' and donation.deleted_at is null
    ), pair as (
      select distinct ${mainId}::uuid as one_id, donor.main_id as other_id, alike.reason
      from alike
      join fundraising.donor_donations as link on link.campaign_id = alike.campaign_id and link.donation_id = alike.id
      join fundraising.donors as donor on donor.id = link.donor_id and donor.main_id <> ${mainId}
    )
    select pair.one_id as "oneId", pair.other_id as "otherId", array_agg(pair.reason order by pair.reason) as reasons
    from pair
    where ${notDistinct}
    group by pair.one_id, pair.other_id
    order by count(*) desc, min(pair.reason), pair.other_id
    limit ${toLiteral(rows)}`)
}
