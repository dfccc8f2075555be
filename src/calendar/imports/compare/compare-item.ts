import type { Language } from '#platform/language.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { toStoredSlug } from '../../content/texts.ts'
import { isObject } from '../../contract/params.ts'
import type { Difference } from '../schema.ts'
import type { Reason } from '../sources/reason.ts'
import type { Incoming, SingleKind } from '../sources/source.ts'
import { listEmbedded } from '../sources/tec/convert.ts'
import type { Json } from '../sources/tec/remote-site.ts'
import { escapeLoneBrackets, normalizeWebsite, parseId, readWebsite, toBool, toText } from '../sources/tec/values.ts'
import { compareText } from './compare-text.ts'
import { explanations } from './explanations.ts'

/** What is stored here of an item, in the format of the API. */
export interface OurItem {
  /** By language. */
  texts: Partial<Record<Language, Json>>
  hasPassword: boolean
}

/** Looks up what belongs to an item of the source. */
export interface ComparisonContext {
  findId: (kind: SingleKind, sourceId: string) => number | undefined
  /** The URL that our image or file was copied from. */
  findSource: (url: string) => string | undefined
  /** Whether the old slug still leads to the item. */
  isFormerSlug: (kind: SingleKind, id: number, slug: string) => boolean
}

/** The values of the source that are not stored here as they are, field by field. */
export function compareItem(given: Incoming, ours: OurItem, about: ComparisonContext): Difference[] {
  const { kind } = given
  if (kind === 'series') throw new Error('Only sites are compared, and they have no series.')
  const item = { ...given, kind }
  const pairs = Object.entries(item.originals ?? {}).flatMap(([language, theirs]) => {
    const own = ours.texts[language as Language]
    return own === undefined ? [] : [{ language: language as Language, theirs, own }]
  })
  const [first] = pairs
  if (first === undefined) return [newDifference('language', Object.keys(item.originals ?? {}).join(), '')]
  const texts = pairs.flatMap(pair => compareTexts(item, pair, about))
  return [...texts, ...fieldComparisons[kind](item, first, { ours, about })].map(truncate)
}

type SingleItem = Incoming & { kind: SingleKind }

interface Pair {
  language: Language
  theirs: Json
  own: Json
}

interface Surroundings {
  ours: OurItem
  about: ComparisonContext
}

const valueLengthMax = 500

function truncate({ theirs, ours, ...rest }: Difference): Difference {
  const cut = (value: string) =>
    (value.length <= valueLengthMax ? value : `${value.slice(0, valueLengthMax)}…`).toWellFormed()
  return { ...rest, theirs: cut(theirs), ours: cut(ours) }
}

const newDifference = (field: string, theirs: string, ours: string, reason?: Reason): Difference => ({
  field,
  theirs,
  ours,
  ...(reason === undefined ? {} : { reason })
})

function compareValue(field: string, theirs: unknown, ours: unknown, reason?: Reason): Difference[] {
  const [one, other] = [theirs, ours].map(value => (value === undefined || value === null ? '' : String(value)))
  return one === other ? [] : [newDifference(field, one ?? '', other ?? '', reason)]
}

/** Older versions of the plugin lack some fields. */
function compareGiven(field: string, theirs: Json, own: Json): Difference[] {
  return theirs[field] === undefined ? [] : compareValue(field, theirs[field], own[field])
}

const titleFields: Record<SingleKind, string> = {
  event: 'title',
  venue: 'venue',
  organizer: 'organizer',
  category: 'name',
  tag: 'name'
}

function compareTexts(item: SingleItem, { language, theirs, own }: Pair, about: ComparisonContext): Difference[] {
  const title = titleFields[item.kind]
  const page = item.url ?? toText(theirs.url)
  const prepared = item.texts[language]
  const toSource = (address: string) => about.findSource(address) ?? address
  const notes = item.notes ?? []
  const copied = new Map<string, Reason>([
    ...(item.inlineImages ?? []).map(({ url }) => [url, explanations.inlineImageStayed()] as const),
    ...(item.files ?? []).map(({ url }) => [url, explanations.fileStayed()] as const)
  ])
  const texts = ['description', 'excerpt'] as const
  return [
    ...compareValue(title, toSingleLineText(escapeLoneBrackets(toText(theirs[title]) ?? '')), own[title]),
    ...compareSlug(item.kind, theirs, own, about),
    ...texts.flatMap(field =>
      compareText(
        {
          field,
          theirs: toText(theirs[field]) ?? '',
          prepared: prepared?.[field] ?? '',
          ours: toText(own[field]) ?? ''
        },
        field === 'description'
          ? { page, toSource, copied, notes }
          : { page, toSource, copied: new Map<string, Reason>(), notes: [] }
      )
    )
  ]
}

function compareSlug(kind: SingleKind, theirs: Json, own: Json, { isFormerSlug }: ComparisonContext): Difference[] {
  const slug = toStoredSlug(toText(theirs.slug) ?? '')
  const ours = toStoredSlug(toText(own.slug) ?? '')
  if (slug === '' || slug === ours) return []
  const isTaken = ours.startsWith(`${slug}-`) && /^-\d+$/.test(ours.slice(slug.length))
  const reason = isFormerSlug(kind, Number(own.id), slug)
    ? explanations.slugChanged()
    : isTaken
      ? explanations.slugTaken()
      : undefined
  return compareValue('slug', slug, ours, reason)
}

type FieldComparison = (item: Incoming, pair: Pair, surroundings: Surroundings) => Difference[]

