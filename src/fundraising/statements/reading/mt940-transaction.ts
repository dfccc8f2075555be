import { createPayment, type Day, type EntryProblem, type Payment } from './entry.ts'
import { readDetails } from './mt940-details.ts'
import { atLine, problem } from './problems.ts'
import { isReturnNumber, textLengthMax } from './transaction.ts'
import { readCents, realDay, reference, short } from './values.ts'

/** What a statement says of one transaction: the field 61, and the field 86 behind it. */
export interface StatementLines {
  booking: string[]
  details: string[]
  /** Where it begins in the file. */
  line: number
  account: string | null
  currency: string
  /** It is not booked yet. */
  isInterim: boolean
}

/**
 * Value date, booking date without a year, the direction with an R for what is reversed and an E for what is expected, the last letter
 * of the currency, the amount, the kind, our reference, and the bank's.
 */
const bookingForm =
  /^(\d{6})(\d{4})?([RE]?)([CD])([A-Z])?(\d{1,15}(?:[,.]\d{0,15})?)([NFS][A-Z0-9]{3})(.{0,80}?)(?:\/\/(.{0,80}))?$/

/** A transaction that cannot be read is an entry that says so, with the line of the file. */
export function readTransaction({ booking, details, line, account, currency, isInterim }: StatementLines): Payment {
  const [first = '', ...supplement] = booking
  const [, value = '', booked, mark = '', way, , amount = '', kind = '', ours = '', bank = ''] =
    bookingForm.exec(first.trim()) ?? []
  const told = readDetails(details)
  if (way === undefined) {
    const text = short(told.text, textLengthMax)
    return { ...createPayment(currency), account, text, problems: [atLine(line, problem.transaction())] }
  }
  const problems: EntryProblem[] = []
  const cents = readCents(amount.replace(',', '.'))
  if (typeof cents !== 'number') problems.push(cents)
  const valueOn = valueDay(value)
  const bookedOn = booked === undefined ? valueOn : bookingDay(booked, value)
  if (bookedOn === undefined) problems.push(problem.day())
  const isReversed = mark === 'R'
  const direction = (way === 'C') === isReversed ? 'out' : 'in'
  const isReturn = isReversed || kind.endsWith('RTI') || isReturnNumber(told.number)
  const all = typeof cents === 'number' ? cents : 0
  const charges = isReturn && direction === 'out' ? chargesIn(all, supplement.join(''), told) : 0
  return {
    ...createPayment(currency),
    account,
    bankReference: bankReference(bookedOn, bank),
    bookedOn: bookedOn ?? null,
    valueOn: valueOn ?? null,
    amountCents: all - charges,
    chargesCents: charges,
    direction,
    isReturn,
    returnReason: isReturn ? told.returnReason : null,
    isPending: isInterim || mark === 'E',
    endToEndId: told.endToEndId,
    mandateReference: told.mandateReference,
    paymentInformationId: told.customerReference ?? ownReference(ours),
    text: short(told.text, textLengthMax),
    counterpartName: told.name === null ? null : short(told.name, 140),
    counterpartIban: told.iban,
    counterpartBic: told.bic,
    problems: problems.map(one => atLine(line, one))
  }
}

/** Short ones begin anew every day, and some banks use them for one day only: the day makes them the bank's name for a payment. */
function bankReference(day: Day | undefined, text: string): string | null {
  const found = reference(text.trim() || null)
  return found === null || found.length < 8 || day === undefined ? null : `${day} ${found}`
}

/** `KREF+` and `EREF` say that it stands in the details. */
function ownReference(text: string): string | null {
  return /^[EK]REF\+?$/i.test(text.trim()) ? null : reference(text.trim() || null)
}

/** Two digits for the year. Banks that count 30 days in every month write the 29th or 30th of February. */
function valueDay(text: string): Day | undefined {
  const [year, month, day] = [yearOf(text), text.slice(2, 4), text.slice(4, 6)]
  const last = month === '02' && Number(day) <= 30 ? Math.min(Number(day), daysInFebruary(year)) : Number(day)
  return realDay(`${year}-${month}-${String(last).padStart(2, '0')}`)
}

const daysInFebruary = (year: number) => new Date(Date.UTC(year, 2, 0)).getUTCDate()

const yearOf = (text: string) => {
  const short = Number(text.slice(0, 2))
  return short >= 80 ? 1900 + short : 2000 + short
}

/** The day of a booking has no year: it is the one that is nearest to the value date, which may be of the year before or after. */
function bookingDay(text: string, value: string): Day | undefined {
  const valued = valueDay(value)
  const year = yearOf(value)
  const days = [year, year - 1, year + 1].flatMap(one => {
    return realDay(`${one}-${text.slice(0, 2)}-${text.slice(2, 4)}`) ?? []
  })
  if (valued === undefined) return undefined
  const distance = (day: Day) => Math.abs(Date.parse(day) - Date.parse(valued))
  return days.toSorted((one, other) => distance(one) - distance(other))[0]
}

/** `/OCMT/EUR25,00/CHGS/EUR3,00/`: what had been collected, and what was taken for returning it. */
function chargesIn(
  cents: number,
  supplement: string,
  told: { originalAmount: string | null; charges: string | null }
): number {
  const original = /OCMT\/?[A-Z]{3}([\d,]{1,20})/.exec(supplement)?.[1] ?? told.originalAmount
  const collected = readCents((original ?? '').replace(/^[A-Z]{3}/, '').replace(',', '.'))
  if (typeof collected === 'number' && collected > 0) return Math.max(0, cents - collected)
  const taken = /CHGS\/?[A-Z]{3}([\d,]{1,20})/.exec(supplement)?.[1] ?? told.charges
  const charges = readCents((taken ?? '').replace(/^[A-Z]{3}/, '').replace(',', '.'))
  return typeof charges === 'number' && charges < cents ? charges : 0
}
