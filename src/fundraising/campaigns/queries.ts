import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { Account } from '../money/account.ts'
import type { CampaignStatus, Translations } from './schema.ts'
import type { Totals } from './totals/queries.ts'
import * as totals from './totals/queries.ts'

export interface CampaignFields {
  name: string
  description: string
  donationMinimumCents: number
  targetAmountCents: number
  status: CampaignStatus
  startsAt: string | null
  endsAt: string | null
  account: Account
  presetAmountsCents: number[]
  imageUrl: string | null
  imageAlt: string
  /** Null in campaigns created before languages existed. */
  language: Language | null
  translations: Translations
}

/** A campaign row, with the account spread over columns. */
export interface CampaignRow extends Omit<CampaignFields, 'account'>, Totals {
  id: number
  version: number
  currency: string
  iban: string
  ibanValid: boolean
  accountName: string
  bankName: string
  createdAt: string
  updatedAt: string
  /** Collected outside of donations. */
  offlineCents: number
  deletedAt: string | null
}

const columns = sql`
  campaign.id, campaign.version, campaign.name, campaign.description, campaign.currency, campaign.status,
  campaign.language, campaign.translations,
  campaign.donation_minimum_cents as "donationMinimumCents",
  campaign.target_amount_cents as "targetAmountCents",
  campaign.starts_at as "startsAt",
  campaign.ends_at as "endsAt",
  campaign.account_iban as iban,
  campaign.account_iban_valid as "ibanValid",
  campaign.account_name as "accountName",
  campaign.account_bank as "bankName",
  campaign.created_at as "createdAt",
  campaign.updated_at as "updatedAt",
  campaign.deleted_at as "deletedAt",
  to_jsonb(campaign.preset_amounts_cents) as "presetAmountsCents",
  campaign.image_url as "imageUrl",
  campaign.image_alt as "imageAlt",
  ${totals.offlineColumn},
  ${totals.columns}`

/** Which campaigns the caller can see. */
export type CampaignVisibility = 'published' | 'drafts too' | 'deleted'

function buildVisibilityFilter(visible: CampaignVisibility): Sql {
  if (visible === 'deleted') return sql`campaign.deleted_at is not null`
  return visible === 'published'
    ? sql`campaign.deleted_at is null and campaign.status <> 'draft'`
    : sql`campaign.deleted_at is null`
}

export async function find(db: Database, id: number, visible: CampaignVisibility): Promise<CampaignRow | undefined> {
  return await db.findTogether(finders[visible], id)
}

const newFinder = (visible: CampaignVisibility) => async (db: Database, ids: number[]) =>
  toMapById(
    await db.all<CampaignRow>(sql`
      select ${columns}
      from fundraising.campaigns as campaign ${totals.joined}
      where campaign.id = any(${ids}::bigint[]) and ${buildVisibilityFilter(visible)}`)
  )

const finders = {
  published: newFinder('published'),
  'drafts too': newFinder('drafts too'),
  deleted: newFinder('deleted')
}

const toMapById = <Row extends { id: number }>(rows: Row[]) => new Map(rows.map(row => [row.id, row]))

/** Oldest first, starting after the given campaign. */
export async function list(
  db: Database,
  visible: CampaignVisibility,
  page: { afterId: number; rows: number }
): Promise<CampaignRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.campaigns as campaign ${totals.joined}
    where campaign.id > ${page.afterId} and ${buildVisibilityFilter(visible)}
    order by campaign.id
    limit ${toLiteral(page.rows)}`)
}

/** The public campaigns among the given ids. */
export async function listPublished(db: Database, ids: number[]): Promise<CampaignRow[]> {
  return [...(await finders.published(db, ids)).values()]
}

/** One page; every row carries the total count, because one statement costs less than two. */
export async function listPage(
  db: Database,
  visible: CampaignVisibility,
  page: { afterId: number; rows: number }
): Promise<(CampaignRow & { total: number })[]> {
  return await db.all(sql`
    select ${columns}, (
      select count(*) from fundraising.campaigns as campaign where ${buildVisibilityFilter(visible)}
    ) as total
    from fundraising.campaigns as campaign ${totals.joined}
    where campaign.id > ${page.afterId} and ${buildVisibilityFilter(visible)}
    order by campaign.id
    limit ${toLiteral(page.rows)}`)
}

/** The ids before a page, nearest first; used for paging backwards. */
export async function listIdsBefore(
  db: Database,
  visible: CampaignVisibility,
  page: { afterId: number; rows: number }
): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    select campaign.id
    from fundraising.campaigns as campaign
    where campaign.id <= ${page.afterId} and ${buildVisibilityFilter(visible)}
    order by campaign.id desc
    limit ${toLiteral(page.rows)}`)
  return rows.map(({ id }) => id)
}