const fieldComparisons: Record<SingleKind, FieldComparison> = {
  event: compareEventFields,
  venue: (item, { theirs, own }) => [
    ...['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'].flatMap(field =>
      compareValue(field, toPlain(theirs[field]), toPlain(own[field]), findLeftOut(item, field))
    ),
    ...['geo_lat', 'geo_lng'].flatMap(field =>
      theirs[field] === undefined ? [] : compareValue(field, Number(theirs[field]), Number(own[field]))
    ),
    ...['show_map', 'show_map_link'].flatMap(field => compareBool(field, theirs, own)),
    ...compareWebsite(item, toText(theirs.website), toText(own.website)),
    ...['status', 'date_utc'].flatMap(field => compareGiven(field, theirs, own))
  ],
  organizer: (item, { theirs, own }) => [
    ...['phone', 'email'].flatMap(field =>
      compareValue(field, toPlain(theirs[field]), toPlain(own[field]), findLeftOut(item, field))
    ),
    ...compareWebsite(item, toText(theirs.website), toText(own.website)),
    ...['status', 'date_utc'].flatMap(field => compareGiven(field, theirs, own))
  ],
  category: (_item, { theirs, own }, { about }) => {
    const parent = parseId(theirs.parent)
    return compareValue(
      'parent',
      parent === undefined ? 0 : (about.findId('category', parent) ?? `#${parent}`),
      own.parent
    )
  },
  tag: () => []
}

function compareEventFields(item: Incoming, { theirs, own }: Pair, { ours, about }: Surroundings): Difference[] {
  const times = ['start_date', 'end_date', 'utc_start_date', 'utc_end_date'] as const
  const flags = ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured']
  const zone = times.every(field => theirs[field] === own[field]) ? explanations.timezoneRenamed() : undefined
  return [
    ...['status', 'date_utc', ...times].flatMap(field => compareGiven(field, theirs, own)),
    ...(theirs.timezone === undefined ? [] : compareValue('timezone', theirs.timezone, own.timezone, zone)),
    ...flags.flatMap(field => compareBool(field, theirs, own)),
    ...compareCost(item, theirs, own),
    ...compareWebsite(
      item,
      readWebsite(theirs) ?? undefined,
      own.website === own.url ? undefined : toText(own.website)
    ),
    ...compareLinks(item, 'venue', 'venue', { theirs, own, about }),
    ...compareLinks(item, 'organizer', 'organizer', { theirs, own, about }),
    ...compareLinks(item, 'categories', 'category', { theirs, own, about }),
    ...compareLinks(item, 'tags', 'tag', { theirs, own, about }),
    ...compareImage(item, own, about),
    ...compareValue('event_status', item.fields.event_status ?? 'scheduled', own.event_status),
    // The password itself is in no report.
    ...compareValue('password', item.fields.post_password === undefined ? '' : '•••', ours.hasPassword ? '•••' : '')
  ]
}

function compareBool(field: string, theirs: Json, own: Json): Difference[] {
  const value = toBool(theirs[field])
  return value === undefined ? [] : compareValue(field, value, own[field])
}

const toPlain = (value: unknown) => toSingleLineText(toText(value) ?? '')

/** The note of an import about a value that no rule accepts. */
function findLeftOut({ notes = [] }: Incoming, field: string): Reason | undefined {
  return notes.find(note => note.field === field)
}

function compareCost(item: Incoming, theirs: Json, own: Json): Difference[] {
  const [one, other] = [toPlain(theirs.cost), toPlain(own.cost)]
  const numbers = (text: string) => text.match(/\d+(?:[.,]\d+)*/g)?.join(' ') ?? text
  const note = findLeftOut(item, 'cost')
  const noted = note === undefined ? [] : [newDifference('cost', one, other, note)]
  if (one === other) return noted
  return compareValue(
    'cost',
    one,
    other,
    note ?? (numbers(one) === numbers(other) ? explanations.currency() : undefined)
  )
}

function compareWebsite(item: Incoming, theirs: string | undefined, ours: string | undefined): Difference[] {
  const website = theirs === undefined ? '' : normalizeWebsite(theirs)
  return compareValue('website', website, ours ?? '', findLeftOut(item, 'website'))
}

/** Items that an event refers to, by our ids; the order matters for venues and organizers. */
function compareLinks(
  { notes = [] }: Incoming,
  field: string,
  kind: SingleKind,
  { theirs, own, about }: { theirs: Json; own: Json; about: ComparisonContext }
): Difference[] {
  const sourceIds = listEmbedded(theirs, field).flatMap(({ id }) => parseId(id) ?? [])
  const wanted = sourceIds.map(sourceId => about.findId(kind, sourceId) ?? `#${sourceId}`)
  const linked = listEmbedded(own, field).map(({ id }) => Number(id))
  const inOrder = kind === 'venue' || kind === 'organizer'
  const show = (ids: (number | string)[]) => (inOrder ? ids : ids.map(String).sort()).join(', ')
  const lost = notes.find(({ code }) => code === 'linked-item-missing')
  return compareValue(field, show([...new Set(wanted)]), show(linked), lost)
}

function compareImage({ image }: Incoming, own: Json, { findSource }: ComparisonContext): Difference[] {
  const stored = isObject(own.image) ? own.image : undefined
  const url = toText(stored?.url) ?? ''
  if (image === undefined || stored === undefined) {
    const reason = stored === undefined ? explanations.imageNotFetched() : undefined
    return compareValue('image', image?.url, url, reason)
  }
  const source = findSource(url)
  const alt = image.alt === undefined ? [] : compareValue('image alt', image.alt, toText(stored.alt))
  return source === image.url ? alt : [newDifference('image', image.url, source ?? url, explanations.imageShared())]
}
