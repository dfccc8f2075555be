import type { Database } from '#platform/database/database.ts'
import { sql, toLiteral } from '#platform/database/sql.ts'
import { unlinkDonations } from '../../donors/linking/unlink.ts'

interface DonationKey {
  campaignId: number
  id: string
}

/** The records of the donors behind the donations: notes, annual letters, and merges. */
export async function list(db: Database, donations: DonationKey[]): Promise<object[]> {
  return await db.all(sql`
    select
      donor.id,
      donor.created_at as "createdAt",
      (
        select coalesce(jsonb_agg(jsonb_build_object('text', note.text, 'at', note.at, 'actor', note.actor) order by note.id), '[]')
        from fundraising.donor_notes as note
        where note.donor_id = donor.id
      ) as notes,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('year', letter.year, 'language', letter.language, 'writtenAt', letter.written_at)
            order by letter.id
          ),
          '[]'
        )
        from fundraising.donor_letters as letter
        where letter.donor_id = donor.id
      ) as letters,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('donor', merge.source_id, 'mergedInto', merge.target_id, 'at', merge.at, 'undoneAt', merge.undone_at)
            order by merge.id
          ),
          '[]'
        )
        from fundraising.donor_merges as merge
        where donor.id in (merge.source_id, merge.target_id)
      ) as merges
    from fundraising.donors as donor
    where donor.id in (
      select link.donor_id
      from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
        as wanted (campaign_id, id)
      join fundraising.donor_donations as link
        on link.campaign_id = wanted.campaign_id and link.donation_id = wanted.id
    )
    order by donor.id
    limit 1000`)
}

/** Nothing of it has to be retained by law. Returns the number of donations that no longer belong to a donor. */
export async function erase(tx: Database, donations: DonationKey[]): Promise<number> {
  return await unlinkDonations(tx, donations)
}

/** Deletes letters about years whose retention period is over; their donors may still give. */
export async function deleteOldLetterFiles(tx: Database, day: string, rows: number): Promise<number> {
  return await tx.run(sql`
    delete from fundraising.donor_letters
    where id in (
      select old.id
      from fundraising.donor_letters as old
      where old.year < extract(year from ${day}::date) and old.written_at < ${day}::date
      order by old.year, old.id
      limit ${toLiteral(rows)}
    )`)
}

/** The donations of the donor of a donation, including those of merged donors; at most 10,000. */
export async function listDonationsOfDonor(db: Database, { campaignId, id }: DonationKey): Promise<DonationKey[]> {
  return await db.all(sql`
    with member as materialized (
      select member.id
      from fundraising.donor_donations as link
      join fundraising.donors as donor on donor.id = link.donor_id
      join fundraising.donors as member on member.main_id = donor.main_id
      where link.campaign_id = ${campaignId} and link.donation_id = ${id}
    )
    select other.campaign_id as "campaignId", other.donation_id as id
    from member
    join fundraising.donor_donations as other on other.donor_id = member.id
    order by other.donation_id
    limit 10000`)
}
