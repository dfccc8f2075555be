import type { Cell, CsvWriter } from '#platform/csv/csv.ts'
import { buildContentEtag, buildVersionEtag } from '#platform/http/etag.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { decryptIban, type EncryptionKeys } from '../encryption/iban-encryption.ts'
import type { Account } from '../money/account.ts'
import type { Address } from '../money/address.ts'
import { toAmount } from '../money/money.ts'
import type { DonationRow } from './donation-row.ts'
import type { DonorCampaign } from './queries.ts'
import { type Donation, type DonationOfDonor, getNextStatuses } from './schema.ts'
import type { HistoryRow } from './status-queries.ts'

/** For treasurers: everything, including account and e-mail address. */
export function forTreasurer(row: DonationRow, settings: EncryptionKeys): Donation {
  return {
    ...forDonor(row),
    ...toLanguage(row),
    account: toAccount(row, settings),
    email: row.email,
    address: toAddress(row),
    consent:
      row.consentText === null || row.consentAt === null
        ? null
        : { text: row.consentText, version: row.consentVersion, at: row.consentAt },
    erasedAt: row.erasedAt,
    nextStatuses: [...getNextStatuses(row.status, row.receivedCents)],
    kind: row.kind,
    inKind: row.inKind,
    review: row.review,
    messageReview: row.message === null && !row.showName ? null : row.messageReview
  }
}

/** The donor's own view: without the names of staff, and with the account to transfer to. */
export function forOwner(
  row: DonationRow & DonorCampaign,
  history: HistoryRow[],
  siteLanguage: Language
): Omit<DonationOfDonor, 'receipts' | 'canHaveSimplifiedProof'> {
  return {
    ...forDonor(row),
    ...toLanguage(row),
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
    ...(row.review === 'waiting' ? { review: row.review } : {}),
    mandateReference: row.mandateReference,
    mandateText: row.mandateText,
    creditorId: row.creditorId,
    collectedOn: row.collectedOn,
    hasEmail: row.email !== null,
    hasAddress: toAddress(row) !== null,
    history: history.map(({ status, at }) => ({ status, at }))
  }
}

/** The response to a new donation: contains no account number, not even the donor's own. */
export function forDonor(row: DonationRow): Donation {
  return {
    ...forPublic(row),
    donorName: row.donorName,
    message: row.message,
    receiptRequested: row.receiptRequested,
    reference: row.reference,
    showName: row.showName,
    updatedAt: row.updatedAt,
    receivedOn: row.receivedOn,
    paymentMethod: row.paymentMethod
  }
}

/**
 * The public view. A name is untrusted text like a message. It is shown without a review once the money has arrived,
 * because abusive names come without money; a treasurer can hide it.
 */
export function forPublic(row: DonationRow): Donation {
  return {
    id: row.id,
    campaignId: row.campaignId,
    amount: toAmount(row.amountCents),
    amountReceived: toAmount(row.receivedCents),
    donorName: isNamePublic(row) ? row.donorName : null,
    status: row.status,
    message: row.messageReview === 'shown' ? row.message : null,
    createdAt: row.createdAt
  }
}

function isNamePublic({ showName, messageReview, review, status }: DonationRow): boolean {
  if (!showName || messageReview === 'hidden') return false
  return messageReview === 'shown' || review === 'released' || status === 'TRANSFERRED'
}

/** The ETag includes the view: the public representation must not validate as the treasurer's. */
export function buildDonationEtag(
  row: DonationRow,
  shown: 'all' | 'public',
  {
    notes = [],
    receipts = [],
    news
  }: { notes?: { id: string }[]; receipts?: { version: number }[]; news?: { endedAt: string | null } | undefined } = {}
): string {
  // Notes, receipts and consents do not change the donation's version, so that they cause no conflict for an edit in progress.
  const last = notes.at(-1)
  const noted = last === undefined ? [] : [notes.length, last.id]
  const certified = receipts.length === 0 ? [] : [`r${receipts.map(({ version }) => version).join('.')}`]
  const ended = news == null || news.endedAt === null ? [] : ['unsubscribed']
  return buildVersionEtag(row.version, shown, ...noted, ...certified, ...ended)
}

/** Covers the content, because receipts and the debit day change without a new version of the donation. */
export function buildOwnDonationEtag(row: DonationRow, shown: DonationOfDonor): string {
  return buildContentEtag(JSON.stringify(shown), row.version)
}

function toAccount(row: DonationRow, settings: EncryptionKeys): Account | null {
  const iban = getDonorIban(row, settings)
  if (iban === null) return null
  return {
    iban,
    name: row.accountName ?? '',
    nameOfBank: row.bankName ?? '',
    ibanValid: row.ibanValid ?? false
  }
}

/** The donor's own IBAN, for callers who may read it. */
export function getDonorIban(
  row: Pick<DonationRow, 'encryptedIban' | 'plaintextIban'>,
  settings: EncryptionKeys
): string | null {
  return row.encryptedIban === null ? row.plaintextIban : decryptIban(settings, row.encryptedIban)
}

function toLanguage({ language }: DonationRow): { language?: Language } {
  return language === null ? {} : { language }
}

function toAddress({ street, postalCode, city, country }: DonationRow): Address | null {
  if (street === null || postalCode === null || city === null || country === null) return null
  return { street, postalCode, city, country }
}

const csvColumns = [
  'id',
  'createdAt',
  'amount',
  'amountReceived',
  'receivedOn',
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
] as const

export function buildCsvHeader(language: Language): string[] {
  const headings = getMessages('csv-headings', language).donations
  return csvColumns.map(column => headings[column])
}

/** `more` are cells after the standard columns. */
export function buildCsvLine(
  csv: CsvWriter,
  row: DonationRow,
  { currency, settings, more = [] }: { currency: string; settings: EncryptionKeys; more?: Cell[] }
): string {
  return csv.formatRow([
    row.id,
    row.createdAt,
    toAmount(row.amountCents),
    toAmount(row.receivedCents),
    row.receivedOn,
    currency,
    row.status,
    row.reference,
    row.donorName,
    row.showName,
    row.receiptRequested,
    row.email,
    getDonorIban(row, settings),
    row.accountName,
    row.bankName,
    row.message,
    ...more
  ])
}
