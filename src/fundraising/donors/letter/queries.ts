import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { Translations } from '../../campaigns/schema.ts'
import type { DonationKind } from '../../donation-kind.ts'
import { packFile, unpackFile } from '../../receipts/stored-file.ts'

export interface LetterRow {
  id: string
  donorId: string
  year: number
  language: Language
  currency: string
  amountCents: number
  paymentCount: number
  writtenAt: string
  actor: string
}

const columns = sql`
  id, year, language, currency, actor,
  donor_id as "donorId",
  amount_cents as "amountCents",
  payment_count as "paymentCount",
  written_at as "writtenAt"`

/** Newest first. */
export async function listOfDonors(db: Database, donorIds: string[]): Promise<LetterRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.donor_letters
    where donor_id = any(${donorIds}::uuid[])
    order by id desc
    limit 1000`)
}

export async function insert(tx: Database, letter: LetterRow, file: Buffer): Promise<void> {
  await tx.run(sql`
    insert into fundraising.donor_letters (
      id, donor_id, year, language, currency, amount_cents, payment_count, written_at, actor, file
    ) values (
      ${letter.id}, ${letter.donorId}, ${letter.year}, ${letter.language}, ${letter.currency}, ${letter.amountCents},
      ${letter.paymentCount}, ${letter.writtenAt}, ${letter.actor}, ${packFile(file)}
    )`)
}

export async function findFile(db: Database, id: string): Promise<{ year: number; file: Buffer } | undefined> {
  const found = await db.maybeOne<{ year: number; file: Buffer }>(sql`
    select year, file from fundraising.donor_letters where id = ${id}`)
  return found === undefined ? undefined : { year: found.year, file: unpackFile(found.file) }
}

/** A small batch, because each row contains its file. */
export const filesAtOnce = 20

/** Files of a year in the order in which they were written. */
export async function listFiles(
  db: Database,
  year: number,
  after: { id: string } | undefined
): Promise<{ id: string; file: Buffer }[]> {
  const found = await db.all<{ id: string; file: Buffer }>(sql`
    select id, file
    from fundraising.donor_letters
    where year = ${year} and id > ${after?.id ?? lowest}
    order by id
    limit ${toLiteral(filesAtOnce)}`)
  return found.map(({ id, file }) => ({ id, file: unpackFile(file) }))
}

const lowest = '00000000-0000-0000-0000-000000000000'

export async function countOfYear(db: Database, year: number): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from fundraising.donor_letters where year = ${year}`)
  return count
}

/** A payment as a letter lists it: without the part that was returned. */
export interface GiftRow {
  receivedOn: string
  campaignName: string
  campaignTranslations: Translations
  kind: DonationKind
  currency: string
  amountCents: number
}

/** Payments of the donors in a year, oldest first. */
export async function listGifts(db: Database, memberIds: string[], year: number): Promise<GiftRow[]> {
  return await db.all(sql`
    select
      payment.received_on::text as "receivedOn",
      campaign.name as "campaignName",
      campaign.translations as "campaignTranslations",
      donation.kind, campaign.currency,
      payment.amount_cents - payment.returned_cents as "amountCents"
    from fundraising.donor_donations as link
    join fundraising.donations as donation on donation.campaign_id = link.campaign_id and donation.id = link.donation_id
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
    join fundraising.payments as payment on payment.campaign_id = link.campaign_id and payment.donation_id = link.donation_id
    where link.donor_id = any(${memberIds}::uuid[]) and ${isReceivedIn(year)}
    order by payment.received_on, payment.id
    limit 5000`)
}

const isReceivedIn = (year: number) => sql`
  payment.taken_back_at is null and payment.amount_cents > payment.returned_cents
  and payment.received_on between make_date(${year}, 1, 1) and make_date(${year}, 12, 31)`

/** Donors who gave in the year and have no letter for it, and whether one of their donations has an address. */
function buildDue(year: number): Sql {
  return sql`
    with giving as (
      select distinct donor.main_id as id
      from fundraising.payments as payment
      join fundraising.donor_donations as link
        on link.campaign_id = payment.campaign_id and link.donation_id = payment.donation_id
      join fundraising.donors as donor on donor.id = link.donor_id
      where ${isReceivedIn(year)}
    ), addressed as (
      select distinct donor.main_id as id
      from fundraising.donors as donor
      join fundraising.donor_donations as link on link.donor_id = donor.id
      join fundraising.donations as donation on donation.campaign_id = link.campaign_id and donation.id = link.donation_id
      where donation.address_street is not null and donation.deleted_at is null and donation.erased_at is null
    ), written as (
      select distinct donor.main_id as id
      from fundraising.donor_letters as letter
      join fundraising.donors as donor on donor.id = letter.donor_id
      where letter.year = ${year}
    )
    select giving.id, addressed.id is not null as has_address
    from giving
    left join addressed on addressed.id = giving.id
    left join written on written.id = giving.id
    where written.id is null`
}

export async function countDue(db: Database, year: number): Promise<{ due: number; withoutAddress: number }> {
  return await db.one(sql`
    with due as (${buildDue(year)})
    select
      count(*) filter (where has_address)::int as due,
      count(*) filter (where not has_address)::int as "withoutAddress"
    from due`)
}

/** Donors with an address whose letter is due, by id. */
export async function listDue(
  db: Database,
  year: number,
  { after, rows }: { after: string | undefined; rows: number }
): Promise<string[]> {
  const found = await db.all<{ id: string }>(sql`
    with due as (${buildDue(year)})
    select id from due where has_address and id > ${after ?? lowest} order by id limit ${toLiteral(rows)}`)
  return found.map(({ id }) => id)
}

export interface LetterTextRow {
  language: Language
  version: number
  opening: string
  closing: string
}

export async function listTexts(db: Database): Promise<LetterTextRow[]> {
  return await db.all(sql`select language, version, opening, closing from fundraising.letter_texts`)
}

export async function lockText(tx: Database, language: Language): Promise<LetterTextRow | undefined> {
  return await tx.maybeOne(sql`
    select language, version, opening, closing from fundraising.letter_texts where language = ${language} for update`)
}

export async function saveText(
  tx: Database,
  { language, opening, closing }: Omit<LetterTextRow, 'version'>,
  now: Date
): Promise<LetterTextRow> {
  return await tx.one(sql`
    insert into fundraising.letter_texts as text (language, version, opening, closing, updated_at)
    values (${language}, 2, ${opening}, ${closing}, ${now})
    on conflict (language) do update
    set version = text.version + 1, opening = excluded.opening, closing = excluded.closing, updated_at = excluded.updated_at
    returning language, version, opening, closing`)
}
