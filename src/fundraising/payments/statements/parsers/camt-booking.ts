import {
  type Direction,
  isReturnCode,
  type Money,
  type Party,
  parseCharges,
  parseDirection,
  parseMoneyAt,
  type Transaction
} from './camt-transaction.ts'
import { problem } from './entry-problems.ts'
import type { Day, EntryProblem, ParsedPayment } from './parsed-entry.ts'
import { cleanReference, parseCurrency, parseDay, truncate } from './values.ts'
import { findNode, findText, type XmlNode } from './xml-node.ts'

/** What holds for all bookings of a statement. */
export interface StatementAccount {
  number: string | null
  currency: string
  timezone: string
  /** Reports during the day say of what they show whether it is booked; where they do not, it is not. */
  isIntraday: boolean
}

/** A booking (`Ntry`) as the payments that it is made of; one without details is one payment. */
export function toPayments(node: XmlNode, transactions: Transaction[], account: StatementAccount): ParsedPayment[] {
  const booking = parseBooking(node, account)
  const parts = transactions.length === 0 ? [undefined] : transactions
  const references = listReferences(booking.reference, parts)
  const shares = parts.map(part => getShare(part, booking, parts.length === 1))
  const wrong = findContradiction(shares, parts, booking)
  const isContradicted = wrong?.code === 'direction-contradiction'
  return parts.map((part, place) => {
    const { cents, problems } = shares[place] ?? { cents: 0, problems: [] }
    // Where the bank contradicts itself the booking counts: it is what happened on the account.
    const own = isContradicted ? undefined : part?.direction
    const direction = own ?? booking.direction ?? 'in'
    const isReturn = booking.isReversal || booking.isReturn || part?.isReturn === true
    const charges = isReturn && direction === 'out' ? getCharges(part, booking, cents, parts.length === 1) : 0
    const party = part === undefined ? undefined : getCounterpart(part, direction, isReturn, account.number)
    return {
      account: account.number,
      bankReference: references[place] ?? null,
      bookedOn: booking.bookedOn,
      valueOn: booking.valueOn,
      amountCents: cents - charges,
      chargesCents: charges,
      currency: booking.currency,
      direction,
      isReturn,
      isRejected: false,
      returnReason: part?.returnReason ?? null,
      isPending: booking.isPending,
      endToEndId: part?.endToEndId ?? null,
      mandateReference: part?.mandateReference ?? null,
      paymentInformationId: part?.paymentInformationId ?? booking.batch,
      text: part === undefined || (part.text === '' && parts.length === 1) ? booking.info : part.text,
      counterpartName: party?.name ?? null,
      counterpartIban: party?.iban ?? null,
      counterpartBic: party?.bic ?? null,
      // The first is the one that people are told.
      problems: [...(wrong === undefined ? [] : [wrong]), ...booking.problems, ...problems]
    }
  })
}

interface Booking {
  cents: number
  currency: string
  charges: Money[]
  direction: Direction | undefined
  isReversal: boolean
  isReturn: boolean
  isPending: boolean
  bookedOn: Day | null
  valueOn: Day | null
  reference: string | null
  /** What the sender called the batch of orders that was booked as one. */
  batch: string | null
  info: string
  problems: EntryProblem[]
}

function parseBooking(node: XmlNode, account: StatementAccount): Booking {
  const problems: EntryProblem[] = []
  const [money] = parseMoneyAt(node, 'Amt')
  const cents = money?.cents ?? problem.amount()
  if (typeof cents !== 'number') problems.push(cents)
  const direction = parseDirection(node)
  if (direction === undefined) problems.push(problem.direction())
  const status = findText(node, 'Sts/Cd', 'Sts') ?? (account.isIntraday ? 'PDNG' : 'BOOK')
  return {
    cents: typeof cents === 'number' ? cents : 0,
    currency: parseCurrency(money?.currency, account.currency),
    charges: parseCharges(node),
    direction,
    isReversal: /^(?:true|1)$/.test(findText(node, 'RvslInd') ?? ''),
    isReturn: isReturnCode(findNode(node, 'BkTxCd')),
    isPending: status !== 'BOOK',
    bookedOn: parseDayField(node, 'BookgDt', account, problems),
    valueOn: parseDayField(node, 'ValDt', account, problems),
    reference: cleanReference(findText(node, 'AcctSvcrRef')),
    batch: cleanReference(findText(node, 'NtryDtls/Btch/PmtInfId', 'NtryDtls/Btch/MsgId')),
    info: truncate(findText(node, 'AddtlNtryInf') ?? '', 500),
    problems
  }
}

