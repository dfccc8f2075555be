import { normalizeIban } from '../../../money/iban.ts'
import { problem } from './entry-problems.ts'
import type { Day, EntryProblem } from './parsed-entry.ts'

/** The largest amount accepted anywhere. */
const centsMax = 99_999_999_999

/** Cents of a decimal such as `25`, `25.5` or `25.500`, or a problem. Uses the digits, so that 0.29 is exactly 29. */
export function parseCents(text: string): number | EntryProblem {
  const [, whole = '', decimals = ''] = /^\+?(\d{1,18})(?:\.(\d{0,18}))?$/.exec(text.trim()) ?? []
  if (whole === '') return problem.amount()
  const cents = decimals.slice(0, 2).padEnd(2, '0')
  if (/[1-9]/.test(decimals.slice(2))) return problem.decimals()
  const value = Number(whole) * 100 + Number(cents)
  return value > centsMax ? problem.large() : value
}

/** The day of an XML date or timestamp; undefined if it is invalid. A UTC timestamp is converted to the time zone. */
export function parseDay(text: string, timezone: string): Day | undefined {
  const [, day = '', moment] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d.{0,20})|[Z+-].{0,6})?$/.exec(text) ?? []
  if (moment?.endsWith('Z') === true) {
    const instant = new Date(text)
    return Number.isNaN(instant.getTime()) ? undefined : toValidDay(toDayInZone(timezone, instant))
  }
  return toValidDay(day)
}

/** The day if it exists and is plausible for a booking. */
export function toValidDay(day: string): Day | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const days = month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0
  return year >= 1980 && year <= 2100 && date >= 1 && date <= days ? day : undefined
}

const formats = new Map<string, Intl.DateTimeFormat>()

function toDayInZone(timezone: string, instant: Date): string {
  let format = formats.get(timezone)
  if (format === undefined) {
    // The Swedish locale formats dates as YYYY-MM-DD.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })
    formats.set(timezone, format)
  }
  return format.format(instant)
}

/** Banks fill an empty reference with placeholder words. */
export function cleanReference(text: string | null): string | null {
  if (text === null || /^(?:not ?provided|notavailable|nonref|none|n\/a|[-0.]+)$/i.test(text)) return null
  return truncate(text, 100)
}

export function toIban(text: string | null): string | null {
  return text === null ? null : (normalizeIban(text.slice(0, 60)) ?? null)
}

export function toBic(text: string | null): string | null {
  const found = text?.toUpperCase() ?? ''
  return /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(found) ? found : null
}

export function truncate(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text.toWellFormed() : text.slice(0, lengthMax).trimEnd().toWellFormed()
}

/** Three upper-case letters, or the fallback. */
export function parseCurrency(text: string | null | undefined, fallback: string): string {
  const found = text?.trim().toUpperCase() ?? ''
  return /^[A-Z]{3}$/.test(found) ? found : found === '€' ? 'EUR' : fallback
}

/** The IBAN for a German bank code and account number, which MT940 still uses; null if they are invalid. */
export function buildGermanIban(bankCode: string, account: string): string | null {
  if (!/^[1-9]\d{7}$/.test(bankCode) || !/^\d{1,10}$/.test(account)) return null
  const number = `${bankCode}${account.padStart(10, '0')}`
  // "DE00" is 131400 in the digits of the IBAN checksum.
  const check = 98n - (BigInt(`${number}131400`) % 97n)
  return `DE${String(check).padStart(2, '0')}${number}`
}

/** SEPA codes for the reason of a return. */
export const returnCodePattern =
  /\b(?:AC0[1346]|AC13|AG0[12]|AM0[45]|BE0[15]|CNOR|DNOR|FF0[15]|FOCR|MD0[1267]|MS0[23]|RC01|RR0[1-4]|SL01|TM01)\b/
