import type { Language } from '#platform/language.ts'
import type { InputProps } from '../../../components/field.tsx'
import { formatAmountInput, formatApiAmount, parseCents, toCents } from '../parse-amount.ts'

/** How a kind of field is shown and converted. What it leaves out is done as for plain text. */
interface Kind {
  attributes?: InputProps
  /** Which limits of the API's schema apply to the input element. */
  limits?: 'length' | 'range'
  /** Normalizes what the browser sends. */
  parse?(sent: string): string
  /** Formats a value of the API for the input element. */
  format?(value: unknown, language: Language): string
  /** Converts a text that is not empty to a value for the API. */
  convert?(text: string, language: Language): { value: unknown } | { error: string }
}

/** Browsers send line breaks as CRLF. */
const lines: Kind = { limits: 'length', parse: sent => sent.replaceAll('\r\n', '\n') }

const kinds = {
  text: { limits: 'length' },
  url: { limits: 'length', attributes: { type: 'url' } },
  email: { limits: 'length', attributes: { type: 'email' } },
  tel: { limits: 'length', attributes: { type: 'tel' } },
  /** A textarea. */
  lines,
  /** A textarea for HTML of simple paragraphs, which are edited as plain text. */
  paragraphs: {
    ...lines,
    format: html => toPlainLines(String(html ?? '')),
    convert: text => ({ value: toHtml(text) })
  },
  /** HTML with a rich-text editor if scripts run; otherwise a textarea with the HTML. */
  html: lines,
  slug: { limits: 'length', format: slug => decodeSlug(String(slug ?? '')) },
  /** A code in upper case, such as that of a country. */
  code: { limits: 'length', parse: sent => sent.toUpperCase() },
  /** `yes`, or empty. */
  checkbox: {
    parse: sent => (sent === '' ? '' : 'yes'),
    format: value => (value === true ? 'yes' : ''),
    convert: () => ({ value: true })
  },
  select: {},
  date: { attributes: { type: 'date' } },
  time: { attributes: { type: 'time' }, parse: sent => sent.slice(0, 5) },
  datetime: { attributes: { type: 'datetime-local' } },
  number: { limits: 'range', attributes: { type: 'number' }, convert: text => ({ value: Number(text) }) },
  /** German writes decimals with a comma. */
  decimal: {
    limits: 'length',
    attributes: { inputMode: 'decimal' },
    convert: text => ({ value: text.replace(',', '.') })
  },
  amount: {
    attributes: { inputMode: 'decimal', autocomplete: 'off', maxLength: 40 },
    format: (amount, language) => (typeof amount === 'number' ? formatAmountInput(toCents(amount), language) : ''),
    convert: (text, language) => {
      const cents = parseCents(text, language)
      return typeof cents === 'string' ? { error: cents } : { value: formatApiAmount(cents) }
    }
  },
  /** The id of an uploaded image; the page shows it with `ImageField`. */
  image: {
    parse: sent => (/^\d{1,15}$/.test(sent) ? sent : ''),
    format: image => (typeof image === 'object' && image !== null && 'id' in image ? String(image.id) : ''),
    convert: text => ({ value: Number(text) })
  },
  /** A file, which the page reads itself. */
  file: {},
  /** Radio buttons, which the page shows itself. */
  choice: {}
} satisfies Record<string, Kind>

export type FieldKind = keyof typeof kinds

export function getKind(name: FieldKind = 'text'): Kind {
  return kinds[name]
}

/** Converts HTML of only paragraphs to plain lines; other HTML stays as it is. */
export function toPlainLines(html: string): string {
  const paragraphs = html.includes('<') ? html.split(/<\/p>\s*/) : [`<p>${html}`, '']
  if (paragraphs.pop() !== '' || !paragraphs.every(one => /^<p>[^<]*$/.test(one))) return html
  const text = paragraphs.map(one => decodeEntities(one.slice('<p>'.length))).join('\n\n')
  return text.includes('<') ? html : text
}

/** Converts lines to HTML: text without tags is escaped. */
export function toHtml(text: string): string {
  return text.includes('<') ? text : text.replaceAll('&', '&amp;')
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#039;': "'",
  '&nbsp;': '\u00a0'
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#039|nbsp);/g, entity => entities[entity] ?? entity)
}

/** Decodes percent-encoding, so that slugs with non-ASCII letters are readable. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}
