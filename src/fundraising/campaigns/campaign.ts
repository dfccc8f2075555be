import { record } from '#platform/activity/activity.ts'
import { listChanges } from '#platform/activity/changes.ts'
import { type Actor, type Caller, hasRole } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { languages } from '#platform/language.ts'
import * as site from '#platform/site/queries.ts'
import { type Approval, requireSecondPerson } from '#platform/site/second-person.ts'
import { type Account, newAccount } from '../money/account.ts'
import { toAmount } from '../money/money.ts'
import {
  newCampaignEndsBeforeStartProblem,
  newCampaignNotFoundProblem,
  newMinimumAbovePresetsProblem,
  newPresetAmountsNotAscendingProblem,
  newPresetAmountTooSmallProblem,
  newTooManyPresetAmountsProblem,
  newTranslationWithoutNameProblem
} from '../problems/campaigns.ts'
import { recordAccountChange } from './account-changes/account-change.ts'
import type { CampaignFields, CampaignRow, CampaignVisibility } from './queries.ts'
import * as campaigns from './queries.ts'
import {
  type CampaignPatch,
  type CampaignReplacement,
  type NewCampaign,
  presetAmountsMax,
  type Translations
} from './schema.ts'

/** Callers who can write campaigns see drafts. */
export function getVisibility(caller: Caller): CampaignVisibility {
  return hasRole(caller, 'editor', 'treasurer') ? 'drafts too' : 'published'
}

export async function createCampaign(
  db: Database,
  { by, now = new Date() }: Actor,
  input: NewCampaign,
  currency: string
): Promise<CampaignRow> {
  const fields = toNewFields(input)
  return await db.transaction(async tx => {
    // The accounts of the sample content are ours, so they need no confirmation.
    if (by.makesSamples !== true && !(await isAccountInUse(tx, fields.account.iban))) {
      await requireSecondPerson(tx, 'new-campaign', undefined)
    }
    const id = await campaigns.insert(tx, fields, currency, now)
    await record(tx, { by, now }, 'campaign.created', { subject: 'campaign', id, details: { name: fields.name } })
    return await requireCampaign(tx, id)
  })
}

/** Whether a campaign or the default account already uses this IBAN. */
export async function isAccountInUse(db: Database, iban: string): Promise<boolean> {
  return (await campaigns.hasCampaignWithIban(db, iban)) || (await site.findAccountIban(db)) === iban
}

interface Update<Input> {
  id: number
  input: Input
  expected: IfMatch
  settings: Settings
  /** Set if a second person confirmed the new account. */
  approval?: Approval | undefined
  now?: Date
}

/** Replaces the specified fields. An additional field of ours that the input omits stays unchanged. */
export async function replaceCampaign(
  db: Database,
  by: Caller,
  update: Update<CampaignReplacement>
): Promise<CampaignRow> {
  return await updateCampaign(db, by, update, replaceFields)
}

/** Applies a JSON merge patch. */
export async function patchCampaign(db: Database, by: Caller, update: Update<CampaignPatch>): Promise<CampaignRow> {
  return await updateCampaign(db, by, update, patchFields)
}

async function updateCampaign<Input>(
  db: Database,
  by: Caller,
  { id, input, expected, settings, approval, now = new Date() }: Update<Input>,
  apply: (before: CampaignFields, input: Input) => CampaignFields
): Promise<CampaignRow> {
  return await db.transaction(async tx => {
    const locked = await campaigns.lock(tx, id)
    if (locked === undefined) throw newCampaignNotFoundProblem(id)
    requireVersion(expected, locked.version)
    const before = toFields(await requireCampaign(tx, id))
    const fields = apply(before, input)
    const isMoved = before.account.iban !== fields.account.iban
    if (isMoved) await requireSecondPerson(tx, 'campaign-account', approval)

    await campaigns.update(tx, id, fields, now)
    const { changed, changes } = listChanges(toRecorded(before), toRecorded(fields), shownFields)
    const details = { name: fields.name, changed, changes }
    await record(tx, { by, now }, 'campaign.updated', { subject: 'campaign', id, details, endsSample: true })
    // A thief would change the account, so the change gets an activity entry of its own.
    if (isMoved) {
      const changed = { id, version: locked.version + 1, name: fields.name, approval }
      const accounts = { before: before.account.iban, after: fields.account.iban }
      await recordAccountChange(tx, { by, settings, now }, { ...changed, ...accounts })
    }
    return await requireCampaign(tx, id)
  })
}

/** Soft-deletes the campaign: hides it and refuses new donations. */
export async function deleteCampaign(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  id: number
): Promise<void> {
  await db.transaction(async tx => {
    const before = await campaigns.lock(tx, id)
    if (before === undefined) throw newCampaignNotFoundProblem(id)
    requireVersion(expected, before.version)

    await campaigns.setDeleted(tx, id, now, now)
    await record(tx, { by, now }, 'campaign.deleted', { subject: 'campaign', id })
  })
}

export async function restoreCampaign(db: Database, by: Caller, id: number, now = new Date()): Promise<CampaignRow> {
  return await db.transaction(async tx => {
    const before = await campaigns.lock(tx, id, 'deleted too')
    if (before === undefined) throw newCampaignNotFoundProblem(id)
    if (before.deleted) {
      await campaigns.setDeleted(tx, id, null, now)
      await record(tx, { by, now }, 'campaign.restored', { subject: 'campaign', id })
    }
    return await requireCampaign(tx, id)
  })
}

