import { toSingleLineText } from '#platform/rich-text/html.ts'
import { toSlug } from '#platform/rich-text/slug.ts'

const valuesMax = 20
const lengthMax = 200

/** The cost of an event, as stored. */
export interface Cost {
  /** Prices in ascending order, in the digits that were sent: `10,50` is shown as such and means 10.50. */
  values: string[]
  symbol: string
  position: 'prefix' | 'postfix' | ''
  /** Text shown instead of the prices: `Donation`, `$20 at the door`. */
  words: string
}

/** Returns null for no cost and undefined for an invalid one. */
export function parseCost(given: unknown): Cost | null | undefined {
  if (given === undefined || given === null) return null
  const list = Array.isArray(given) ? given : [given]
  if (list.length > valuesMax) return undefined
  const texts: string[] = []
  for (const item of list) {
    const text = toItemText(item)
    if (text === undefined || negativePattern.test(text)) return undefined
    if (text !== '') texts.push(text)
  }
  if (texts.length === 0) return null
  const cost = texts.length === 1 ? parseCostText(texts[0] ?? '') : parseCostList(texts)
  return cost.values.length > valuesMax ? undefined : cost
}

/** Formats the cost for visitors; a price without a currency symbol gets the site's. */
export function formatCost(cost: Cost | null, site: { symbol: string; position: 'prefix' | 'postfix' }): string {
  if (cost === null) return ''
  if (cost.words !== '') return cost.words
  const { symbol, position } = cost.symbol === '' ? site : cost
  const [first = '', last = first] = [cost.values.at(0), cost.values.at(-1)]
  const shown = (first === last ? [first] : [first, last]).map(value => {
    if (Number(parseAmount(value)) === 0) return 'Free'
    return /^[\d.,]/.test(value) && /\d$/.test(value) ? withSymbol(value, { symbol, position }) : value
  })
  return shown.join(' – ')
}

/** The cost in machine-readable form: plain numbers, or the text as a slug. */
export function toCostDetails(cost: Cost | null): {
  currency_symbol: string
  currency_code: string
  currency_position: 'prefix' | 'postfix' | ''
  values: string[]
} {
  const numbers = (cost?.values ?? []).map(value => parseAmount(value) ?? value)
  const words = numbers.length === 0 && cost !== null ? toSlug(cost.words, 'en') : ''
  return {
    currency_symbol: cost?.symbol ?? '',
    currency_code: '',
    currency_position: cost?.position ?? '',
    values: words === '' ? numbers : [words]
  }
}

function toItemText(item: unknown): string | undefined {
  if (typeof item === 'string') return item.length > lengthMax ? undefined : toSingleLineText(item)
  if (typeof item !== 'number' || !Number.isFinite(item) || item < 0) return undefined
  const digits = String(item)
  if (digits.includes('e')) return undefined
  // A number has no thousands separator: 1.125 must not be read as a German 1125.
  return /\.\d{3}$/.test(digits) ? `${digits}0` : digits
}

interface Price {
  digits: string
  amount: number
  symbol: string
  position: Cost['position']
  isWord: boolean
}

function parseCostText(text: string): Cost {
  const prices = parseOnlyPrices(text)
  if (prices === undefined || prices.every(price => price.isWord)) return toTextCost(text)
  const cost = toPriceCost(prices)
  if (cost === undefined) return toTextCost(text)
  if (cost.values.length === 1) return cost
  // As in The Events Calendar, a range in one string has no currency symbol; the single prices keep theirs, so that no
  // euro is ever shown as a dollar.
  const values = cost.values.map(value => withSymbol(value, cost))
  return { values, symbol: '', position: '', words: '' }
}

function parseCostList(texts: string[]): Cost {
  const prices: Price[] = []
  for (const text of texts) {
    const read = parseOnlyPrices(text)
    if (read === undefined) return toTextCost(texts.join(', '))
    prices.push(...read)
  }
  if (prices.every(price => price.isWord)) return toTextCost(texts[0] ?? '')
  return toPriceCost(prices) ?? toTextCost(texts.join(', '))
}

/** Keeps the text as it is. A number in it is a price if it has a currency symbol or is the only number. */
function toTextCost(words: string): Cost {
  const numbers = extractPrices(words).filter(price => !price.isWord && !Number.isNaN(price.amount))
  const marked = numbers.filter(price => price.symbol !== '')
  const prices = marked.length > 0 ? marked : numbers.length === 1 ? numbers : []
  const { symbol, position } = toPriceCost(prices) ?? { symbol: '', position: '' }
  return { values: sortByAmount(prices), symbol, position, words }
}

