import { isDeepStrictEqual } from 'node:util'
import { record } from '../activity/activity.ts'
import { listChanges } from '../activity/changes.ts'
import { getBankName } from '../banking/banks.ts'
import type { Actor } from '../caller.ts'
import { type Settings, type SiteSetting, siteSettings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { type IfMatch, requireVersion } from '../http/etag.ts'
import type { Log } from '../log.ts'
import { buildText } from '../messages/messages.ts'
import type { PageLink } from '../pages/schema.ts'
import { newFieldProblem, Problem } from '../problem.ts'
import type { SiteRow } from './queries.ts'
import * as site from './queries.ts'
import type { Site, SiteChanges } from './schema.ts'
import { type Approval, refuseTooFewPeople, requireSecondPerson } from './second-person.ts'

/** How soon a process picks up changes of another one. */
const pollIntervalMs = 5000

/** The defaults for settings that neither the environment nor the site sets. */
const defaults = { timezone: 'UTC', defaultLanguage: 'en', currency: 'EUR' } as const

export interface SiteFollower {
  /** Reloads at once after a change. */
  refresh(): Promise<void>
  close(): void
}

/** Loads the site's settings into those of the process, now and whenever another process has changed them. */
export async function followSite(db: Database, settings: Settings, log: Log): Promise<SiteFollower> {
  const read = async () => {
    try {
      applyRow(settings, (await site.findSettings(db)) ?? defaults)
    } catch (error) {
      log.warn({ err: error }, 'failed to read site settings')
    }
  }
  await read()
  const timer = setInterval(() => void read(), pollIntervalMs).unref()
  return { refresh: read, close: () => clearInterval(timer) }
}

function applyRow(settings: Settings, row: Pick<SiteRow, SiteSetting>): void {
  const { fixed } = settings
  if (!fixed.includes('timezone')) settings.timezone = row.timezone ?? defaults.timezone
  if (!fixed.includes('defaultLanguage')) settings.defaultLanguage = row.defaultLanguage ?? defaults.defaultLanguage
  if (!fixed.includes('currency')) settings.currency = row.currency ?? defaults.currency
}

/** Builds the site with its effective settings. Account and account protection are for roles that edit campaigns. */
export function toSite(row: SiteRow, settings: Settings, pages: PageLink[], withAccount: boolean): Site {
  const { account, secondPersonForAccounts, ...open } = row
  const { fixed } = settings
  const current = getEffectiveSettings(row, settings)
  // A default language that the environment sets is offered, whatever the site's list says.
  const languages = [...new Set([...row.languages, current.defaultLanguage])]
  return { ...open, ...current, languages, pages, fixed, ...(withAccount ? { account, secondPersonForAccounts } : {}) }
}

/** Precedence: environment, row, default. */
function getEffectiveSettings(row: SiteRow, settings: Settings): Pick<Settings, SiteSetting> {
  const held = { ...settings }
  applyRow(held, row)
  const { timezone, defaultLanguage, currency } = held
  return { timezone, defaultLanguage, currency }
}

interface SiteChangeContext extends Actor {
  settings: Settings
  expected: IfMatch
  /** Where the changes are in the request body. */
  pointer?: string
  approval?: Approval
}

/** Changes the given fields. After the commit, the caller applies them to this process with `applySiteSettings`. */
export async function changeSite(
  db: Database,
  { by, settings, expected, pointer = '', now = new Date(), approval }: SiteChangeContext,
  changes: SiteChanges
): Promise<SiteRow> {
  return await db.transaction(async tx => {
    const before = await site.lock(tx)
    requireVersion(expected, before.version)
    const after = mergeChanges(before, changes)
    refuseFixed(before, settings, changes, pointer)
    // A setting sent with its effective value keeps its source, the environment or the default.
    const current = getEffectiveSettings(before, settings)
    for (const setting of Object.keys(current) as SiteSetting[]) {
      if (after[setting] === current[setting]) Object.assign(after, { [setting]: before[setting] })
    }
    if (after.languages.length === 0) throw newNoLanguageProblem(pointer)
    const { defaultLanguage } = getEffectiveSettings(after, settings)
    if (!after.languages.includes(defaultLanguage)) throw newLanguageNotOfferedProblem(pointer, defaultLanguage)

    const fields = (Object.keys(after) as (keyof SiteRow)[])
      .filter(field => !isDeepStrictEqual(before[field], after[field]))
      .sort()
    if (fields.length === 0) return before
    await refuseUnprotected(tx, before, after, approval)
    if (before.account?.iban !== after.account?.iban) {
      const details = {
        accountBefore: maskAccount(before.account),
        accountAfter: maskAccount(after.account),
        ...approval
      }
      await record(tx, { by, now }, 'site.account_changed', { subject: 'site', id: 1, details })
    }
    const recorded = { fields, changes: listChanges({ ...before }, { ...after }, shownFields).changes }
    await record(tx, { by, now }, 'site.changed', { subject: 'site', id: 1, details: recorded })
    return await site.update(tx, after, now)
  })
}

/** Settings whose values the activity log shows: short ones that are public anyway. */
const shownFields = [
  ...['name', 'languages', 'defaultLanguage', 'timezone', 'currency', 'accent', 'weekStart', 'logoUrl'],
  ...['suggestions', 'suggestionsProofOfWork', 'suggestionRetentionDays', 'secondPersonForAccounts']
]

/** Removing an account redirects no money, so it needs no confirmation. */
async function refuseUnprotected(
  tx: Database,
  before: SiteRow,
  after: SiteRow,
  approval: Approval | undefined
): Promise<void> {
  if (!before.secondPersonForAccounts && after.secondPersonForAccounts) await refuseTooFewPeople(tx)
  if (before.secondPersonForAccounts && !after.secondPersonForAccounts)
    await requireSecondPerson(tx, 'turn-off', approval)
  if (after.account !== null && after.account.iban !== before.account?.iban) {
    await requireSecondPerson(tx, 'site-account', approval)
  }
}

/** Enough digits to recognise an account, too few to use it. */
function maskAccount(account: SiteRow['account']): string | null {
  return account === null ? null : `${account.iban.slice(0, 4)}…${account.iban.slice(-4)}`
}

/** Applies the settings to this process; other processes follow a moment later. */
export function applySiteSettings(settings: Settings, row: SiteRow): void {
  applyRow(settings, row)
}

function mergeChanges(before: SiteRow, changes: SiteChanges): SiteRow {
  const { account } = changes
  const orNull = <Value>(change: Value | null | undefined, value: Value | null) =>
    change === undefined ? value : change
  return {
    ...before,
    name: changes.name ?? before.name,
    tagline: { ...before.tagline, ...changes.tagline },
    contactEmail: orNull(changes.contactEmail, before.contactEmail),
    languages: changes.languages === undefined ? before.languages : [...new Set(changes.languages)],
    defaultLanguage: changes.defaultLanguage ?? before.defaultLanguage,
    timezone: changes.timezone ?? before.timezone,
    currency: changes.currency ?? before.currency,
    accent: orNull(changes.accent, before.accent),
    weekStart: changes.weekStart ?? before.weekStart,
    theme: changes.theme ?? before.theme,
    logoUrl: orNull(changes.logoUrl, before.logoUrl),
    hero: orNull(changes.hero, before.hero),
    socialLinks: changes.socialLinks === undefined ? before.socialLinks : [...new Set(changes.socialLinks)],
    account:
      account === undefined
        ? before.account
        : account === null
          ? null
          : { ...account, nameOfBank: getBankName(account.iban, account.nameOfBank) },
    secondPersonForAccounts: changes.secondPersonForAccounts ?? before.secondPersonForAccounts,
    suggestions: changes.suggestions ?? before.suggestions,
    suggestionsProofOfWork: changes.suggestionsProofOfWork ?? before.suggestionsProofOfWork,
    suggestionRetentionDays: changes.suggestionRetentionDays ?? before.suggestionRetentionDays
  }
}

/** For an image that is deleted: the site shows no broken image. `path` begins the URLs of all its sizes. */
export async function removeSiteImage(tx: Database, actor: Required<Actor>, path: string): Promise<void> {
  const before = await site.lock(tx)
  const isShown = (url: string | undefined) => url?.startsWith(path) === true
  const after = {
    ...before,
    logoUrl: isShown(before.logoUrl ?? undefined) ? null : before.logoUrl,
    hero: isShown(before.hero?.url) ? null : before.hero
  }
  const fields = (['hero', 'logoUrl'] as const).filter(name => before[name] !== after[name])
  if (fields.length === 0) return
  await record(tx, actor, 'site.changed', { subject: 'site', id: 1, details: { fields } })
  await site.update(tx, after, actor.now)
}

/** A setting fixed by the environment may be sent back unchanged. */
function refuseFixed(before: SiteRow, settings: Settings, changes: SiteChanges, pointer: string): void {
  const current = getEffectiveSettings(before, settings)
  const errors = settings.fixed
    .filter(setting => changes[setting] !== undefined && changes[setting] !== current[setting])
    .map(setting => ({
      in: 'body' as const,
      pointer: `${pointer}/${setting}`,
      code: 'set-by-environment',
      message: buildText('site-problems', 'setByEnvironment', { setting, variable: siteSettings[setting] })
    }))
  const [first] = errors
  if (first !== undefined) throw new Problem(409, 'set-by-environment', first.message, { errors })
}

const newNoLanguageProblem = (pointer: string) =>
  newFieldProblem(400, `${pointer}/languages`, 'empty', buildText('site-problems', 'noLanguage'))

const newLanguageNotOfferedProblem = (pointer: string, language: string) =>
  newFieldProblem(
    422,
    `${pointer}/defaultLanguage`,
    'not-offered',
    buildText('site-problems', 'languageNotOffered', { language })
  )
