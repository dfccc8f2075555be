import { buildText } from '#platform/messages/messages.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { isObject } from '../../../contract/params.ts'
import type { Reason } from '../reason.ts'
import type { Json } from './remote-site.ts'

/** Reads single values of another site. A value of an unexpected type counts as missing. */

export function toText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value : undefined
}

export function toBool(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 1 || value === '1' ? true : value === 0 || value === '0' ? false : undefined
}

export function parseId(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return /^[1-9]\d{0,17}$/.test(text) ? text : undefined
}

/** Tags that editors put into titles. Any other `<` is part of the title, as in `C++ <Templates>`. */
const titleTag =
  /<(?!\/?(?:a|abbr|b|bdi|bdo|big|br|center|cite|code|del|div|em|font|h[1-6]|i|img|ins|kbd|mark|p|q|s|samp|script|small|span|strike|strong|style|sub|sup|time|tt|u|var|wbr)[\s/>]|!--)/gi

/** The plugin encodes `&` and quotes in titles, but not `<`. */
export function escapeLoneBrackets(title: string): string {
  return title.replace(titleTag, '&lt;')
}

/** Decodes what the plugin encodes in addresses. */
export function decodeAmpersands(url: string): string {
  return url.replace(/&(?:amp|#0*38|#x0*26);/gi, '&')
}

/**
 * A website as the API accepts it: people leave out the scheme, and use characters that must be encoded. An address that
 * cannot be parsed stays as it is and is rejected by the rule of the field.
 */
export function normalizeWebsite(given: string): string {
  const website = addScheme(given.trim())
  const isPlain = /^[\x21-\x7e]*$/.test(website)
  return isPlain || !/^https?:/i.test(website) || !canParseUrl(website) ? website : new URL(website).href
}

function addScheme(website: string): string {
  if (website.startsWith('//')) return `https:${website}`
  return /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?:[/?#]|$)/u.test(website.slice(0, 300))
    ? `https://${website}`
    : website
}

/** The website of an event. Without one, the plugin shows the event's own page. */
export function readWebsite(event: Json): string | null {
  const website = decodeAmpersands(toText(event.website) ?? '')
  return website === '' || website === decodeAmpersands(toText(event.url) ?? '') ? null : website
}

const price = /^\d+(?:[.,]\d+)?$/

/**
 * The prices of an event, each with its currency: the plugin shows the lowest and the highest, and lists all without a
 * currency. Where the two contradict each other, the plugin has misread the price; what it shows stays as text.
 */
export function readCost(event: Json): { cost: string | string[] | undefined; notes: Reason[] } {
  const given = toText(event.cost)
  if (given === undefined) return { cost: undefined, notes: [] }
  const shown = toSingleLineText(given)
  const { values } = isObject(event.cost_details) ? event.cost_details : {}
  const listed = Array.isArray(values) ? values.flatMap(value => toText(value) ?? []) : []
  if (listed.some(value => /^[.,]\d/.test(value))) return { cost: shown, notes: [newMisreadCostNote(shown)] }
  const [lowest = '', highest = lowest] = shown.split(/\s[–-]\s/)
  const [first = '', last = ''] = [listed[0], listed.at(-1)]
  const isConsistent = listed.length > 1 && listed.every(value => price.test(value))
  if (!isConsistent || !lowest.includes(first) || !highest.includes(last)) return { cost: shown, notes: [] }
  return { cost: listed.map(value => highest.replace(last, () => value)), notes: [] }
}

const newMisreadCostNote = (shown: string): Reason => ({
  code: 'price-misread',
  field: 'cost',
  ...buildText('import-source-reasons', 'misreadCost', { shown })
})

/** The plugin's UIDs consist of the id, start and end of an event in local time, as if it were UTC, and the host. */
export function buildUid(thing: Json): string | undefined {
  const url = toText(thing.url)
  if (url === undefined || !canParseUrl(url)) return undefined
  const [start, end] = [thing.start_date, thing.end_date].map(date => Date.parse(`${toText(date)?.replace(' ', 'T')}Z`))
  const seconds = [start, end].map(ms => (ms ?? Number.NaN) / 1000)
  if (seconds.some(Number.isNaN)) return undefined
  return `${toText(thing.id)}-${seconds.join('-')}@${new URL(url).hostname}`
}
