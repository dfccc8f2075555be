import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { DonationRow } from '../donations/donation-row.ts'
import { columns, erasedColumns } from '../donations/donation-row.ts'
import type { Note } from '../donations/notes/schema.ts'
import type { DonationStatus } from '../donations/schema.ts'
import type { HistoryRow } from '../donations/status-queries.ts'

/** The primary key of a donation. */
export interface DonorDonationKey {
  campaignId: number
  id: string
}

/** The identifiers of a person. A null value matches nothing. */
export interface Person {
  donation: DonorDonationKey
  /** The donations of the same donor record, and the donation itself. */
  donations: DonorDonationKey[]
  email: string | null
  fingerprints: Buffer[]
}

export interface PersonDonation extends DonationRow {
  campaignName: string
  currency: string
  deletedAt: string | null
  /** The creation time in full precision, used as the cursor. */
  moment: string
}

/** How much later the timestamp in an id can be than the creation time: see the clock in platform/ids.ts. */
const clockSkewMs = 2000

/** Finds a donation in any campaign: its id begins with the creation time, which has an index. */
export async function findDonation(db: Database, id: string): Promise<DonationRow | undefined> {
  const moment = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  // Foreign ids can encode a timestamp that PostgreSQL cannot represent.
  if (moment > Date.UTC(9000, 0)) return undefined
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.donations as donation
    where donation.created_at between ${new Date(moment - clockSkewMs)} and ${new Date(moment + 1)}
      and donation.id = ${id} and donation.deleted_at is null`)
}

/** Newest first, including deleted donations. */
export async function listOfPerson(
  db: Database,
  person: Person,
  { after, rows }: { after: PersonDonation | undefined; rows: number }
): Promise<PersonDonation[]> {
  return await db.all(sql`
    select
      ${columns}, campaign.currency,
      campaign.name as "campaignName",
      donation.deleted_at as "deletedAt",
      donation.created_at::text as moment
    from fundraising.donations as donation
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
    where (${buildPersonFilter(person)})
      ${after === undefined ? emptySql : sql`and (donation.created_at, donation.id) < (${after.moment}::timestamptz, ${after.id})`}
    order by donation.created_at desc, donation.id desc
    limit ${toLiteral(rows)}`)
}

/** A batch of the donations that are not erased yet. */
export async function listToErase(db: Database, person: Person, rows: number): Promise<DonorDonationKey[]> {
  return await db.all(sql`
    select donation.campaign_id as "campaignId", donation.id
    from fundraising.donations as donation
    where (${buildPersonFilter(person)}) and donation.erased_at is null
    order by donation.campaign_id, donation.id
    limit ${toLiteral(rows)}`)
}

export async function count(db: Database, person: Person, which: 'all' | 'not erased'): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total
    from fundraising.donations as donation
    where (${buildPersonFilter(person)}) ${which === 'all' ? emptySql : sql`and donation.erased_at is null`}`)
  return total
}

/** Names the person has used, up to the given number. */
export async function listNames(db: Database, person: Person, rows: number): Promise<string[]> {
  const found = await db.all<{ name: string }>(sql`
    select donation.donor_name as name
    from fundraising.donations as donation
    where (${buildPersonFilter(person)}) and donation.donor_name is not null
    group by donation.donor_name
    order by max(donation.created_at) desc, donation.donor_name
    limit ${toLiteral(rows)}`)
  return found.map(({ name }) => name)
}

/** Each condition has an index. */
function buildPersonFilter({ donations, email, fingerprints }: Person): Sql {
  const campaignIds = [...new Set(donations.map(({ campaignId }) => campaignId))]
  return sql`
    (donation.campaign_id = any(${campaignIds}::bigint[]) and donation.id = any(${donations.map(({ id }) => id)}::uuid[]))
    ${email === null ? emptySql : sql`or lower(donation.email) = lower(${email})`}
    ${fingerprints.length === 0 ? emptySql : sql`or donation.iban_fingerprint = any(${fingerprints})`}`
}

export async function listHistories(
  db: Database,
  donations: DonorDonationKey[]
): Promise<(HistoryRow & { donationId: string })[]> {
  return await db.all(sql`
    select history.donation_id as "donationId", history.status, history.at, history.actor
    from ${unnestKeys(donations)}
    join fundraising.donation_history as history
      on history.campaign_id = wanted.campaign_id and history.donation_id = wanted.id
    order by history.campaign_id, history.donation_id, history.number`)
}

export async function listNotes(
  db: Database,
  donations: DonorDonationKey[]
): Promise<(Note & { donationId: string })[]> {
  return await db.all(sql`
    select note.donation_id as "donationId", note.id, note.text, note.at, note.actor
    from ${unnestKeys(donations)}
    join fundraising.notes as note on note.campaign_id = wanted.campaign_id and note.donation_id = wanted.id
    order by note.campaign_id, note.donation_id, note.id`)
}

export interface ErasedDonation extends DonorDonationKey {
  amountCents: number
  status: DonationStatus
}

/** Keeps amounts, dates and status; removes the donor's identity and the donor token. */
export async function erase(tx: Database, donations: DonorDonationKey[], now: Date): Promise<ErasedDonation[]> {
  return await tx.all(sql`
    update fundraising.donations as donation
    set
      ${erasedColumns},
      donor_token = null, donor_token_encrypted = null, donor_token_hash = null, version = donation.version + 1, updated_at = ${now}, erased_at = ${now}
    from ${unnestKeys(donations)}
    where donation.campaign_id = wanted.campaign_id and donation.id = wanted.id and donation.erased_at is null
    returning
      donation.campaign_id as "campaignId", donation.id, donation.status, donation.amount_cents as "amountCents"`)
}

export async function removeNotes(tx: Database, donations: DonorDonationKey[]): Promise<void> {
  await tx.run(sql`
    delete from fundraising.notes as note
    using ${unnestKeys(donations)}
    where note.campaign_id = wanted.campaign_id and note.donation_id = wanted.id`)
}

function unnestKeys(donations: DonorDonationKey[]): Sql {
  return sql`unnest(
    ${donations.map(({ campaignId }) => campaignId)}::bigint[],
    ${donations.map(({ id }) => id)}::uuid[]
  ) as wanted (campaign_id, id)`
}

/** A record that the law requires us to keep for a donation; a collective receipt can appear for several donations. */
export interface RetainedRow {
  what: 'receipts' | 'mandates'
  id: string
  year: number
}

export async function listRetained(db: Database, donations: DonorDonationKey[]): Promise<RetainedRow[]> {
  return await db.all(sql`
    select distinct 'receipts' as what, receipt.id::text as id, extract(year from receipt.issued_on)::int as year
    from ${unnestKeys(donations)}
    join fundraising.receipt_donations as link on link.campaign_id = wanted.campaign_id and link.donation_id = wanted.id
    join fundraising.receipts as receipt on receipt.id = link.receipt_id and receipt.erased_at is null
    union all
    select 'mandates', mandate.donation_id::text, extract(year from mandate.signed_on)::int
    from ${unnestKeys(donations)}
    join fundraising.mandates as mandate on mandate.campaign_id = wanted.campaign_id and mandate.donation_id = wanted.id`)
}
