import { type Caller, may } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { languages } from '#platform/language.ts'
import { newAccount } from '../account.ts'
import { accountChanged } from '../account-changes/account-change.ts'
import {
  campaignEndsBeforeStart,
  campaignNotFound,
  presetAmountsNotAscending,
  presetAmountTooSmall,
  tooManyPresetAmounts
} from '../problems.ts'
import type { CampaignFields, CampaignRow, Visible } from './queries.ts'
import * as campaigns from './queries.ts'
import { type NewCampaign, presetAmountsMax, type Translations } from './schema.ts'

/** Who writes campaigns sees drafts. */
export function visibleTo(caller: Caller): Visible {
  return may(caller, 'editor', 'treasurer') ? 'drafts too' : 'published'
}

export async function createCampaign(
  db: Database,
  by: Caller,
  input: NewCampaign,
  currency: string,
  now = new Date()
): Promise<CampaignRow> {
  const fields = fieldsOf(input)
  return await db.transaction(async tx => {
    const id = await campaigns.insert(tx, fields, currency, now)
    await record(tx, by, now, 'campaign.created', { subject: 'campaign', id, details: { name: fields.name } })
    return await found(tx, id)
  })
}

/** Replaces all that can be edited; id, donations and totals stay. */
export async function replaceCampaign(
  db: Database,
  by: Caller,
  id: number,
  input: NewCampaign,
  expected: IfMatch,
  { settings, now = new Date() }: { settings: Settings; now?: Date }
): Promise<CampaignRow> {
  const fields = fieldsOf(input)
  return await db.transaction(async tx => {
    const before = await campaigns.lock(tx, id)
    if (before === undefined) throw campaignNotFound(id)
    refuseStale(expected, before.version)

    await campaigns.update(tx, id, fields, now)
    const details = { name: fields.name }
    await record(tx, by, now, 'campaign.updated', { subject: 'campaign', id, details, endsSample: true })
    // Money that goes to another account is what a thief would change, so it stands out.
    if (before.iban !== fields.account.iban) {
      const changed = { id, version: before.version + 1, name: fields.name }
      await accountChanged(tx, by, settings, { ...changed, before: before.iban, after: fields.account.iban }, now)
    }
    return await found(tx, id)
  })
}

/** Hides the campaign and refuses new donations; nothing is destroyed. */
export async function deleteCampaign(
  db: Database,
  by: Caller,
  id: number,
  expected: IfMatch,
  now = new Date()
): Promise<void> {
  await db.transaction(async tx => {
    const before = await campaigns.lock(tx, id)
    if (before === undefined) throw campaignNotFound(id)
    refuseStale(expected, before.version)

    await campaigns.setDeleted(tx, id, now, now)
    await record(tx, by, now, 'campaign.deleted', { subject: 'campaign', id })
  })
}

export async function restoreCampaign(db: Database, by: Caller, id: number, now = new Date()): Promise<CampaignRow> {
  return await db.transaction(async tx => {
    const before = await campaigns.lock(tx, id, 'deleted too')
    if (before === undefined) throw campaignNotFound(id)
    if (before.deleted) {
      await campaigns.setDeleted(tx, id, null, now)
      await record(tx, by, now, 'campaign.restored', { subject: 'campaign', id })
    }
    return await found(tx, id)
  })
}

function fieldsOf(input: NewCampaign): CampaignFields {
  const startsAt = input.startsAt ?? null
  const endsAt = input.endsAt ?? null
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) throw campaignEndsBeforeStart()
  const presetAmounts = input.presetAmounts ?? []
  refuseBadPresets(presetAmounts, input.donationMinimum)
  return {
    name: input.name,
    description: input.description ?? '',
    donationMinimumCents: input.donationMinimum,
    targetAmountCents: input.targetAmount,
    status: input.status ?? 'open',
    startsAt,
    endsAt,
    account: newAccount(input.account, input.account.name),
    presetAmountsCents: presetAmounts,
    imageUrl: input.imageUrl ?? null,
    imageAlt: input.imageAlt ?? '',
    language: input.language ?? null,
    translations: translationsOf(input)
  }
}

function refuseBadPresets(amounts: number[], minimumCents: number): void {
  if (amounts.length > presetAmountsMax) throw tooManyPresetAmounts(presetAmountsMax)
  for (const [index, amount] of amounts.entries()) {
    if (index > 0 && amount <= (amounts[index - 1] ?? 0)) throw presetAmountsNotAscending(index)
  }
  if ((amounts[0] ?? minimumCents) < minimumCents) throw presetAmountTooSmall(minimumCents)
}

/** Only what is known of each: a list that is sent piece by piece has no schema that would filter it. */
function translationsOf({ translations = {} }: NewCampaign): Translations {
  const known: Translations = {}
  for (const language of languages) {
    const text = translations[language]
    if (text !== undefined) known[language] = { name: text.name, description: text.description ?? '' }
  }
  return known
}

async function found(tx: Database, id: number): Promise<CampaignRow> {
  const row = await campaigns.find(tx, id, 'drafts too')
  if (row === undefined) throw campaignNotFound(id)
  return row
}
