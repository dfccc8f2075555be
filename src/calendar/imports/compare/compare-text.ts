import { canParseUrl } from '#platform/url/parse-url.ts'
import type { Difference } from '../schema.ts'
import type { Reason } from '../sources/reason.ts'
import { findDifference, listMissing, readTextContent, type TextContent } from './text-content.ts'

export interface TextPair {
  field: string
  /** As the source returns it, and as the import prepared it for storage. */
  theirs: string
  prepared: string
  ours: string
}

export interface TextComparison {
  /** The page at the source, for relative addresses. */
  page: string | undefined
  /** The URL at the source of one of our copies; other addresses stay as they are. */
  toSource: (address: string) => string
  /** Images and files that should have been copied. */
  copied: ReadonlyMap<string, Reason>
  /** What the import says about this item. */
  notes: Reason[]
}

/** Differences that the notes of an import explain. */
const textCodes = new Set(['embed-became-link', 'markup-removed', 'status-reason-in-text'])

/** Compares words, links and images of a text. Layout (classes, styles, ids) is not compared. */
export function compareText(pair: TextPair, about: TextComparison): Difference[] {
  const theirs = readTextContent(pair.theirs, address => toWebAddress(address, about.page))
  const prepared = readTextContent(pair.prepared, address => toWebAddress(address, about.page))
  const ours = readTextContent(pair.ours, address => toWebAddress(about.toSource(address), about.page))
  const changes = listChanges(pair.field, theirs, ours)
  const unexpected = listChanges(pair.field, prepared, ours)
  const reasons = about.notes.filter(({ code = '' }) => textCodes.has(code))
  const explained =
    changes.length > 0 && unexpected.length === 0
      ? changes.map((change, place) => ({ ...change, ...toReason(reasons[Math.min(place, reasons.length - 1)]) }))
      : unexpected
  const others = unexpected.length > 0 || changes.length > 0 ? reasons.slice(explained.length) : reasons
  return [...explained, ...others.map(reason => newNotedDifference(pair.field, reason)), ...listStayed(pair, about)]
}

const toReason = (reason: Reason | undefined) => (reason === undefined ? {} : { reason })

/** A difference that words, links and images do not show, such as a removed form. */
const newNotedDifference = (field: string, reason: Reason): Difference => ({ field, theirs: '', ours: '', reason })

function listChanges(field: string, theirs: TextContent, ours: TextContent): Difference[] {
  const words = findDifference(theirs.words, ours.words)
  return [
    ...(words === undefined ? [] : [{ field, ...words }]),
    ...listAddressChanges(field, theirs.links, ours.links),
    ...listAddressChanges(field, theirs.images, ours.images)
  ]
}

function listAddressChanges(field: string, theirs: string[], ours: string[]): Difference[] {
  const [missing, added] = [listMissing(theirs, ours), listMissing(ours, theirs)]
  return missing.length + added.length === 0 ? [] : [{ field, theirs: missing.join(' '), ours: added.join(' ') }]
}

/** Images and files that are still on the old site. */
function listStayed({ field, ours }: TextPair, { copied, page }: TextComparison): Difference[] {
  const { links, images } = readTextContent(ours, address => toWebAddress(address, page))
  return [...new Set([...links, ...images])].flatMap(url => {
    const reason = copied.get(url)
    return reason === undefined ? [] : [{ field, theirs: url, ours: url, reason }]
  })
}

/** Absolute; addresses that no text may have are dropped, and so are those within the page. */
function toWebAddress(address: string, page: string | undefined): string | undefined {
  if (address === '' || address.startsWith('#')) return undefined
  if (!canParseUrl(address, page)) return undefined
  const { href, protocol } = new URL(address, page)
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? href : undefined
}
