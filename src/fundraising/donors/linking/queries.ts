import type { Database } from '#platform/database/database.ts'
import { isDistributed } from '#platform/database/distributed.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'

/** How far donations were linked with donors. */
export interface LinkingProgress {
  /** Whether it begins with the oldest donation again. */
  isFullRead: boolean
  /** Whether nearly all donations after `readTo` have no donor yet. */
  isRecent: boolean
  readTo: string
  /** When it last began with the oldest donation. */
  startedAt: string
}

/** Begins with the oldest donation again after that many seconds. Undefined while another process links donations. */
export async function lockProgress(
  tx: Database,
  now: Date,
  fullReadSeconds: number
): Promise<LinkingProgress | undefined> {
  const isDue = sql`started_at <= ${now}::timestamptz - make_interval(secs => ${fullReadSeconds})`
  return await tx.maybeOne(sql`
    select
      ${isDue} as "isFullRead",
      not ${isDue} and read_to > ${now}::timestamptz - interval '1 hour' as "isRecent",
      case when ${isDue} then '-infinity' else read_to::text end as "readTo",
      case when ${isDue} then ${now}::timestamptz::text else started_at::text end as "startedAt"
    from fundraising.donor_linking
    for update skip locked`)
}

/** Writes only a change: every list of donors looks for new donations first. */
export async function updateProgress(
  tx: Database,
  { readTo, startedAt }: Pick<LinkingProgress, 'readTo' | 'startedAt'>
): Promise<void> {
  await tx.run(sql`
    update fundraising.donor_linking set read_to = ${readTo}::timestamptz, started_at = ${startedAt}::timestamptz
    where (read_to, started_at) is distinct from (${readTo}::timestamptz, ${startedAt}::timestamptz)`)
}

/** What identifies the donor of a donation. */
export interface DonorIdentity {
  name: string
  email: string | null
  fingerprint: Buffer | null
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
}

export type NamedEmail = { name: string; email: string }
export type NamedAccount = { name: string; fingerprint: Buffer }

export interface UnlinkedDonation extends DonorIdentity {
  campaignId: number
  id: string
  /** The creation time in full precision. */
  moment: string
  encryptedIban: Buffer | null
}

interface UnlinkedFilter {
  isRecent: boolean
  after: string
  overlapSeconds: number
  rows: number
}

const identityColumns = sql`
  donation.donor_search as name,
  lower(donation.email) as email,
  donation.iban_fingerprint as fingerprint,
  donation.address_street as street,
  donation.address_postal_code as "postalCode",
  donation.address_city as city,
  donation.address_country as country`

/**
 * Donations without a donor, oldest first. Donations made shortly before `after` are read again. For `not exists`,
 * PostgreSQL reads all links as soon as thousands of donations follow: right where most of these are linked, but with
 * recent donations it is a hundred times faster to look each of them up.
 */
export async function listUnlinked(
  db: Database,
  { isRecent, after, overlapSeconds, rows }: UnlinkedFilter
): Promise<UnlinkedDonation[]> {
  const link = sql`
        from fundraising.donor_donations as link
        where link.campaign_id = donation.campaign_id and link.donation_id = donation.id`
  return await db.all(sql`
    select
      donation.campaign_id as "campaignId",
      donation.id,
      donation.created_at::text as moment,
      donation.iban_encrypted as "encryptedIban",
      ${identityColumns}
    from fundraising.donations as donation
    where donation.created_at >= ${after}::timestamptz - make_interval(secs => ${overlapSeconds})
      and donation.deleted_at is null and donation.erased_at is null and donation.donor_search is not null
      and ${isRecent ? sql`(select count(*) ${link}) < 1` : sql`not exists (select 1 ${link})`}
    order by donation.created_at, donation.id
    limit ${toLiteral(rows)}`)
}