/** Returns undefined for prices in different currencies: they cannot be sorted. */
function toPriceCost(prices: Price[]): Cost | undefined {
  const marked = prices.filter(price => price.symbol !== '')
  if (new Set(marked.map(price => price.symbol)).size > 1) return undefined
  return {
    values: sortByAmount(prices),
    symbol: marked[0]?.symbol ?? '',
    position: marked[0]?.position ?? '',
    words: ''
  }
}

function sortByAmount(prices: Price[]): string[] {
  const byAmount = new Map(prices.map(price => [price.amount, price.digits]))
  return [...byAmount].sort(([one], [other]) => one - other).map(([, digits]) => digits)
}

/** Parses a text that consists only of prices and separators. */
function parseOnlyPrices(text: string): Price[] | undefined {
  // `10,20,30` is a list, `1,000,000` is a number.
  const spaced = text.replace(/(?<!\d)\d+(?:,\d+){2,}/g, list =>
    parseAmount(list) === undefined && !/(?:^|,)0\d/.test(list) ? list.replaceAll(',', ', ') : list
  )
  let end = 0
  for (const found of spaced.matchAll(pricePattern)) {
    const between = spaced.slice(end, found.index)
    if (end === 0 ? between !== '' : !separatorPattern.test(between)) return undefined
    end = found.index + found[0].length
  }
  if (end === 0 || end < spaced.length) return undefined
  const prices = extractPrices(spaced)
  return prices.some(price => Number.isNaN(price.amount)) ? undefined : prices
}

function extractPrices(text: string): Price[] {
  return [...text.matchAll(pricePattern)].map(([, before, digits = '0', after, word]) => ({
    digits,
    amount: Number(parseAmount(digits) ?? Number.NaN),
    symbol: before ?? after ?? '',
    position: before !== undefined ? 'prefix' : after !== undefined ? 'postfix' : '',
    isWord: word !== undefined
  }))
}

/** The amount of a price as a decimal number. Three digits after a single separator are thousands. */
function parseAmount(value: string): string | undefined {
  const digits = firstNumberPattern.exec(value)?.[0].replace(/[ \u00a0\u202f'’]/g, '') ?? ''
  let plain: string | undefined
  if (/^\d+$/.test(digits)) plain = digits
  else if (/^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/.test(digits)) plain = digits.replace(/[.,]/g, '')
  else if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(digits)) plain = digits.replaceAll(',', '')
  else if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(digits)) plain = digits.replaceAll('.', '').replace(',', '.')
  else if (/^\d*[.,]\d+$/.test(digits)) plain = `0${digits.replace(',', '.')}`
  return plain?.replace(/^0+(?=\d)/, '')
}

function withSymbol(value: string, { symbol, position }: { symbol: string; position: string }): string {
  return position === 'postfix' ? value + symbol : symbol + value
}

const currencyCodes = Intl.supportedValuesOf('currency').join('|')
const currencyLetters = `(?:${currencyCodes}|kr|zł|Kč|Ft|lei|RM)(?!\\p{L})|(?:S?Fr|Rs)(?!\\p{L})\\.?`
const symbolPattern = `(?:[A-Z]{0,3}\\p{Sc}|(?<!\\p{L})(?:${currencyLetters}))`
/** The first number of a price. PostgreSQL reads it the same way. */
export const amountPattern = `(?:\\d+(?:[ \\u00a0\\u202f'’]\\d{3}(?!\\d)|[.,]\\d+)*|[.,]\\d+)`
const firstNumberPattern = new RegExp(amountPattern)
/** Swiss and German notation for "no cents": `20.–`. */
const noCentsPattern = `(?:[.,][-–—]{1,2}(?!\\d))?`
/** `20`, `€ 20`, `20 EUR`, `free`; but not the 19 of 19:30, the 50 of 50 % or the 2 of 2nd. */
const pricePattern = new RegExp(
  [
    `(?<![\\p{L}\\d:]|\\d[.,])(?:(${symbolPattern})\\s*)?(${amountPattern})${noCentsPattern}(?:\\s*(${symbolPattern}))?`,
    `(?![\\p{L}\\d:+]|[.,]\\d|\\s*%)`,
    `|(?<!\\p{L})([Ff]ree|FREE|[Ff]rei|[Gg]ratis|[Kk]ostenlos)(?!\\p{L})`
  ].join(''),
  'gu'
)
const separatorPattern = /^\s*(?:[-–—−,;/|&]|to|bis|or|oder|and|und)\s*$/i
const negativePattern = new RegExp(
  `(?:^|[,;/|]|[-–—]\\s)\\s*(?:${symbolPattern}\\s*)?[-−–]\\s*(?:${symbolPattern}\\s*)?${amountPattern}`,
  'u'
)
