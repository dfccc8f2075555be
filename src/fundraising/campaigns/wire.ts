import type { Cell } from '#platform/csv/csv.ts'
import { buildVersionEtag } from '#platform/http/etag.ts'
import { type Language, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { toAmount } from '../money/money.ts'
import { toCampaignReference } from '../money/reference.ts'
import type { CampaignRow } from './queries.ts'
import type { Campaign } from './schema.ts'

/** The API representation: decimal amounts, the account as one object, and the progress. */
export function toWire(row: CampaignRow, siteLanguage: Language): Campaign {
  return {
    id: row.id,
    name: row.name,
    donationMinimum: toAmount(row.donationMinimumCents),
    targetAmount: toAmount(row.targetAmountCents),
    amountDonatedSoFar: toAmount(row.donatedCents),
    account: { iban: row.iban, name: row.accountName, nameOfBank: row.bankName, ibanValid: row.ibanValid },
    amountTransferred: toAmount(row.transferredCents),
    donationCount: row.donationCount,
    // Rounded down, so that 100 means that the target is reached.
    progressPercent: Math.floor((row.donatedCents * 10_000) / row.targetAmountCents) / 100,
    currency: row.currency,
    status: row.status,
    description: row.description,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    presetAmounts: row.presetAmountsCents.map(toAmount),
    imageUrl: row.imageUrl,
    imageAlt: row.imageAlt,
    language: row.language ?? siteLanguage,
    translations: row.translations,
    reference: toCampaignReference(row.id),
    amountOffline: toAmount(row.offlineCents),
    ...(row.deletedAt === null ? {} : { deletedAt: row.deletedAt })
  }
}

/** The languages of the campaigns in a response, for `Content-Language`; undefined if there are none. */
export function toContentLanguage(found: (Language | null)[], siteLanguage: Language): string | undefined {
  const answered = new Set(found.map(language => language ?? siteLanguage))
  return answered.size === 0 ? undefined : languages.filter(language => answered.has(language)).join(', ')
}

const csvColumns = [
  'id',
  'name',
  'status',
  'currency',
  'targetAmount',
  'amountDonatedSoFar',
  'amountTransferred',
  'donationCount',
  'progressPercent',
  'donationMinimum',
  'startsAt',
  'endsAt',
  'iban',
  'accountName',
  'nameOfBank',
  'language',
  'createdAt',
  'updatedAt',
  'description',
  'amountOffline'
] as const

export function buildCsvHeader(language: Language): string[] {
  const headings = getMessages('csv-headings', language).campaigns
  return csvColumns.map(column => headings[column])
}

export function toCsvCells(campaign: Campaign): Cell[] {
  const { account } = campaign
  return [
    ...[String(campaign.id), campaign.name, campaign.status, campaign.currency, campaign.targetAmount],
    ...[campaign.amountDonatedSoFar, campaign.amountTransferred, String(campaign.donationCount)],
    ...[campaign.progressPercent, campaign.donationMinimum, campaign.startsAt, campaign.endsAt],
    ...[account.iban, account.name, account.nameOfBank, campaign.language, campaign.createdAt, campaign.updatedAt],
    ...[campaign.description, campaign.amountOffline]
  ]
}

/** Combines the version (edits) with the totals (changed by donations). */
export function buildCampaignEtag(row: CampaignRow): string {
  return buildVersionEtag(row.version, row.donatedCents, row.transferredCents, row.donationCount, row.offlineCents)
}
