import { getNumberMarks, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type AmountError, parseAmount } from '../../format/amount.ts'

/** Parses a typed amount into cents, or returns an error message. */
export function parseCents(typed: string, language: Language): number | string {
  const read = parseAmount(typed, getNumberMarks(language).decimalMark)
  return typeof read === 'number' ? read : describeAmountError(read, typed, language)
}

/** Longer than any sensible input. */
const listLengthMax = 400

/** Amounts in cents, ascending; or the one that is invalid; or an ambiguous comma. */
export type AmountListResult = { cents: number[] } | { error: string } | { ambiguous: string }

/**
 * Parses `20, 50, 100`, `12,50; 25` or `20 50`. A comma can separate amounts or decimals: a space after it, a semicolon
 * or several commas decide; otherwise the result is ambiguous and the user is asked.
 */
export function parseAmounts(typed: string, language: Language): AmountListResult {
  const text = typed.slice(0, listLengthMax).trim()
  const parts = splitAmounts(text, language)
  if (parts === undefined) return { ambiguous: text }
  const cents: number[] = []
  for (const part of parts) {
    const read = parseCents(part, language)
    if (typeof read === 'string') return { error: read }
    cents.push(read)
  }
  return { cents: [...new Set(cents)].sort((one, other) => one - other) }
}

function splitAmounts(text: string, language: Language): string[] | undefined {
  const filled = (parts: string[]) => parts.map(part => part.trim()).filter(part => part !== '')
  if (/[;\n]/.test(text)) return filled(text.split(/[;\n]/))
  if (/,\s/.test(text)) return filled(text.split(/,\s/))
  if (/\d\s+\d/.test(text)) return filled(text.split(/\s/))
  const commas = text.split(',').length - 1
  if (commas === 0) return filled([text])
  const isThousands = getNumberMarks(language).thousandsMark === ',' && /^\d{1,3}(?:,\d{3})+$/.test(text)
  return commas === 1 || isThousands ? undefined : filled(text.split(','))
}

/** Formats for an input field: 12.50 or 12,50, and 1250 without decimals. */
export function formatAmountInput(cents: number, language: Language): string {
  if (cents % 100 === 0) return String(cents / 100)
  const text = (cents / 100).toFixed(2)
  return text.replace('.', getNumberMarks(language).decimalMark)
}

/** Parses back to the same amounts: a single amount has a decimal point, as a comma could separate two. */
export function formatAmountListInput(amounts: number[], language: Language): string {
  const cents = amounts.map(toCents)
  const [first] = cents
  if (cents.length === 1 && first !== undefined) return formatAmountInput(first, 'en')
  const separator = getNumberMarks(language).decimalMark === ',' ? '; ' : ', '
  return cents.map(one => formatAmountInput(one, language)).join(separator)
}

/** Amounts of the API have at most two decimals. */
export function toCents(amount: number): number {
  return Math.round(amount * 100)
}

/** Formats an amount for the API. */
export function formatApiAmount(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

const quotedMax = 40

function describeAmountError(wrong: AmountError, given: string, language: Language): string {
  const strings = getMessages('donation', language).wrong
  const typed = given.trim().slice(0, quotedMax)
  switch (wrong.fault) {
    case 'ambiguous':
      return strings.amountAmbiguous({
        typed,
        large: formatAmountInput(wrong.largeCents, language),
        small: formatAmountInput(wrong.smallCents, language)
      })
    case 'decimals':
      return strings.amountDecimals({ typed })
    case 'large':
      return strings.amountLarge({ typed })
    case 'form':
      return typed === ''
        ? strings.amountMissing
        : strings.amountForm({ typed, example: formatAmountInput(1250, language) })
  }
}
