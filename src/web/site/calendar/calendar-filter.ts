import type { Language } from '#platform/language.ts'
import { ApiError, type Query, withQuery } from '../../server/api-client.ts'
import { calendarPath, type Organizer, type Term, type Venue } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { type DateFilters, noDateFilters, parseDateFilters } from './date-filter.ts'

/** Filters of the calendar. All views use the same parameter names; only the list has dates. */
export interface Filters extends DateFilters {
  search: string
  /** Slug or id. */
  category: string
  tag: string
  /** Id. */
  venue: string
  organizer: string
  /** Id: only the dates of this series. */
  series: string
  /** Maximum cost in the site's currency; 0 means free. */
  price: string
  /** Latitude and longitude, such as `50.94,6.96`. */
  near: string
  /** Kilometres around it. */
  within: string
  online: boolean
  featured: boolean
  /** Lists have each series once. */
  once: boolean
}

export const noFilters: Filters = {
  ...noDateFilters,
  search: '',
  category: '',
  tag: '',
  venue: '',
  organizer: '',
  series: '',
  price: '',
  near: '',
  within: '',
  online: false,
  featured: false,
  once: false
}

/** Limit of the calendar API. */
const searchLengthMax = 200
/** Kilometres that the form offers; others in a link are valid too. */
export const distances = [2, 5, 10, 25, 50, 100] as const
const distanceDefault = '10'
/** Prices that the form offers. */
export const prices = [0, 5, 10, 20, 50] as const

export function parseFilters({ query }: Pick<PageContext, 'query'>): Filters {
  const text = (name: string, lengthMax = searchLengthMax) => (query[name] ?? '').trim().slice(0, lengthMax)
  const matching = (name: string, pattern: RegExp) => (pattern.test(text(name)) ? text(name) : '')
  const near = matching('near', /^-?\d{1,2}(?:\.\d{1,8})?,-?\d{1,3}(?:\.\d{1,8})?$/)
  const { when, from, to } = parseDateFilters(query)
  return {
    when,
    from,
    to,
    search: text('search'),
    category: text('category'),
    tag: text('tag'),
    venue: text('venue', 20),
    organizer: text('organizer', 20),
    series: text('series', 20),
    price: matching('price', /^\d{1,5}$/),
    near,
    within: near === '' ? '' : matching('within', /^[1-9]\d{0,3}$/) || distanceDefault,
    online: text('online') === 'yes',
    featured: text('featured') !== '',
    once: text('once') === 'yes'
  }
}

/** `once` leaves out repetitions, but no event as such. */
export function isFiltered({ once, ...filters }: Filters): boolean {
  return Object.values(filters).some(value => value !== '' && value !== false)
}

/** Month, week and day show their own dates. */
export function omitDates(filters: Filters): Filters {
  return { ...filters, ...noDateFilters }
}

/** Adds the filters to a path. */
export function withFilters(path: string, { online, featured, once, ...texts }: Filters, more: Query = {}): string {
  const toYes = (isChosen: boolean) => (isChosen ? 'yes' : undefined)
  const whole = withQuery(path, texts)
  return withQuery(whole, { online: toYes(online), featured: toYes(featured), once: toYes(once), ...more })
}

/** Converts the filters to the calendar API's parameters. Dates and `once` are for lists only. */
export function toApiQuery(filters: Filters): Query {
  const { search, category, tag, venue, organizer, series, price, near, within, online, featured } = filters
  const [latitude, longitude] = near.split(',')
  return {
    search,
    categories: category,
    tags: tag,
    venue,
    organizer,
    series,
    cost_max: price,
    ...(near === '' ? {} : { geoloc_lat: latitude, geoloc_lng: longitude, geoloc_radius: within }),
    is_virtual: online ? true : undefined,
    featured: featured ? true : undefined
  }
}

/** Path of the iCalendar feed with the same filters. */
export function getFeedPath(language: Language, filters: Filters): string {
  return withQuery(`/${language}/events.ics`, toApiQuery(filters))
}

/** Options of the filters. The longer lists are only fetched if they are shown. */
export interface FilterChoices {
  categories: Term[]
  tags: Term[]
  venues: Venue[]
  organizers: Organizer[]
  /** Whether the further filters are shown. */
  more: boolean
}

const listQuery = { per_page: 50 }
const usedQuery = { ...listQuery, hide_empty: true }

export async function listFilterChoices(
  { api, query }: Pick<PageContext, 'api' | 'query'>,
  filters: Filters
): Promise<FilterChoices> {
  const { tag, venue, organizer, near, featured } = filters
  const more = query.more === 'yes' || featured || [tag, venue, organizer, near].some(value => value !== '')
  const list = async <Name extends string, Item>(name: Name, query: Query): Promise<Item[]> =>
    (await api.get<Record<Name, Item[]>>(`${calendarPath}/${name}`, query)).body[name]
  const [categories, tags, venues, organizers] = await Promise.all([
    list<'categories', Term>('categories', usedQuery),
    more ? list<'tags', Term>('tags', usedQuery) : [],
    more ? list<'venues', Venue>('venues', listQuery) : [],
    more ? list<'organizers', Organizer>('organizers', listQuery) : []
  ])
  return {
    more,
    categories,
    tags,
    venues: await withChosen(venues, venue, async () => (await api.get<Venue>(`${calendarPath}/venues/${venue}`)).body),
    organizers: await withChosen(
      organizers,
      organizer,
      async () => (await api.get<Organizer>(`${calendarPath}/organizers/${organizer}`)).body
    )
  }
}

/** Adds the selected item, as a long list may not contain it. */
async function withChosen<Item extends { id: number }>(
  items: Item[],
  chosen: string,
  find: () => Promise<Item>
): Promise<Item[]> {
  if (!/^\d+$/.test(chosen) || items.some(({ id }) => String(id) === chosen)) return items
  try {
    return [...items, await find()]
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return items
    throw error
  }
}

/** URL key of a term. A numeric slug would be read as an id, so the id is used. */
export function getTermKey({ id, slug }: { id: number; slug: string }): string {
  return slug === '' || /^\d+$/.test(slug) ? String(id) : slug
}

export function findTerm(terms: Term[], key: string): Term | undefined {
  return key === '' ? undefined : terms.find(({ id, slug }) => slug === key || String(id) === key)
}

/** For the other language, in which slugs differ: uses the ids of terms. */
export function toAlternateFilters(filters: Filters, { categories, tags }: FilterChoices): Filters {
  const idOf = (terms: Term[], key: string) => String(findTerm(terms, key)?.id ?? key)
  return { ...filters, category: idOf(categories, filters.category), tag: idOf(tags, filters.tag) }
}

const apiFilterNames = [
  ...['search', 'categories', 'tags', 'venue', 'organizer', 'series', 'featured'],
  ...['geoloc_lat', 'geoloc_lng', 'geoloc_radius']
]

/** The API's response, or undefined if a filter names something that does not exist. */
export async function ignoreUnknownFilter<Body>(ask: Promise<{ body: Body }>): Promise<Body | undefined> {
  try {
    return (await ask).body
  } catch (error) {
    if (error instanceof ApiError && error.status === 400 && apiFilterNames.some(name => name in error.fields))
      return undefined
    throw error
  }
}
