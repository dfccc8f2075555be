import { toCurrency as germanEuro } from 'n2words/de-DE'
import { toCurrency as englishEuro, toCardinal as englishNumber } from 'n2words/en-IE'
import type { Language } from '#platform/language.ts'

/** The amount in words, printed next to the digits. */
export function formatAmountInWords(cents: number, currency: string, language: Language): string {
  const decimal = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
  if (language === 'de') return germanEuro(decimal)
  if (currency === 'EUR') return englishEuro(decimal)
  const rest = cents % 100 === 0 ? '' : ` and ${String(cents % 100).padStart(2, '0')}/100`
  return `${englishNumber(Math.floor(cents / 100))}${rest} ${currency}`
}
