import { versionTag } from '#platform/conditional.ts'
import type { Csv } from '#platform/csv.ts'
import type { Text } from '#platform/language.ts'
import type { Account } from '../account.ts'
import { toAmount } from '../money.ts'
import type { DonationRow } from './queries.ts'
import type { Donation } from './schema.ts'

/** Everything, account and e-mail included: for treasurers. */
export function forTreasurer(row: DonationRow): Donation {
  return { ...forDonor(row), account: accountOf(row), email: row.email }
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
export function tagOf(row: DonationRow, shown: 'all' | 'public'): string {
  return versionTag(row.version, shown)
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

export function csvLine(csv: Csv, row: DonationRow, currency: string): string {
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
    row.message
  ])
}
