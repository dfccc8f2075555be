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

/** Fields that apply to all bookings of a statement. */
export interface StatementAccount {
  number: string | null
  currency: string
  timezone: string
  /** Intraday reports state per booking whether it is booked; without that it counts as pending. */
  isIntraday: boolean
}

/** Splits a booking (`Ntry`) into its payments; one without details is one payment. */
export function toPayments(node: XmlNode, transactions: Transaction[], account: StatementAccount): ParsedPayment[] {
  const booking = parseBooking(node, account)
  const parts = transactions.length === 0 ? [undefined] : transactions
  const references = listReferences(booking.reference, parts)
  const shares = parts.map(part => getShare(part, booking, parts.length === 1))
  const wrong = findContradiction(shares, parts, booking)
  const isContradicted = wrong?.code === 'direction-contradiction'
  return parts.map((part, place) => {
    const { cents, problems } = shares[place] ?? { cents: 0, problems: [] }
    // If the bank contradicts itself, the booking counts, because it is what happened on the account.
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
      // Users see the first problem only.
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
  /** The sender's id of the batch that was booked as one. */
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

/** Some banks repeat the booking's reference in all its payments; then we append the position to make it unique. */
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

/** The amount of one payment in the currency of the account; a single payment is the whole booking. */
function getShare(part: Transaction | undefined, booking: Booking, isOnly: boolean): Share {
  if (part === undefined || isOnly) return { cents: booking.cents, problems: [] }
  const money = part.amounts.find(({ currency }) => currency === booking.currency || currency === '')
  if (money === undefined)
    return { cents: 0, problems: [part.amounts.length === 0 ? problem.amount() : problem.currency()] }
  return typeof money.cents === 'number' ? { cents: money.cents, problems: [] } : { cents: 0, problems: [money.cents] }
}

/** Finds contradictions between a booking and its payments. */
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
  // With or without charges: some banks include them in the booking, others book them separately.
  const charges = sumCharges([...booking.charges, ...parts.flatMap(part => part?.charges ?? [])], booking.currency)
  const returned = parts.length === 1 ? getCharges(first, booking, booking.cents, true) : 0
  if ([0, charges, -charges, returned].some(difference => signed + difference === booking.cents)) return undefined
  return signed + booking.cents === 0 && signed !== 0 ? problem.contradiction() : problem.sum()
}

/** The amount in the details of a single payment, if it is in the currency of the account. */
function getOwnCents(part: Transaction, booking: Booking): number {
  const [money] = part.amounts.filter(one => one !== part.ordered)
  const isComparable = money?.currency === booking.currency && typeof money.cents === 'number'
  return isComparable ? (money.cents as number) : booking.cents
}

/** The charges of a return: as stated by the bank, or the amount booked in excess of the order. */
function getCharges(part: Transaction | undefined, booking: Booking, cents: number, isOnly: boolean): number {
  const total = sumCharges([...(part?.charges ?? []), ...(isOnly ? booking.charges : [])], booking.currency)
  const ordered = part?.ordered
  if (ordered?.currency === booking.currency && typeof ordered.cents === 'number') {
    // If the payment equals the order, the charges are booked elsewhere.
    return Math.max(0, cents - ordered.cents)
  }
  return total < cents ? total : 0
}

function sumCharges(charges: Money[], accountCurrency: string): number {
  return charges.reduce((sum, { cents, currency }) => {
    return typeof cents === 'number' && (currency === accountCurrency || currency === '') ? sum + cents : sum
  }, 0)
}

/** The other party. A return keeps debtor and creditor of the original payment. */
function getCounterpart(part: Transaction, direction: Direction, isReturn: boolean, own: string | null): Party {
  const { debtor, creditor } = part
  if (own !== null && creditor.account === own && debtor.account !== own) return debtor
  if (own !== null && debtor.account === own && creditor.account !== own) return creditor
  const [likely, other] = (direction === 'in') !== isReturn ? [debtor, creditor] : [creditor, debtor]
  return likely.name === null && likely.account === null ? other : likely
}
