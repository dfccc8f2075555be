import type { Day, Entry, EntryProblem } from './entry.ts'
import { at, type Node, said } from './node.ts'
import { problem } from './problems.ts'
import {
  chargesIn,
  type Direction,
  directionIn,
  isReturnCode,
  type Money,
  moneyAt,
  type Party,
  type Transaction
} from './transaction.ts'
import { currencyOf, readDay, reference, short } from './values.ts'

/** What holds for all bookings of a statement. */
export interface Account {
  number: string | null
  currency: string
  timezone: string
  /** Reports during the day say of what they show whether it is booked; where they do not, it is not. */
  isIntraday: boolean
}

export type Payment = Omit<Entry, 'position'>

/** A booking (`Ntry`) as the payments that it is made of; one without details is one payment. */
export function paymentsOf(node: Node, transactions: Transaction[], account: Account): Payment[] {
  const booking = bookingIn(node, account)
  const parts = transactions.length === 0 ? [undefined] : transactions
  const references = referencesOf(booking.reference, parts)
  const shares = parts.map(part => shareOf(part, booking, parts.length === 1))
  const wrong = addsUp(shares, parts, booking) ? [] : [problem.sum()]
  return parts.map((part, place) => {
    const { cents, problems } = shares[place] ?? { cents: 0, problems: [] }
    const direction = part?.direction ?? booking.direction ?? 'in'
    const isReturn = booking.isReversal || booking.isReturn || part?.isReturn === true
    const charges = isReturn && direction === 'out' ? chargesOf(part, booking, cents, parts.length === 1) : 0
    const party = part === undefined ? undefined : counterpartOf(part, direction, isReturn, account.number)
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
      returnReason: part?.returnReason ?? null,
      isPending: booking.isPending,
      endToEndId: part?.endToEndId ?? null,
      mandateReference: part?.mandateReference ?? null,
      paymentInformationId: part?.paymentInformationId ?? booking.batch,
      text: part === undefined || (part.text === '' && parts.length === 1) ? booking.info : part.text,
      counterpartName: party?.name ?? null,
      counterpartIban: party?.iban ?? null,
      counterpartBic: party?.bic ?? null,
      problems: [...booking.problems, ...problems, ...wrong]
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
  batch: string | null
  info: string
  problems: EntryProblem[]
}

function bookingIn(node: Node, account: Account): Booking {
  const problems: EntryProblem[] = []
  const [money] = moneyAt(node, 'Amt')
  const cents = money?.cents ?? problem.amount()
  if (typeof cents !== 'number') problems.push(cents)
  const direction = directionIn(node)
  if (direction === undefined) problems.push(problem.direction())
  const status = said(node, 'Sts/Cd', 'Sts') ?? (account.isIntraday ? 'PDNG' : 'BOOK')
  return {
    cents: typeof cents === 'number' ? cents : 0,
    currency: currencyOf(money?.currency, account.currency),
    charges: chargesIn(node),
    direction,
    isReversal: /^(?:true|1)$/.test(said(node, 'RvslInd') ?? ''),
    isReturn: isReturnCode(at(node, 'BkTxCd')),
    isPending: status !== 'BOOK',
    bookedOn: dayAt(node, 'BookgDt', account, problems),
    valueOn: dayAt(node, 'ValDt', account, problems),
    reference: reference(said(node, 'AcctSvcrRef')),
    batch: reference(said(node, 'NtryDtls/Btch/PmtInfId')),
    info: short(said(node, 'AddtlNtryInf') ?? '', 500),
    problems
  }
}

function dayAt(node: Node, name: string, { timezone }: Account, problems: EntryProblem[]): Day | null {
  const text = said(node, `${name}/Dt`, `${name}/DtTm`)
  if (text === null) return null
  const day = readDay(text, timezone)
  if (day === undefined) problems.push(problem.day())
  return day ?? null
}

/** Some banks repeat the reference of the booking in each of its payments; then the place within it makes the difference. */
function referencesOf(booking: string | null, parts: (Transaction | undefined)[]): (string | null)[] {
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
function shareOf(part: Transaction | undefined, booking: Booking, isOnly: boolean): Share {
  if (part === undefined || isOnly) return { cents: booking.cents, problems: [] }
  const money = part.amounts.find(({ currency }) => currency === booking.currency || currency === '')
  if (money === undefined)
    return { cents: 0, problems: [part.amounts.length === 0 ? problem.amount() : problem.currency()] }
  return typeof money.cents === 'number' ? { cents: money.cents, problems: [] } : { cents: 0, problems: [money.cents] }
}

/** With or without charges: some banks book them together with the payments, some beside them. */
function addsUp(shares: Share[], parts: (Transaction | undefined)[], booking: Booking): boolean {
  const [first] = parts
  if (first === undefined || shares.some(({ problems }) => problems.length > 0)) return true
  const signed = parts.reduce((sum, part, place) => {
    const isOpposite = part?.direction !== undefined && part.direction !== booking.direction
    const cents = parts.length === 1 ? ownCents(first, booking) : (shares[place]?.cents ?? 0)
    return sum + (isOpposite ? -cents : cents)
  }, 0)
  const charges = sumOf([...booking.charges, ...parts.flatMap(part => part?.charges ?? [])], booking.currency)
  const returned = parts.length === 1 ? chargesOf(first, booking, booking.cents, true) : 0
  return [0, charges, -charges, returned].some(difference => Math.abs(signed + difference) === booking.cents)
}

/** What the details of the only payment say, where they say it in the currency of the account. */
function ownCents(part: Transaction, booking: Booking): number {
  const [money] = part.amounts.filter(one => one !== part.ordered)
  const isComparable = money?.currency === booking.currency && typeof money.cents === 'number'
  return isComparable ? (money.cents as number) : booking.cents
}

/** What was taken for a return: what the bank says, or what was booked beyond what had been ordered. */
function chargesOf(part: Transaction | undefined, booking: Booking, cents: number, isOnly: boolean): number {
  const told = sumOf([...(part?.charges ?? []), ...(isOnly ? booking.charges : [])], booking.currency)
  const ordered = part?.ordered
  if (ordered?.currency === booking.currency && typeof ordered.cents === 'number') {
    // Where the payment is as large as ordered, charges are booked elsewhere.
    return Math.max(0, cents - ordered.cents)
  }
  return told < cents ? told : 0
}

function sumOf(charges: Money[], accountCurrency: string): number {
  return charges.reduce((sum, { cents, currency }) => {
    return typeof cents === 'number' && (currency === accountCurrency || currency === '') ? sum + cents : sum
  }, 0)
}

/** The other one. Who is who stays as it was in the original payment when that comes back. */
function counterpartOf(part: Transaction, direction: Direction, isReturn: boolean, own: string | null): Party {
  const { debtor, creditor } = part
  if (own !== null && creditor.account === own && debtor.account !== own) return debtor
  if (own !== null && debtor.account === own && creditor.account !== own) return creditor
  const [likely, other] = (direction === 'in') !== isReturn ? [debtor, creditor] : [creditor, debtor]
  return likely.name === null && likely.account === null ? other : likely
}
