import type { Booking } from '../../../donations/booking.ts'
import type { DonationRow } from '../../../donations/donation-row.ts'
import type { Arrival } from '../../../donations/payments/payment.ts'
import type { Cents } from '../../../money/money.ts'
import { newDonationStatusChangedProblem } from '../../../problems/donations.ts'
import {
  newAmountNeededForCurrencyProblem,
  newAmountsMissingProblem,
  newSharesDifferProblem,
  newSplitInOtherCurrencyProblem
} from '../../../problems/payments.ts'
import { newEntryDonationNotFoundProblem } from '../../../problems/statements.ts'
import type { EntryRow } from '../entry-queries.ts'
import type { MatchedDonation } from '../queries.ts'
import type { AssignedDonation } from '../schema.ts'

/** The part of an entry that is for one donation. */
export interface Share {
  campaignId: number
  id: string
  amountCents: number
}

/** Distributes the whole entry over donations: one amount can be omitted and gets the rest; nothing is left over. */
export function getShares(entry: EntryRow, wanted: AssignedDonation[], found: MatchedDonation[]): Share[] {
  const isOther = ({ campaignId, id }: AssignedDonation) =>
    found.find(one => one.campaignId === campaignId && one.id === id)?.currency !== entry.currency
  for (const one of wanted) {
    if (!found.some(({ campaignId, id }) => campaignId === one.campaignId && id === one.id))
      throw newEntryDonationNotFoundProblem()
    if (isOther(one) && one.amount === undefined) throw newAmountNeededForCurrencyProblem(entry.currency)
  }
  if (wanted.some(isOther)) {
    if (wanted.length > 1) throw newSplitInOtherCurrencyProblem()
    return wanted.map(({ campaignId, id, amount = 0 as Cents }) => ({ campaignId, id, amountCents: amount }))
  }
  const unsaid = wanted.filter(({ amount }) => amount === undefined)
  if (unsaid.length > 1) throw newAmountsMissingProblem()
  const said = wanted.reduce((sum, { amount = 0 as Cents }) => sum + amount, 0)
  const rest = entry.amountCents - said
  if (unsaid.length === 0 ? rest !== 0 : rest <= 0) throw newSharesDifferProblem(entry.amountCents, said)
  return wanted.map(({ campaignId, id, amount }) => ({ campaignId, id, amountCents: amount ?? rest }))
}

/** Books received money; `accept` makes the donation TRANSFERRED with less than was promised. */
export function bookArrival(
  { statementId, id, bookedOn, valueOn }: Pick<EntryRow, 'statementId' | 'id' | 'bookedOn' | 'valueOn'>,
  before: DonationRow,
  { amountCents }: { amountCents: number },
  { accept, today }: { accept: boolean; today: string }
): Booking {
  const entry = { statementId, id }
  const receivedOn = bookedOn ?? valueOn ?? today
  const record: Arrival[] = [{ amountCents, receivedOn, source: 'bank_entry', entry }]
  return { before, record, entry, ...(accept ? { status: 'TRANSFERRED' as const } : {}) }
}

/** Books returned money: if none is left, the donation is FAILED (returned by a bank) or REFUNDED (sent by us). */
export function bookReturn(
  {
    statementId,
    id,
    bookedOn,
    valueOn,
    isReturn
  }: Pick<EntryRow, 'statementId' | 'id' | 'bookedOn' | 'valueOn' | 'isReturn'>,
  before: DonationRow,
  { amountCents }: { amountCents: number },
  today: string
): Booking {
  const entry = { statementId, id }
  if (before.receivedCents === 0) {
    // A debit rejected before any money arrived.
    if (before.status !== 'IN_PROCESS' || !isReturn) throw newDonationStatusChangedProblem(before.status)
    return { before, entry, status: 'FAILED' }
  }
  const receivedOn = bookedOn ?? valueOn ?? today
  const record: Arrival[] = [{ amountCents: -amountCents, receivedOn, source: 'bank_entry', entry }]
  return { before, record, entry, isBankReturn: isReturn, statusWithoutMoney: isReturn ? 'FAILED' : 'REFUNDED' }
}
