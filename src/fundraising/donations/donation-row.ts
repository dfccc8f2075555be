import { joinValues, type Sql, sql, toByteaText, toIdentifiers } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { DonationKind, InKind } from '../donation-kind.ts'
import { type EncryptionKeys, toEncryptedIbanColumns } from '../encryption/iban-encryption.ts'
import type { Account } from '../money/account.ts'
import type { Address } from '../money/address.ts'
import type { DonationStatus, MessageReview, NewDonation, PaymentMethod, Review } from './schema.ts'

/**
 * A donation row, with account and address spread over columns. The donor token is not selected, so that no code that
 * shows a donation can leak it.
 */
export interface DonationRow {
  campaignId: number
  id: string
  version: number
  /** The promised amount. */
  amountCents: number
  /** The received amount: the sum of the payments. */
  receivedCents: number
  /** The day of the newest payment. */
  receivedOn: string | null
  /** Null once the donor is erased. */
  donorName: string | null
  receiptRequested: boolean
  showName: boolean
  message: string | null
  email: string | null
  status: DonationStatus
  reference: string
  encryptedIban: Buffer | null
  ibanFingerprint: Buffer | null
  /** Set in rows from before IBANs were encrypted, until they are. */
  plaintextIban: string | null
  ibanValid: boolean | null
  accountName: string | null
  bankName: string | null
  createdAt: string
  updatedAt: string
  language: Language | null
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
  consentText: string | null
  consentVersion: string | null
  consentAt: string | null
  erasedAt: string | null
  review: Review | null
  messageReview: MessageReview
  paymentMethod: PaymentMethod
  kind: DonationKind
  inKind: InKind | null
}

/** For statements that join `donation`. */
export const columns = sql`
  donation.campaign_id as "campaignId",
  donation.id, donation.version, donation.message, donation.email, donation.status, donation.reference, donation.review,
  donation.amount_cents as "amountCents",
  donation.received_cents as "receivedCents",
  donation.received_on::text as "receivedOn",
  donation.donor_name as "donorName",
  donation.receipt_requested as "receiptRequested",
  donation.show_name as "showName",
  donation.iban_encrypted as "encryptedIban",
  donation.iban_fingerprint as "ibanFingerprint",
  donation.account_iban as "plaintextIban",
  donation.account_iban_valid as "ibanValid",
  donation.account_name as "accountName",
  donation.account_bank as "bankName",
  donation.created_at as "createdAt",
  donation.updated_at as "updatedAt",
  donation.language,
  donation.address_street as street,
  donation.address_postal_code as "postalCode",
  donation.address_city as city,
  donation.address_country as country,
  donation.consent_text as "consentText",
  donation.consent_version as "consentVersion",
  donation.consent_at as "consentAt",
  donation.erased_at as "erasedAt",
  donation.message_review as "messageReview",
  donation.payment_method as "paymentMethod",
  donation.kind,
  donation.in_kind as "inKind"`

/** A new row with the columns that are written once and never selected. */
export type InsertedDonation = DonationRow & { encryptedToken: Buffer; tokenHash: Buffer }

const insertedNames = [
  'campaign_id',
  'id',
  'amount_cents',
  'donor_name',
  'receipt_requested',
  'show_name',
  'message',
  'email',
  'status',
  'reference',
  'iban_encrypted',
  'iban_fingerprint',
  'account_iban_valid',
  'account_name',
  'account_bank',
  'created_at',
  'updated_at',
  'language',
  'address_street',
  'address_postal_code',
  'address_city',
  'address_country',
  'consent_text',
  'consent_version',
  'consent_at',
  'donor_token_encrypted',
  'donor_token_hash',
  'review',
  'message_review',
  'payment_method',
  'received_cents',
  'received_on',
  'kind',
  'in_kind'
] as const

/** What an insert writes. */
export const insertedColumns = toIdentifiers(insertedNames)

/** The values of these columns, as JSON can hold them. */
export function toInsertedColumns(donation: InsertedDonation): Record<(typeof insertedNames)[number], unknown> {
  return {
    campaign_id: donation.campaignId,
    id: donation.id,
    amount_cents: donation.amountCents,
    donor_name: donation.donorName,
    receipt_requested: donation.receiptRequested,
    show_name: donation.showName,
    message: donation.message,
    email: donation.email,
    status: donation.status,
    reference: donation.reference,
    iban_encrypted: donation.encryptedIban && toByteaText(donation.encryptedIban),
    iban_fingerprint: donation.ibanFingerprint && toByteaText(donation.ibanFingerprint),
    account_iban_valid: donation.ibanValid,
    account_name: donation.accountName,
    account_bank: donation.bankName,
    created_at: donation.createdAt,
    updated_at: donation.updatedAt,
    language: donation.language,
    address_street: donation.street,
    address_postal_code: donation.postalCode,
    address_city: donation.city,
    address_country: donation.country,
    consent_text: donation.consentText,
    consent_version: donation.consentVersion,
    consent_at: donation.consentAt,
    donor_token_encrypted: toByteaText(donation.encryptedToken),
    donor_token_hash: toByteaText(donation.tokenHash),
    review: donation.review,
    message_review: donation.messageReview,
    payment_method: donation.paymentMethod,
    received_cents: donation.receivedCents,
    received_on: donation.receivedOn,
    kind: donation.kind,
    in_kind: donation.inKind
  }
}

/** The same for `values`. */
export function toInsertedValues(donation: InsertedDonation): Sql {
  const values = toInsertedColumns(donation)
  return joinValues(insertedNames.map(name => values[name]))
}

/** Removes everything that tells who the donor is, for `update … set`. */
export const erasedColumns = sql`
  donor_name = null, email = null, message = null, language = null, show_name = false, receipt_requested = false,
  account_iban = null, iban_encrypted = null, iban_fingerprint = null,
  account_iban_valid = null, account_name = null, account_bank = null,
  address_street = null, address_postal_code = null, address_city = null, address_country = null,
  consent_text = null, consent_version = null, consent_at = null`

/** Optional texts of donors, which are stored as they come: null where there is none. */
export function toDonorTextColumns(input: Pick<NewDonation, 'message'> = {}): Pick<DonationRow, 'message'> {
  return { message: input.message || null }
}

export function toAccountColumns(
  settings: EncryptionKeys,
  account: Account | undefined
): Pick<DonationRow, 'encryptedIban' | 'ibanFingerprint' | 'plaintextIban' | 'ibanValid' | 'accountName' | 'bankName'> {
  return {
    ...toEncryptedIbanColumns(settings, account?.iban),
    plaintextIban: null,
    ibanValid: account?.ibanValid ?? null,
    accountName: account?.name ?? null,
    bankName: account?.nameOfBank ?? null
  }
}

export type AddressColumn = 'street' | 'postalCode' | 'city' | 'country'

export function toAddressColumns(address: Address | null | undefined): Pick<DonationRow, AddressColumn> {
  return {
    street: address?.street ?? null,
    postalCode: address?.postalCode ?? null,
    city: address?.city ?? null,
    country: address?.country ?? null
  }
}
