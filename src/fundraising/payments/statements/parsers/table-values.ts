import { problem } from './entry-problems.ts'
import type { Day, EntryProblem } from './parsed-entry.ts'
import { parseCents, toValidDay } from './values.ts'

/** The number and date format, detected from all cells of a table. */
export interface TableFormat {
  decimalSign: ',' | '.' | undefined
  /** The first part of 3/1/2026; with dots it is always the day. */
  dateOrder: 'day' | 'month' | undefined
}

/** The decimal sign that one cell shows; undefined if it is ambiguous. */
export function detectDecimalSign(cell: string): TableFormat['decimalSign'] {
  const [, sign] = /([.,])\d{1,2}\D{0,5}$/.exec(cell.slice(0, 60)) ?? []
  return sign as TableFormat['decimalSign']
}

export interface SignedCents {
  cents: number
  isNegative: boolean
}

const numberForm = /^(?:[A-Z]{3}|[€$£])?([+-]?)(?:[A-Z]{3}|[€$£])?(\d[\d.,']{0,30})([+-]?)(?:[A-Z]{3}|[€$£])?([SH]?)$/

/** `1.234,56`, `-1,234.56 EUR`, `12,00-`, `12,00 S`; undefined for an empty cell. */
export function parseAmount(cell: string, { decimalSign }: TableFormat): SignedCents | EntryProblem | undefined {
  const text = cell.slice(0, 60).replaceAll(/\s+/g, '').replaceAll(/[−–]/g, '-').toUpperCase()
  if (text === '') return undefined
  const [, before = '', digits, behind = '', letter] = numberForm.exec(text) ?? []
  if (digits === undefined) return problem.amount()
  const plain = normalizeNumber(digits, decimalSign)
  if (plain === undefined) return problem.amount()
  const cents = parseCents(plain)
  if (typeof cents !== 'number') return cents
  return { cents, isNegative: before === '-' || behind === '-' || letter === 'S' }
}

/** Converts to a decimal point without thousands separators. */
function normalizeNumber(digits: string, habit: TableFormat['decimalSign']): string | undefined {
  const last = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'))
  if (last === -1) return digits.replaceAll("'", '')
  const sign = digits[last] as ',' | '.'
  const isAlone = digits.indexOf(sign) === last
  const hasOther = digits.includes(sign === ',' ? '.' : ',')
  // Three digits after the sign are thousands, unless the table shows that this is its decimal sign.
  const isDecimal = isAlone && (hasOther || digits.length - last - 1 !== 3 || habit === sign)
  const whole = (isDecimal ? digits.slice(0, last) : digits).replaceAll("'", '')
  if (!/^\d{1,3}(?:[.,]\d{3})*$|^\d+$/.test(whole)) return undefined
  return whole.replaceAll(/[.,]/g, '') + (isDecimal ? `.${digits.slice(last + 1)}` : '')
}

const slashed = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)$/

/** The order of day and month that one cell shows. */
export function detectDateOrder(cell: string): TableFormat['dateOrder'] {
  const [, first, , second] = slashed.exec(stripTime(cell)) ?? []
  if (Number(first) > 12 && Number(second) <= 12) return 'day'
  return Number(second) > 12 && Number(first) <= 12 ? 'month' : undefined
}

/** Undefined if it is no date or is ambiguous. */
export function parseTableDay(cell: string, { dateOrder }: TableFormat): Day | undefined {
  const text = stripTime(cell)
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)$/.exec(text) ?? []
  if (isoYear !== undefined) return toValidDay(`${isoYear}-${isoMonth}-${isoDay}`)
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d)$/.exec(text) ?? []
  if (day !== undefined) return toDay(year, month, day)
  const [, one, mark, two, slashedYear] = slashed.exec(text) ?? []
  if (one === undefined) return undefined
  const order = detectDateOrder(text) ?? (mark === '-' || one === two ? 'day' : dateOrder)
  if (order === undefined) return undefined
  return order === 'day' ? toDay(slashedYear, two, one) : toDay(slashedYear, one, two)
}

function toDay(year = '', month = '', day = ''): Day | undefined {
  const full = year.length === 2 ? `20${year}` : year
  return toValidDay(`${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

/** Removes a trailing time of day. */
function stripTime(cell: string): string {
  return cell
    .slice(0, 40)
    .trim()
    .replace(/(?<![T ,])[T ,]+\d\d?:\d\d.*$/, '')
    .replaceAll(' ', '')
}