/** Links of donations whose donor was erased while they were linked. */
export async function listErased(db: Database, rows: number): Promise<{ campaignId: number; id: string }[]> {
  return await db.all(sql`
    select link.campaign_id as "campaignId", link.donation_id as id
    from fundraising.donor_donations as link
    join fundraising.donations as donation on donation.campaign_id = link.campaign_id and donation.id = link.donation_id
    where donation.erased_at is not null
    limit ${toLiteral(rows)}`)
}

/** The time of the newest donation; the lowest time without any. */
export async function findNewestMoment(db: Database): Promise<string> {
  const { moment } = await db.one<{ moment: string }>(sql`
    select coalesce(max(created_at), '-infinity')::text as moment from fundraising.donations where deleted_at is null`)
  return moment
}

/**
 * Donors of linked donations that have a name together with an email address or an account, one for each pair, or a name and a postal address.
 * Each condition has an index; names have one for donations whose money was received. Without the limit, a donor of thousands of donations
 * would be read thousands of times a minute; Citus, which cannot run a subquery with a limit for each pair, reads them all.
 */
export async function listSimilar(
  db: Database,
  { byEmail, byAccount, names }: { byEmail: NamedEmail[]; byAccount: NamedAccount[]; names: string[] }
): Promise<(DonorIdentity & { donorId: string })[]> {
  const columns = sql`link.donor_id as "donorId", ${identityColumns}`
  const found = sql`
    matching."donorId", matching.name, matching.email, matching.fingerprint,
    matching.street, matching."postalCode", matching.city, matching.country`
  const link = sql`
    join fundraising.donor_donations as link
      on link.campaign_id = donation.campaign_id and link.donation_id = donation.id`
  const isOnCitus = await isDistributed(db)
  const selectMatching = (wanted: Sql, filter: Sql) =>
    isOnCitus
      ? sql`select ${columns} from ${wanted} join fundraising.donations as donation on ${filter} ${link}`
      : sql`
          select ${found}
          from ${wanted}
          cross join lateral (
            select ${columns} from fundraising.donations as donation ${link} where ${filter} limit 1
          ) as matching`
  const [emails, fingerprints] = [byEmail.map(({ email }) => email), byAccount.map(({ fingerprint }) => fingerprint)]
  return await db.all(sql`
    ${selectMatching(
      sql`unnest(${byEmail.map(({ name }) => name)}::text[], ${emails}::text[]) as wanted (name, email)`,
      sql`lower(donation.email) = wanted.email and donation.email is not null and donation.donor_search = wanted.name`
    )}
    union
    ${selectMatching(
      sql`unnest(${byAccount.map(({ name }) => name)}::text[], ${fingerprints}::bytea[]) as wanted (name, fingerprint)`,
      sql`donation.iban_fingerprint = wanted.fingerprint and donation.donor_search = wanted.name`
    )}
    union
    select ${columns}
    from fundraising.donations as donation ${link}
    where donation.donor_search = any(${names}) and donation.status = 'TRANSFERRED' and donation.deleted_at is null
      and donation.address_street is not null`)
}

export async function insertDonors(tx: Database, ids: string[], now: Date): Promise<void> {
  await tx.run(sql`
    insert into fundraising.donors (id, main_id, created_at)
    select wanted.id, wanted.id, ${now}
    from unnest(${ids}::uuid[]) as wanted (id)`)
}

export interface DonorLink {
  campaignId: number
  id: string
  donorId: string
  ibanEnd: string | null
}

export async function insertLinks(tx: Database, links: DonorLink[]): Promise<void> {
  await tx.run(sql`
    insert into fundraising.donor_donations (campaign_id, donation_id, donor_id, iban_end)
    select wanted.campaign_id, wanted.donation_id, wanted.donor_id, wanted.iban_end
    from unnest(
      ${links.map(one => one.campaignId)}::bigint[],
      ${links.map(one => one.id)}::uuid[],
      ${links.map(one => one.donorId)}::uuid[],
      ${links.map(one => one.ibanEnd)}::text[]
    ) as wanted (campaign_id, donation_id, donor_id, iban_end)`)
}
