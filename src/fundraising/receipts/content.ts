import type { Language } from '#platform/language.ts'
import type { DonationKind, InKind } from '../donation-kind.ts'
import type { Address } from '../money/address.ts'
import type { Period } from './period.ts'
import type { ReceiptKind } from './schema.ts'

/** Everything that stands on a receipt, as it was when it was issued: the file can be made of it at any time. */
export interface ReceiptContent {
  number: string
  kind: ReceiptKind
  language: Language
  issuedOn: string
  /** What the file says of when it was made. */
  issuedAt: string
  currency: string
  amountCents: number
  issuer: Issuer
  donor: { name: string; address: Address }
  period: Period
  /** What it certifies, line by line. */
  donations: CertifiedLine[]
  /** The number of the one that it stands in for. */
  replaces: string | null
}

/** The organisation, as far as receipts say who it is. */
export interface Issuer {
  legalName: string
  address: Address
  taxOffice: string
  taxNumber: string
  exemption: { kind: 'notice' | 'provisional'; date: string; period: string | null }
  /** The purposes after "zur Förderung". */
  purposes: string
  /** The purposes after "Wir fördern"; receipts of before had one form for both. */
  promotes?: string
  /** Then they may be certified, and the form's sentence for organisations where they are not is left out. */
  feesDeductible?: boolean
  signatory: string
  signatoryRole: string
  taxOfficeInformedOn: string | null
  /** Of the picture of the signature, in hex. */
  signature: string | null
}

/** One thing that came for a donation on a day: what a receipt certifies, each once. */
export interface CertifiedLine {
  campaignId: number
  /** Of the donation. */
  id: string
  /** Receipts of before certified donations. */
  paymentId?: string
  /** Receipts of before certified nothing but money. */
  kind?: DonationKind
  /** The thing, where it is one. */
  inKind?: InKind
  reference: string
  receivedOn: string
  amountCents: number
}