/** The languages of names and descriptions; null means the language of the site. */
export async function listLanguages(db: Database, visible: CampaignVisibility): Promise<(Language | null)[]> {
  const rows = await db.all<{ language: Language | null }>(sql`
    select distinct campaign.language from fundraising.campaigns as campaign where ${buildVisibilityFilter(visible)}`)
  return rows.map(({ language }) => language)
}

export async function count(db: Database, visible: CampaignVisibility): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total from fundraising.campaigns as campaign where ${buildVisibilityFilter(visible)}`)
  return total
}

/** Changes whenever a campaign in the list changes. */
export async function getFingerprint(db: Database, visible: CampaignVisibility): Promise<string> {
  const { fingerprint } = await db.one<{ fingerprint: string }>(sql`
    select count(*) || '-' || coalesce(sum(hashtextextended(concat_ws(' ',
      id, version, "donatedCents", "transferredCents", "donationCount", "offlineCents"), 0)), 0) as fingerprint
    from (
      select campaign.id, campaign.version, ${totals.offlineColumn}, ${totals.columns}
      from fundraising.campaigns as campaign ${totals.joined}
      where ${buildVisibilityFilter(visible)}
    ) as campaign`)
  return fingerprint
}

export interface DonationTerms {
  status: CampaignStatus
  currency: string
  donationMinimumCents: number
  startsAt: string | null
  endsAt: string | null
}

/** What decides whether a donation can be changed. */
export async function findTerms(tx: Database, id: number): Promise<DonationTerms | undefined> {
  return await tx.maybeOne(sql`
    select status, currency, donation_minimum_cents as "donationMinimumCents", starts_at as "startsAt", ends_at as "endsAt"
    from fundraising.campaigns
    where id = ${id} and deleted_at is null`)
}

export async function lock(
  tx: Database,
  id: number,
  which: 'living' | 'deleted too' = 'living'
): Promise<{ version: number; iban: string; deleted: boolean } | undefined> {
  return await tx.maybeOne(sql`
    select version, account_iban as iban, deleted_at is not null as deleted
    from fundraising.campaigns
    where id = ${id} ${which === 'living' ? sql`and deleted_at is null` : emptySql}
    for update`)
}

export async function insert(tx: Database, campaign: CampaignFields, currency: string, now: Date): Promise<number> {
  const { account } = campaign
  const { id } = await tx.one<{ id: number }>(sql`
    insert into fundraising.campaigns (
      name, description, donation_minimum_cents, target_amount_cents, currency, status, starts_at, ends_at,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at,
      preset_amounts_cents, image_url, image_alt, language, translations
    ) values (
      ${campaign.name}, ${campaign.description}, ${campaign.donationMinimumCents}, ${campaign.targetAmountCents},
      ${currency}, ${campaign.status}, ${campaign.startsAt}, ${campaign.endsAt},
      ${account.iban}, ${account.ibanValid}, ${account.name}, ${account.nameOfBank}, ${now}, ${now},
      ${campaign.presetAmountsCents}, ${campaign.imageUrl}, ${campaign.imageAlt}, ${campaign.language},
      ${JSON.stringify(campaign.translations)}
    )
    returning id`)
  return id
}

export async function update(tx: Database, id: number, campaign: CampaignFields, now: Date): Promise<void> {
  const { account } = campaign
  await tx.run(sql`
    update fundraising.campaigns
    set
      version = version + 1,
      name = ${campaign.name},
      description = ${campaign.description},
      donation_minimum_cents = ${campaign.donationMinimumCents},
      target_amount_cents = ${campaign.targetAmountCents},
      status = ${campaign.status},
      starts_at = ${campaign.startsAt},
      ends_at = ${campaign.endsAt},
      account_iban = ${account.iban},
      account_iban_valid = ${account.ibanValid},
      account_name = ${account.name},
      account_bank = ${account.nameOfBank},
      preset_amounts_cents = ${campaign.presetAmountsCents},
      image_url = ${campaign.imageUrl},
      image_alt = ${campaign.imageAlt},
      language = ${campaign.language},
      translations = ${JSON.stringify(campaign.translations)},
      updated_at = ${now}
    where id = ${id}`)
}

export async function setDeleted(tx: Database, id: number, deletedAt: Date | null, now: Date): Promise<void> {
  await tx.run(sql`
    update fundraising.campaigns
    set deleted_at = ${deletedAt}, version = version + 1, updated_at = ${now}
    where id = ${id}`)
}

/** Whether a campaign that is not deleted uses this IBAN. */
export async function hasCampaignWithIban(db: Database, iban: string): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (select from fundraising.campaigns where account_iban = ${iban} and deleted_at is null) as found`)
  return found
}

/** Keeps the seed from inserting sample campaigns twice. */
export async function hasCampaignNamed(tx: Database, name: string): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(sql`
    select exists (select from fundraising.campaigns where name = ${name}) as found`)
  return found
}
