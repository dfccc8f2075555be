import type { Language } from '#platform/language.ts'
import { ApiError, type Query, withQuery } from '../../server/api-client.ts'
import { calendarPath, type Organizer, type Term, type Venue } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { calendarStrings } from '../../strings/calendar.ts'

/** Filters of the calendar. All views use the same parameter names. */
export interface Filters {
  search: string
  /** Slug or id. */
  category: string
  tag: string
  /** Id. */
  venue: string
  organizer: string
  /** Id: only the dates of this series. */
  series: string
  featured: boolean
  /** Lists have each series once. */
  once: boolean
}

export const noFilters: Filters = {
  search: '',
  category: '',
  tag: '',
  venue: '',
  organizer: '',
  series: '',
  featured: false,
  once: false
}

/** Limit of the calendar API. */
const searchLengthMax = 200

export function parseFilters({ query }: Pick<PageContext, 'query'>): Filters {
  const text = (name: string, lengthMax = searchLengthMax) => (query[name] ?? '').trim().slice(0, lengthMax)
  return {
    search: text('search'),
    category: text('category'),
    tag: text('tag'),
    venue: text('venue', 20),
    organizer: text('organizer', 20),
    series: text('series', 20),
    featured: text('featured') !== '',
    once: text('once') === 'yes'
  }
}

/** `once` leaves out repetitions, but no event as such. */
export function isFiltered({ once, ...filters }: Filters): boolean {
  return Object.values(filters).some(value => value !== '' && value !== false)
}

/** Adds the filters to a path. */
export function withFilters(path: string, { featured, once, ...texts }: Filters, more: Query = {}): string {
  const [isFeatured, isOnce] = [featured, once].map(isChosen => (isChosen ? 'yes' : undefined))
  return withQuery(path, { ...texts, featured: isFeatured, once: isOnce, ...more })
}

/** Converts the filters to the calendar API's parameters. Only lists take `once`. */
export function toApiQuery({ search, category, tag, venue, organizer, series, featured }: Filters): Query {
  return { search, categories: category, tags: tag, venue, organizer, series, featured: featured ? true : undefined }
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
  const { tag, venue, organizer, featured } = filters
  const more = query.more === 'yes' || tag !== '' || venue !== '' || organizer !== '' || featured
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

/** Names of the active filters. */
export function listFilterNames(language: Language, filters: Filters, choices: FilterChoices): string[] {
  const { search, category, tag, venue, organizer, series, featured } = filters
  const strings = calendarStrings[language]
  const byId = <Item extends { id: number }>(items: Item[], key: string) => items.find(({ id }) => String(id) === key)
  const names = [
    search === '' ? '' : strings.quoted(search),
    category === '' ? '' : (findTerm(choices.categories, category)?.name ?? category),
    tag === '' ? '' : (findTerm(choices.tags, tag)?.name ?? tag),
    venue === '' ? '' : (byId(choices.venues, venue)?.venue ?? venue),
    organizer === '' ? '' : (byId(choices.organizers, organizer)?.organizer ?? organizer),
    series === '' ? '' : strings.oneSeries,
    featured ? strings.featuredOnly : ''
  ]
  return names.filter(name => name !== '')
}

/** For the other language, in which slugs differ: uses the ids of terms. */
export function toAlternateFilters(filters: Filters, { categories, tags }: FilterChoices): Filters {
  const idOf = (terms: Term[], key: string) => String(findTerm(terms, key)?.id ?? key)
  return { ...filters, category: idOf(categories, filters.category), tag: idOf(tags, filters.tag) }
}

const apiFilterNames = ['search', 'categories', 'tags', 'venue', 'organizer', 'series', 'featured']

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
