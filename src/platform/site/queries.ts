import type { Database } from '../database/database.ts'
import { emptySql, sql } from '../database/sql.ts'
import type { Language } from '../language.ts'
import type { Hero, SiteAccount, Texts, ThemeName } from './schema.ts'

/** The stored row: null in zone, language and currency means the default. */
export interface SiteRow {
  version: number
  updatedAt: string | null
  name: string
  tagline: Texts
  contactEmail: string | null
  languages: Language[]
  defaultLanguage: Language | null
  timezone: string | null
  currency: string | null
  accent: string | null
  weekStart: 'monday' | 'sunday'
  theme: ThemeName
  logoUrl: string | null
  hero: Hero | null
  socialLinks: string[]
  account: SiteAccount | null
  secondPersonForAccounts: boolean
  suggestions: boolean
  suggestionsProofOfWork: boolean
  suggestionRetentionDays: number
}

const columns = sql`
  version, name, tagline, languages, timezone, currency, accent, theme, hero, account, suggestions,
  updated_at as "updatedAt",
  contact_email as "contactEmail",
  default_language as "defaultLanguage",
  week_start as "weekStart",
  logo_url as "logoUrl",
  social_links as "socialLinks",
  second_person_for_accounts as "secondPersonForAccounts",
  suggestions_proof_of_work as "suggestionsProofOfWork",
  suggestion_retention_days as "suggestionRetentionDays"`

export async function find(db: Database): Promise<SiteRow> {
  return await read(db, false)
}

export async function countPeople(db: Database, roles: readonly string[]): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from platform.users where removed_at is null and role = any(${[...roles]})`)
  return count
}

export async function lock(tx: Database): Promise<SiteRow> {
  return await read(tx, true)
}

async function read(db: Database, locking: boolean): Promise<SiteRow> {
  return await db.one(sql`
    select ${columns}
    from platform.site
    where id = 1
    ${locking ? sql`for update` : emptySql}`)
}

/** Only the settings that running processes follow. */
export async function findSettings(
  db: Database
): Promise<Pick<SiteRow, 'timezone' | 'defaultLanguage' | 'currency'> | undefined> {
  return await db.maybeOne(sql`
    select timezone, default_language as "defaultLanguage", currency
    from platform.site
    where id = 1`)
}

export async function findName(db: Database): Promise<string> {
  const { name } = await db.one<{ name: string }>(sql`select name from platform.site where id = 1`)
  return name
}

/** True if a second person has to confirm changes of accounts. */
export async function isSecondPersonNeeded(db: Database): Promise<boolean> {
  const { isNeeded } = await db.one<{ isNeeded: boolean }>(sql`
    select second_person_for_accounts as "isNeeded" from platform.site where id = 1`)
  return isNeeded
}

/** The default account of new campaigns. */
export async function findAccountIban(db: Database): Promise<string | null> {
  const { iban } = await db.one<{ iban: string | null }>(sql`
    select account ->> 'iban' as iban from platform.site where id = 1`)
  return iban
}

export async function update(tx: Database, site: SiteRow, now: Date): Promise<SiteRow> {
  return await tx.one(sql`
    update platform.site
    set version = version + 1, updated_at = ${now}, name = ${site.name},
      tagline = ${JSON.stringify(site.tagline)}, contact_email = ${site.contactEmail}, languages = ${site.languages}::text[],
      default_language = ${site.defaultLanguage}, timezone = ${site.timezone}, currency = ${site.currency},
      accent = ${site.accent}, theme = ${site.theme}, week_start = ${site.weekStart}, logo_url = ${site.logoUrl},
      hero = ${site.hero === null ? null : JSON.stringify(site.hero)}::jsonb, social_links = ${site.socialLinks}::text[],
      account = ${site.account === null ? null : JSON.stringify(site.account)}::jsonb,
      second_person_for_accounts = ${site.secondPersonForAccounts}, suggestions = ${site.suggestions},
      suggestions_proof_of_work = ${site.suggestionsProofOfWork},
      suggestion_retention_days = ${site.suggestionRetentionDays}
    where id = 1
    returning ${columns}`)
}
