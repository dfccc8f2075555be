import type { Language } from '#platform/language.ts'

/** Why a typed amount is none. `ambiguous` comes with both things that it may mean. */
export type AmountError =
  | { fault: 'form' | 'decimals' | 'large' }
  | { fault: 'ambiguous'; largeCents: number; smallCents: number }

/** More than that, no API of ours takes. */
const wholeDigitsMax = 9
/** What is longer is no amount, whatever it is. */
const typedMax = 40

const thousandsMark: Record<Language, string> = { en: ',', de: '.' }

/**
 * Reads an amount as people type it, into cents: `12,50`, `12.50`, `1.250,00`, `1,250.00`, `1 250`, `50 €`, `50,-`.
 * A single mark with three digits behind it separates thousands in one language and would be a decimal in the
 * other: it is taken in the language where it is usual, and asked about in the other. Browsers use this file too.
 */
export function parseAmount(typed: string, language: Language): number | AmountError {
  const text = typed
    .slice(0, typedMax)
    .replace(/[€$£]|EUR|CHF/gi, ' ')
    .trim()
    .replace(/[.,][-–—]{1,2}$/, '')
    // Blanks only ever separate thousands.
    .replace(/\s(?=\d{3}(?!\d))/g, '')
  const simple = /^(\d+)(?:([.,])(\d+))?$/.exec(text)
  const grouped = /^([1-9]\d{0,2}([.,])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/.exec(text)
  const [, head = '', mark, tail = ''] = simple ?? []
  if (simple === null)
    return grouped === null ? { fault: 'form' } : toAmountCents(stripNonDigits(grouped[1]), grouped[3])
  if (grouped === null) return toAmountCents(head, tail)
  if (mark === thousandsMark[language]) return toAmountCents(head + tail)
  const smallCents = Number(head + tail.slice(0, 2))
  return { fault: 'ambiguous', largeCents: Number(head + tail) * 100, smallCents }
}

const stripNonDigits = (text = '') => text.replace(/\D/g, '')

function toAmountCents(whole: string, decimals = ''): number | AmountError {
  if (decimals.length > 2) return { fault: 'decimals' }
  if (whole.replace(/^0+/, '').length > wholeDigitsMax) return { fault: 'large' }
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}
