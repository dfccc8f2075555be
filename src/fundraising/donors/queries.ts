import type { Database } from '#platform/database.ts'
import { literal, nothing, type Sql, sql } from '#platform/sql.ts'
import type { DonationRow } from '../donations/queries.ts'
import { columns } from '../donations/queries.ts'
import type { DonationStatus } from '../donations/schema.ts'
import type { HistoryRow } from '../donations/status-queries.ts'
import type { Note } from '../notes/schema.ts'

/** What names a donation. */
export interface DonationKey {
  campaignId: number
  id: string
}

/** What somebody is known by. Whatever is null finds nobody. */
export interface Person {
  donation: DonationKey
  email: string | null
  prints: Buffer[]
}

export interface PersonsDonation extends DonationRow {
  campaignName: string
  currency: string
  deletedAt: string | null
  /** When it was made, to the last digit: where a list goes on. */
  moment: string
}

/** By how much the moment in an id may be later than the donation's: see the clock in platform/ids.ts. */
const aheadMs = 2000

/** Whatever its campaign: an id begins with the moment when it was made, and that has an index. */
export async function findDonation(db: Database, id: string): Promise<DonationRow | undefined> {
  const moment = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  // Other ids have a moment far from ours, which PostgreSQL may not even know.
  if (moment > Date.UTC(9000, 0)) return undefined
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.donations as donation
    where donation.created_at between ${new Date(moment - aheadMs)} and ${new Date(moment + 1)}
      and donation.id = ${id} and donation.deleted_at is null`)
}

/** Newest first, those that were taken back included. */
export async function listOfPerson(
  db: Database,
  person: Person,
  { after, rows }: { after: PersonsDonation | undefined; rows: number }
): Promise<PersonsDonation[]> {
  return await db.all(sql`
    select
      ${columns}, campaign.currency,
      campaign.name as "campaignName",
      donation.deleted_at as "deletedAt",
      donation.created_at::text as moment
    from fundraising.donations as donation
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
    where (${of(person)})
      ${after === undefined ? nothing : sql`and (donation.created_at, donation.id) < (${after.moment}::timestamptz, ${after.id})`}
    order by donation.created_at desc, donation.id desc
    limit ${literal(rows)}`)
}

/** Of those that are not erased yet, some. */
export async function listToErase(db: Database, person: Person, rows: number): Promise<DonationKey[]> {
  return await db.all(sql`
    select donation.campaign_id as "campaignId", donation.id
    from fundraising.donations as donation
    where (${of(person)}) and donation.erased_at is null
    order by donation.campaign_id, donation.id
    limit ${literal(rows)}`)
}

export async function count(db: Database, person: Person, which: 'all' | 'not erased'): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total
    from fundraising.donations as donation
    where (${of(person)}) ${which === 'all' ? nothing : sql`and donation.erased_at is null`}`)
  return total
}

/** The names that a person goes by, some. */
export async function listNames(db: Database, person: Person, rows: number): Promise<string[]> {
  const found = await db.all<{ name: string }>(sql`
    select donation.donor_name as name
    from fundraising.donations as donation
    where (${of(person)}) and donation.donor_name is not null
    group by donation.donor_name
    order by max(donation.created_at) desc, donation.donor_name
    limit ${literal(rows)}`)
  return found.map(({ name }) => name)
}

/** Each way has an index. */
function of({ donation: { campaignId, id }, email, prints }: Person): Sql {
  return sql`
    (donation.campaign_id = ${campaignId} and donation.id = ${id})
    ${email === null ? nothing : sql`or lower(donation.email) = lower(${email})`}
    ${prints.length === 0 ? nothing : sql`or donation.account_print = any(${prints})`}`
}

export async function listHistories(
  db: Database,
  donations: DonationKey[]
): Promise<(HistoryRow & { donationId: string })[]> {
  return await db.all(sql`
    select history.donation_id as "donationId", history.status, history.at, history.actor
    from ${keys(donations)}
    join fundraising.donation_history as history
      on history.campaign_id = wanted.campaign_id and history.donation_id = wanted.id
    order by history.campaign_id, history.donation_id, history.number`)
}

export async function listNotes(db: Database, donations: DonationKey[]): Promise<(Note & { donationId: string })[]> {
  return await db.all(sql`
    select note.donation_id as "donationId", note.id, note.text, note.at, note.actor
    from ${keys(donations)}
    join fundraising.notes as note on note.campaign_id = wanted.campaign_id and note.donation_id = wanted.id
    order by note.campaign_id, note.donation_id, note.id`)
}

export interface ErasedDonation extends DonationKey {
  amountCents: number
  status: DonationStatus
}

/** What was given, when, and what became of it stays; who gave it goes, together with the token that shows it to them. */
export async function erase(tx: Database, donations: DonationKey[], now: Date): Promise<ErasedDonation[]> {
  return await tx.all(sql`
    update fundraising.donations as donation
    set
      donor_name = null, email = null, message = null, language = null, show_name = false, receipt_requested = false,
      account_iban = null, account_sealed = null, account_print = null,
      account_iban_valid = null, account_name = null, account_bank = null,
      address_street = null, address_postal_code = null, address_city = null, address_country = null,
      consent_text = null, consent_version = null, consent_at = null,
      donor_token = null, donor_token_sealed = null, donor_token_hash = null, version = donation.version + 1, updated_at = ${now}, erased_at = ${now}
    from ${keys(donations)}
    where donation.campaign_id = wanted.campaign_id and donation.id = wanted.id and donation.erased_at is null
    returning
      donation.campaign_id as "campaignId", donation.id, donation.status, donation.amount_cents as "amountCents"`)
}

export async function removeNotes(tx: Database, donations: DonationKey[]): Promise<void> {
  await tx.run(sql`
    delete from fundraising.notes as note
    using ${keys(donations)}
    where note.campaign_id = wanted.campaign_id and note.donation_id = wanted.id`)
}

function keys(donations: DonationKey[]): Sql {
  return sql`unnest(
    ${donations.map(({ campaignId }) => campaignId)}::bigint[],
    ${donations.map(({ id }) => id)}::uuid[]
  ) as wanted (campaign_id, id)`
}

/** What the law wants kept of a donation, a line each; a collective receipt may be there for several. */
export interface KeptRow {
  what: 'receipts' | 'mandates'
  id: string
  year: number
}

export async function listKept(db: Database, donations: DonationKey[]): Promise<KeptRow[]> {
  return await db.all(sql`
    select distinct 'receipts' as what, receipt.id::text as id, extract(year from receipt.issued_on)::int as year
    from ${keys(donations)}
    join fundraising.receipt_donations as link on link.campaign_id = wanted.campaign_id and link.donation_id = wanted.id
    join fundraising.receipts as receipt on receipt.id = link.receipt_id and receipt.forgotten_at is null
    union all
    select 'mandates', mandate.donation_id::text, extract(year from mandate.signed_on)::int
    from ${keys(donations)}
    join fundraising.mandates as mandate on mandate.campaign_id = wanted.campaign_id and mandate.donation_id = wanted.id`)
}
