import { versionTag } from '#platform/conditional.ts'
import type { Cell, Csv } from '#platform/csv.ts'
import type { Language, Text } from '#platform/language.ts'
import type { Account } from '../account.ts'
import type { Address } from '../address.ts'
import { toAmount } from '../money.ts'
import type { DonationRow, DonorsCampaign, HistoryRow } from './queries.ts'
import { type Donation, type DonationOfDonor, nextStatuses } from './schema.ts'

/** Everything, account and e-mail included: for treasurers. */
export function forTreasurer(row: DonationRow): Donation {
  return {
    ...forDonor(row),
    ...languageOf(row),
    account: accountOf(row),
    email: row.email,
    address: addressOf(row),
    consent:
      row.consentText === null || row.consentAt === null
        ? null
        : { text: row.consentText, version: row.consentVersion, at: row.consentAt },
    nextStatuses: [...nextStatuses[row.status]]
  }
}

/** The donor's own view: who did what to it is nobody else's business, and the account is the one to transfer to. */
export function forOwner(
  row: DonationRow & DonorsCampaign,
  history: HistoryRow[],
  siteLanguage: Language
): DonationOfDonor {
  return {
    ...forDonor(row),
    ...languageOf(row),
    campaign: {
      id: row.campaignId,
      name: row.campaignName,
      language: row.campaignLanguage ?? siteLanguage,
      translations: row.campaignTranslations,
      currency: row.currency,
      status: row.campaignStatus,
      account: {
        iban: row.campaignIban,
        name: row.campaignAccountName,
        nameOfBank: row.campaignBankName,
        ibanValid: row.campaignIbanValid
      }
    },
    history: history.map(({ status, at }) => ({ status, at }))
  }
}

/** What a donor gets back for the donation: no account number leaves, not even the donor's own. */
export function forDonor(row: DonationRow): Donation {
  return {
    ...forPublic(row),
    donorName: row.donorName,
    receiptRequested: row.receiptRequested,
    reference: row.reference,
    showName: row.showName,
    updatedAt: row.updatedAt
  }
}

/** What everybody may see of a donation. */
export function forPublic(row: DonationRow): Donation {
  return {
    id: row.id,
    campaignId: row.campaignId,
    amount: toAmount(row.amountCents),
    donorName: row.showName ? row.donorName : null,
    status: row.status,
    message: row.message,
    createdAt: row.createdAt
  }
}

/** What is shown is part of the tag: a treasurer has not seen all because the public has seen some. */
export function tagOf(row: DonationRow, shown: 'all' | 'public', notes: { id: string }[] = []): string {
  // Notes come and go without a new version of the donation: they do not disturb whoever edits it.
  const last = notes.at(-1)
  return last === undefined ? versionTag(row.version, shown) : versionTag(row.version, shown, notes.length, last.id)
}

function accountOf(row: DonationRow): Account | null {
  if (row.iban === null) return null
  return {
    iban: row.iban,
    name: row.accountName ?? '',
    nameOfBank: row.bankName ?? '',
    ibanValid: row.ibanValid ?? false
  }
}

function languageOf({ language }: DonationRow): { language?: Language } {
  return language === null ? {} : { language }
}

function addressOf({ street, postalCode, city, country }: DonationRow): Address | null {
  if (street === null || postalCode === null || city === null || country === null) return null
  return { street, postalCode, city, country }
}

export const csvHead: Record<keyof Text, string[]> = {
  en: [
    'id',
    'createdAt',
    'amount',
    'currency',
    'status',
    'reference',
    'donorName',
    'showName',
    'receiptRequested',
    'email',
    'iban',
    'accountName',
    'nameOfBank',
    'message'
  ],
  de: [
    'Kennung',
    'Datum',
    'Betrag',
    'Währung',
    'Status',
    'Verwendungszweck',
    'Name',
    'Name zeigen',
    'Quittung gewünscht',
    'E-Mail',
    'IBAN',
    'Kontoinhaber',
    'Bank',
    'Nachricht'
  ]
}

/** `more` are cells behind the usual ones. */
export function csvLine(csv: Csv, row: DonationRow, currency: string, more: Cell[] = []): string {
  return csv.line([
    row.id,
    row.createdAt,
    toAmount(row.amountCents),
    currency,
    row.status,
    row.reference,
    row.donorName,
    row.showName,
    row.receiptRequested,
    row.email,
    row.iban,
    row.accountName,
    row.bankName,
    row.message,
    ...more
  ])
}
