/** Why a typed amount is invalid. `ambiguous` comes with both possible values. */
export type AmountError =
  | { fault: 'form' | 'decimals' | 'large' }
  | { fault: 'ambiguous'; largeCents: number; smallCents: number }

/** Limit of our APIs. */
const wholeDigitsMax = 9
/** Longer input is not an amount. */
const typedMax = 40

/**
 * Parses a typed amount into cents: `12,50`, `12.50`, `1.250,00`, `1,250.00`, `1 250`, `50 €`, `50,-`.
 * A single separator with three digits behind it separates thousands in one language and decimals in the other: it is
 * accepted if the decimal mark of the language is another one, and ambiguous otherwise. Also runs in the browser.
 */
export function parseAmount(typed: string, decimalMark: string): number | AmountError {
  const text = typed
    .slice(0, typedMax)
    .replace(/[€$£]|EUR|CHF/gi, ' ')
    .trim()
    .replace(/[.,][-–—]{1,2}$/, '')
    // Spaces only separate thousands.
    .replace(/\s(?=\d{3}(?!\d))/g, '')
  const simple = /^(\d+)(?:([.,])(\d+))?$/.exec(text)
  const grouped = /^([1-9]\d{0,2}([.,])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/.exec(text)
  const [, head = '', mark, tail = ''] = simple ?? []
  if (simple === null)
    return grouped === null ? { fault: 'form' } : toAmountCents(stripNonDigits(grouped[1]), grouped[3])
  if (grouped === null) return toAmountCents(head, tail)
  if (mark !== decimalMark) return toAmountCents(head + tail)
  const smallCents = Number(head + tail.slice(0, 2))
  return { fault: 'ambiguous', largeCents: Number(head + tail) * 100, smallCents }
}

const stripNonDigits = (text = '') => text.replace(/\D/g, '')

function toAmountCents(whole: string, decimals = ''): number | AmountError {
  if (decimals.length > 2) return { fault: 'decimals' }
  if (whole.replace(/^0+/, '').length > wholeDigitsMax) return { fault: 'large' }
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}
