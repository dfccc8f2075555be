import type { Text } from '#platform/language.ts'

/** One payment on a statement. A batch booking becomes several entries. */
export interface Entry {
  /** The position within the file, counted from 1. */
  position: number
  /** The number of its file within an archive, counted from 1; 1 without an archive. */
  part: number
  /** The account of the statement: its IBAN, or the bank's own number. */
  account: string | null
  /** The bank's reference, unique per payment of a booking; null if the bank gives none. */
  bankReference: string | null
  bookedOn: Day | null
  valueOn: Day | null
  /** Never negative. For a returned payment, excludes the return charges. */
  amountCents: number
  /** Bank charges: part of the booking, not of the amount. */
  chargesCents: number
  currency: string
  /** The direction as booked: `in` is incoming money, for whatever reason. */
  direction: 'in' | 'out'
  /** Returned money: a returned debit, a recalled payment, or a booking reversed by the bank. */
  isReturn: boolean
  /**
   * A debit that the bank rejected before collection, from a status report: no money moved. The amount is 0 if the
   * report omits it.
   */
  isRejected: boolean
  /** The bank's code such as AC04, and its additional text. */
  returnReason: string | null
  /** Announced by the bank, but not booked. */
  isPending: boolean
  endToEndId: string | null
  mandateReference: string | null
  /** Our payment information id of the debits that this credit is for; otherwise a reference of the payer's file. */
  paymentInformationId: string | null
  /** The payer's text on one line. Can contain spaces where the bank split lines, even within a reference. */
  text: string
  counterpartName: string | null
  counterpartIban: string | null
  counterpartBic: string | null
  /** Problems of the entry; it must not be booked without review. */
  problems: EntryProblem[]
}

/** An entry before its position in the file is known. */
export type ParsedPayment = Omit<Entry, 'position' | 'part'>

/** `2026-12-24`. */
export type Day = string

export interface EntryProblem {
  /** A stable code in kebab case, for programs. */
  code: string
  message: Text
}

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