function parseDayField(
  node: XmlNode,
  name: string,
  { timezone }: StatementAccount,
  problems: EntryProblem[]
): Day | null {
  const text = findText(node, `${name}/Dt`, `${name}/DtTm`)
  if (text === null) return null
  const day = parseDay(text, timezone)
  if (day === undefined) problems.push(problem.day())
  return day ?? null
}

/** Some banks repeat the reference of the booking in each of its payments; then the place within it makes the difference. */
function listReferences(booking: string | null, parts: (Transaction | undefined)[]): (string | null)[] {
  const own = parts.map(part => part?.bankReference ?? null)
  if (parts.length === 1) return [own[0] ?? booking]
  const areDifferent = new Set(own).size === own.length && own.every(one => one !== null && one !== booking)
  if (areDifferent) return own
  return own.map((one, place) => {
    const common = booking ?? one
    return common === null ? null : `${common}/${place + 1}`
  })
}

interface Share {
  cents: number
  problems: EntryProblem[]
}

/** What a payment is of its booking, in the currency of the account. Of a booking with one payment it is all. */
function getShare(part: Transaction | undefined, booking: Booking, isOnly: boolean): Share {
  if (part === undefined || isOnly) return { cents: booking.cents, problems: [] }
  const money = part.amounts.find(({ currency }) => currency === booking.currency || currency === '')
  if (money === undefined)
    return { cents: 0, problems: [part.amounts.length === 0 ? problem.amount() : problem.currency()] }
  return typeof money.cents === 'number' ? { cents: money.cents, problems: [] } : { cents: 0, problems: [money.cents] }
}

/** Where a bank says one thing of a booking and another of the payments in it. */
function findContradiction(
  shares: Share[],
  parts: (Transaction | undefined)[],
  booking: Booking
): EntryProblem | undefined {
  const isOpposite = (part: Transaction | undefined) =>
    part?.direction !== undefined && booking.direction !== undefined && part.direction !== booking.direction
  if (parts.every(isOpposite)) return problem.contradiction()
  const [first] = parts
  if (first === undefined || shares.some(({ problems }) => problems.length > 0)) return undefined
  const signed = parts.reduce((sum, part, place) => {
    const cents = parts.length === 1 ? getOwnCents(first, booking) : (shares[place]?.cents ?? 0)
    return sum + (isOpposite(part) ? -cents : cents)
  }, 0)
  // With or without charges: some banks book them together with the payments, some beside them.
  const charges = sumCharges([...booking.charges, ...parts.flatMap(part => part?.charges ?? [])], booking.currency)
  const returned = parts.length === 1 ? getCharges(first, booking, booking.cents, true) : 0
  if ([0, charges, -charges, returned].some(difference => signed + difference === booking.cents)) return undefined
  return signed + booking.cents === 0 && signed !== 0 ? problem.contradiction() : problem.sum()
}

/** What the details of the only payment say, where they say it in the currency of the account. */
function getOwnCents(part: Transaction, booking: Booking): number {
  const [money] = part.amounts.filter(one => one !== part.ordered)
  const isComparable = money?.currency === booking.currency && typeof money.cents === 'number'
  return isComparable ? (money.cents as number) : booking.cents
}

/** What was taken for a return: what the bank says, or what was booked beyond what had been ordered. */
function getCharges(part: Transaction | undefined, booking: Booking, cents: number, isOnly: boolean): number {
  const told = sumCharges([...(part?.charges ?? []), ...(isOnly ? booking.charges : [])], booking.currency)
  const ordered = part?.ordered
  if (ordered?.currency === booking.currency && typeof ordered.cents === 'number') {
    // Where the payment is as large as ordered, charges are booked elsewhere.
    return Math.max(0, cents - ordered.cents)
  }
  return told < cents ? told : 0
}

function sumCharges(charges: Money[], accountCurrency: string): number {
  return charges.reduce((sum, { cents, currency }) => {
    return typeof cents === 'number' && (currency === accountCurrency || currency === '') ? sum + cents : sum
  }, 0)
}

/** The other one. Who is who stays as it was in the original payment when that comes back. */
function getCounterpart(part: Transaction, direction: Direction, isReturn: boolean, own: string | null): Party {
  const { debtor, creditor } = part
  if (own !== null && creditor.account === own && debtor.account !== own) return debtor
  if (own !== null && debtor.account === own && creditor.account !== own) return creditor
  const [likely, other] = (direction === 'in') !== isReturn ? [debtor, creditor] : [creditor, debtor]
  return likely.name === null && likely.account === null ? other : likely
}
