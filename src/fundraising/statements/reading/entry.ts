import type { Text } from '#platform/language.ts'

/** One payment on a statement. A booking that sums up several is several of these. */
export interface Entry {
  /** Within the file, counted from 1. */
  position: number
  /** The account that the statement is about: its IBAN, or the number that the bank gives instead. */
  account: string | null
  /** What the bank calls this payment, different for every payment of a booking; null where the bank says nothing. */
  bankReference: string | null
  bookedOn: Day | null
  valueOn: Day | null
  /** Never negative. For a returned payment without what the banks took for returning it. */
  amountCents: number
  /** What banks took for it: part of the booking, not of the amount. */
  chargesCents: number
  currency: string
  /** As it was booked: in is money that came, whatever was the reason. */
  direction: 'in' | 'out'
  /** Money that goes back to where it came from: a returned debit, a payment that was called back, a booking that the bank reversed. */
  isReturn: boolean
  /** The bank's code such as AC04, and what it says besides. */
  returnReason: string | null
  /** The bank has heard of it and not booked it. */
  isPending: boolean
  endToEndId: string | null
  mandateReference: string | null
  /** What the file of an order calls the batch that it is the booking of. */
  paymentInformationId?: string | null
  /** What the payer wrote, in one line. Blanks may stand where the bank broke lines, even within a reference. */
  text: string
  counterpartName: string | null
  counterpartIban: string | null
  counterpartBic: string | null
  /** What is wrong with it: nobody should book such a payment without having looked. */
  problems: EntryProblem[]
}

/** `2026-12-24`. */
export type Day = string

export interface EntryProblem {
  /** For programs: stable, kebab-case. */
  code: string
  message: Text
}