function toNewFields(input: NewCampaign): CampaignFields {
  const fields: CampaignFields = {
    name: input.name,
    description: input.description ?? '',
    donationMinimumCents: input.donationMinimum,
    targetAmountCents: input.targetAmount,
    status: input.status ?? 'open',
    startsAt: input.startsAt ?? null,
    endsAt: input.endsAt ?? null,
    account: newAccount(input.account, input.account.name),
    presetAmountsCents: input.presetAmounts ?? [],
    imageUrl: input.imageUrl ?? null,
    imageAlt: input.imageAlt ?? '',
    language: input.language ?? null,
    translations: toTranslations(input.translations ?? {})
  }
  refuseBadDates(fields)
  refuseBadPresets(fields.presetAmountsCents, fields.donationMinimumCents)
  return fields
}

/** Fields whose values the activity log shows: what visitors see, in one line. */
const shownFields = ['name', 'targetAmount', 'donationMinimum', 'status', 'startsAt', 'endsAt', 'presetAmounts']

/** Under the names of the API, and without the account, whose changes have entries of their own. */
function toRecorded(fields: CampaignFields): Record<string, unknown> {
  const { name, description, status, startsAt, endsAt, imageUrl, imageAlt, language, translations } = fields
  return {
    ...{ name, description, status, startsAt, endsAt, imageUrl, imageAlt, language, translations },
    targetAmount: toAmount(fields.targetAmountCents),
    donationMinimum: toAmount(fields.donationMinimumCents),
    presetAmounts: fields.presetAmountsCents.map(toAmount)
  }
}

function toFields(row: CampaignRow): CampaignFields {
  const { iban, ibanValid, accountName, bankName } = row
  return { ...row, account: { iban, ibanValid, name: accountName, nameOfBank: bankName } }
}

function replaceFields(before: CampaignFields, input: CampaignReplacement): CampaignFields {
  const { account, translations } = input
  return mergeFields(before, input, {
    account: newAccount(account, account.name),
    translations: translations === undefined ? before.translations : toTranslations(translations ?? {})
  })
}

function patchFields(before: CampaignFields, input: CampaignPatch): CampaignFields {
  return mergeFields(before, input, {
    account: mergeAccount(before.account, input.account ?? {}),
    translations: mergeTranslations(before.translations, input.translations)
  })
}

/** Omitted fields stay unchanged; null clears optional fields (the schema rejects null elsewhere). */
function mergeFields(
  before: CampaignFields,
  input: Omit<CampaignPatch, 'account' | 'translations'>,
  nested: Pick<CampaignFields, 'account' | 'translations'>
): CampaignFields {
  const merge = <Value>(change: Value | null | undefined, value: Value, empty: Value): Value =>
    change === undefined ? value : (change ?? empty)
  const after: CampaignFields = {
    ...nested,
    name: input.name ?? before.name,
    description: merge(input.description, before.description, ''),
    donationMinimumCents: input.donationMinimum ?? before.donationMinimumCents,
    targetAmountCents: input.targetAmount ?? before.targetAmountCents,
    status: input.status ?? before.status,
    startsAt: merge(input.startsAt, before.startsAt, null),
    endsAt: merge(input.endsAt, before.endsAt, null),
    presetAmountsCents: merge<number[]>(input.presetAmounts, before.presetAmountsCents, []),
    imageUrl: merge(input.imageUrl, before.imageUrl, null),
    imageAlt: merge(input.imageAlt, before.imageAlt, ''),
    language: input.language ?? before.language
  }
  refuseBadDates(after)
  const [least] = after.presetAmountsCents
  if (input.presetAmounts === undefined && least !== undefined && least < after.donationMinimumCents) {
    throw newMinimumAbovePresetsProblem(least)
  }
  refuseBadPresets(after.presetAmountsCents, after.donationMinimumCents)
  return after
}

function mergeAccount(before: Account, changes: NonNullable<CampaignPatch['account']>): Account {
  const { iban = before.iban, name = before.name } = changes
  // The bank name belongs to the IBAN, so a new IBAN needs a new lookup.
  const { nameOfBank = iban === before.iban ? before.nameOfBank : null } = changes
  return newAccount({ iban, name, nameOfBank }, name)
}

function mergeTranslations(before: Translations, changes: CampaignPatch['translations']): Translations {
  if (changes === null) return {}
  const after: Translations = {}
  for (const language of languages) {
    const [text, change] = [before[language], changes?.[language]]
    if (change === null) continue
    const name = change?.name ?? text?.name
    const description = change?.description === undefined ? text?.description : change.description
    if (name !== undefined) after[language] = { name, description: description ?? '' }
    else if (change !== undefined) throw newTranslationWithoutNameProblem(language)
  }
  return after
}

function refuseBadDates({ startsAt, endsAt }: Pick<CampaignFields, 'startsAt' | 'endsAt'>): void {
  if (startsAt !== null && endsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt)) {
    throw newCampaignEndsBeforeStartProblem()
  }
}

function refuseBadPresets(amounts: number[], minimumCents: number): void {
  if (amounts.length > presetAmountsMax) throw newTooManyPresetAmountsProblem(presetAmountsMax)
  for (const [index, amount] of amounts.entries()) {
    if (index > 0 && amount <= (amounts[index - 1] ?? 0)) throw newPresetAmountsNotAscendingProblem(index)
  }
  if ((amounts[0] ?? minimumCents) < minimumCents) throw newPresetAmountTooSmallProblem(minimumCents)
}

/** Keeps only known fields: a streamed list has no response schema that would filter them. */
function toTranslations(translations: NonNullable<NewCampaign['translations']>): Translations {
  const known: Translations = {}
  for (const language of languages) {
    const text = translations[language]
    if (text !== undefined) known[language] = { name: text.name, description: text.description ?? '' }
  }
  return known
}

async function requireCampaign(tx: Database, id: number): Promise<CampaignRow> {
  const row = await campaigns.find(tx, id, 'drafts too')
  if (row === undefined) throw newCampaignNotFoundProblem(id)
  return row
}
