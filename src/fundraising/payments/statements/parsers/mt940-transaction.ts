import { isReturnNumber, textLengthMax } from './camt-transaction.ts'
import { addLine, problem } from './entry-problems.ts'
import { parseDetails } from './mt940-details.ts'
import { createParsedPayment, type Day, type EntryProblem, type ParsedPayment } from './parsed-entry.ts'
import { cleanReference, parseCents, toValidDay, truncate } from './values.ts'

/** The lines of one transaction: field 61, and the following field 86. */
export interface StatementLines {
  booking: string[]
  details: string[]
  /** The line where it begins in the file. */
  line: number
  account: string | null
  currency: string
  /** Not booked yet. */
  isInterim: boolean
}

/**
 * Value date, booking date without a year, direction (R for reversals, E for expected), last letter of the currency,
 * amount, type, our reference, and the bank's reference.
 */
const bookingForm =
  /^(\d{6})(\d{4})?([RE]?)([CD])([A-Z])?(\d{1,15}(?:[,.]\d{0,15})?)([NFS][A-Z0-9]{3})(.{0,80}?)(?:\/\/(.{0,80}))?$/

/** An unreadable transaction becomes an entry with a problem that names the line. */
export function parseMt940Transaction({
  booking,
  details,
  line,
  account,
  currency,
  isInterim
}: StatementLines): ParsedPayment {
  const [first = '', ...supplement] = booking
  const [, value = '', booked, mark = '', way, , amount = '', kind = '', ours = '', bank = ''] =
    bookingForm.exec(first.trim()) ?? []
  const parsed = parseDetails(details)
  if (way === undefined) {
    const text = truncate(parsed.text, textLengthMax)
    return { ...createParsedPayment(currency), account, text, problems: [addLine(line, problem.transaction())] }
  }
  const problems: EntryProblem[] = []
  const cents = parseCents(amount.replace(',', '.'))
  if (typeof cents !== 'number') problems.push(cents)
  const valueOn = parseValueDay(value)
  const bookedOn = booked === undefined ? valueOn : parseBookingDay(booked, value)
  if (bookedOn === undefined) problems.push(problem.day())
  const isReversed = mark === 'R'
  const direction = (way === 'C') === isReversed ? 'out' : 'in'
  const isReturn = isReversed || kind.endsWith('RTI') || isReturnNumber(parsed.number)
  const all = typeof cents === 'number' ? cents : 0
  const charges = isReturn && direction === 'out' ? parseCharges(all, supplement.join(''), parsed) : 0
  return {
    ...createParsedPayment(currency),
    account,
    bankReference: toBankReference(bookedOn, bank),
    bookedOn: bookedOn ?? null,
    valueOn: valueOn ?? null,
    amountCents: all - charges,
    chargesCents: charges,
    direction,
    isReturn,
    returnReason: isReturn ? parsed.returnReason : null,
    isPending: isInterim || mark === 'E',
    endToEndId: parsed.endToEndId,
    mandateReference: parsed.mandateReference,
    paymentInformationId: parsed.customerReference ?? toOwnReference(ours),
    text: truncate(parsed.text, textLengthMax),
    counterpartName: parsed.name === null ? null : truncate(parsed.name, 140),
    counterpartIban: parsed.iban,
    counterpartBic: parsed.bic,
    problems: problems.map(one => addLine(line, one))
  }
}

/** Drops short references, which restart daily; adds the day, because some banks use a reference for one day only. */
function toBankReference(day: Day | undefined, text: string): string | null {
  const found = cleanReference(text.trim() || null)
  return found === null || found.length < 8 || day === undefined ? null : `${day} ${found}`
}

/** `KREF+` and `EREF` mean that the reference is in the details. */
function toOwnReference(text: string): string | null {
  return /^[EK]REF\+?$/i.test(text.trim()) ? null : cleanReference(text.trim() || null)
}

/** The year has two digits. Banks that count 30 days per month write the 29th or 30th of February. */
function parseValueDay(text: string): Day | undefined {
  const [year, month, day] = [parseYear(text), text.slice(2, 4), text.slice(4, 6)]
  const last = month === '02' && Number(day) <= 30 ? Math.min(Number(day), daysInFebruary(year)) : Number(day)
  return toValidDay(`${year}-${month}-${String(last).padStart(2, '0')}`)
}

const daysInFebruary = (year: number) => new Date(Date.UTC(year, 2, 0)).getUTCDate()

const parseYear = (text: string) => {
  const short = Number(text.slice(0, 2))
  return short >= 80 ? 1900 + short : 2000 + short
}

/** The booking day has no year: we take the year nearest to the value date, which can be the one before or after. */
function parseBookingDay(text: string, value: string): Day | undefined {
  const valued = parseValueDay(value)
  const year = parseYear(value)
  const days = [year, year - 1, year + 1].flatMap(one => {
    return toValidDay(`${one}-${text.slice(0, 2)}-${text.slice(2, 4)}`) ?? []
  })
  if (valued === undefined) return undefined
  const distance = (day: Day) => Math.abs(Date.parse(day) - Date.parse(valued))
  return days.toSorted((one, other) => distance(one) - distance(other))[0]
}

/** `/OCMT/EUR25,00/CHGS/EUR3,00/`: the original amount, and the charges for the return. */
function parseCharges(
  cents: number,
  supplement: string,
  parsed: { originalAmount: string | null; charges: string | null }
): number {
  const original = /OCMT\/?[A-Z]{3}([\d,]{1,20})/.exec(supplement)?.[1] ?? parsed.originalAmount
  const collected = parseCents((original ?? '').replace(/^[A-Z]{3}/, '').replace(',', '.'))
  if (typeof collected === 'number' && collected > 0) return Math.max(0, cents - collected)
  const taken = /CHGS\/?[A-Z]{3}([\d,]{1,20})/.exec(supplement)?.[1] ?? parsed.charges
  const charges = parseCents((taken ?? '').replace(/^[A-Z]{3}/, '').replace(',', '.'))
  return typeof charges === 'number' && charges < cents ? charges : 0
}
