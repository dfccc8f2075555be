import type { Text } from '#platform/language.ts'

/** One payment on a statement. A booking that sums up several is several of these. */
export interface Entry {
  /** Within the file, counted from 1. */
  position: number
  /** The file of an archive that it stands in, counted from 1; 1 for a file that is no archive. */
  part: number
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
  /**
   * A debit that the bank refused before it was collected, told by a status report: no money moved. Its amount is 0 where the
   * report does not repeat it.
   */
  isRejected: boolean
  /** The bank's code such as AC04, and what it says besides. */
  returnReason: string | null
  /** The bank has heard of it and not booked it. */
  isPending: boolean
  endToEndId: string | null
  mandateReference: string | null
  /** What we called the batch of debits that this is the credit of, or a part of; else the reference of a file of the payer. */
  paymentInformationId: string | null
  /** What the payer wrote, in one line. Blanks may stand where the bank broke lines, even within a reference. */
  text: string
  counterpartName: string | null
  counterpartIban: string | null
  counterpartBic: string | null
  /** What is wrong with it: nobody should book such a payment without having looked. */
  problems: EntryProblem[]
}

/** An entry before its place in the file is known. */
export type ParsedPayment = Omit<Entry, 'position' | 'part'>

/** `2026-12-24`. */
export type Day = string

export interface EntryProblem {
  /** For programs: stable, kebab-case. */
  code: string
  message: Text
}

/** A payment of which nothing is known yet. */
export function createParsedPayment(currency: string): ParsedPayment {
  return {
    account: null,
    bankReference: null,
    bookedOn: null,
    valueOn: null,
    amountCents: 0,
    chargesCents: 0,
    currency,
    direction: 'in',
    isReturn: false,
    isRejected: false,
    returnReason: null,
    isPending: false,
    endToEndId: null,
    mandateReference: null,
    paymentInformationId: null,
    text: '',
    counterpartName: null,
    counterpartIban: null,
    counterpartBic: null,
    problems: []
  }
}
