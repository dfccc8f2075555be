import type { Language } from '#platform/language.ts'
import type { DonationKind, InKind } from '../donation-kind.ts'
import type { Address } from '../money/address.ts'
import type { Period } from './period.ts'
import type { ReceiptKind } from './schema.ts'

/** Everything printed on a receipt, as of its issue: the file can be rebuilt from it at any time. */
export interface ReceiptContent {
  number: string
  kind: ReceiptKind
  language: Language
  issuedOn: string
  /** The creation date in the file's metadata. */
  issuedAt: string
  currency: string
  amountCents: number
  issuer: Issuer
  donor: { name: string; address: Address }
  period: Period
  /** The certified lines. */
  donations: CertifiedLine[]
  /** The number of the receipt that it replaces. */
  replaces: string | null
}

/** The organisation as receipts name it. */
export interface Issuer {
  legalName: string
  address: Address
  taxOffice: string
  taxNumber: string
  exemption: { kind: 'notice' | 'provisional'; date: string; period: string | null }
  /** The purposes after "zur Förderung". */
  purposes: string
  /** The purposes after "Wir fördern"; older receipts have one form for both. */
  promotes?: string
  /** If true, fees can be certified, and the form's sentence about fees that are not deductible is left out. */
  feesDeductible?: boolean
  signatory: string
  signatoryRole: string
  taxOfficeInformedOn: string | null
  /** The hash of the signature image, in hex. */
  signature: string | null
}

/** A payment for a donation on a day; each is certified once. */
export interface CertifiedLine {
  campaignId: number
  /** The donation id. */
  id: string
  /** Missing in older receipts, which certified whole donations. */
  paymentId?: string
  /** Missing in older receipts, which certified only money. */
  kind?: DonationKind
  /** The details of a donation in kind. */
  inKind?: InKind
  reference: string
  receivedOn: string
  amountCents: number
}
