import type { Language } from '#platform/language.ts'
import { ApiError, type Query, withQuery } from '../../server/api-client.ts'
import { calendarPath, type Organizer, type Term, type Venue } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { calendarStrings } from '../../strings/calendar.ts'

/** What the calendar is narrowed by. The same names in the address of every view. */
export interface Filters {
  search: string
  /** By slug, or by id. */
  category: string
  tag: string
  /** By id. */
  venue: string
  organizer: string
  featured: boolean
}

export const noFilters: Filters = { search: '', category: '', tag: '', venue: '', organizer: '', featured: false }

/** As long as the calendar takes. */
const searchLengthMax = 200

export function parseFilters({ query }: Pick<PageContext, 'query'>): Filters {
  const text = (name: string, lengthMax = searchLengthMax) => (query[name] ?? '').trim().slice(0, lengthMax)
  return {
    search: text('search'),
    category: text('category'),
    tag: text('tag'),
    venue: text('venue', 20),
    organizer: text('organizer', 20),
    featured: text('featured') !== ''
  }
}

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some(value => value !== '' && value !== false)
}

/** An address with the filters kept. */
export function withFilters(path: string, { featured, ...texts }: Filters, more: Query = {}): string {
  return withQuery(path, { ...texts, featured: featured ? 'yes' : undefined, ...more })
}

/** The filters as the calendar's API names them. */
export function toApiQuery({ search, category, tag, venue, organizer, featured }: Filters): Query {
  return { search, categories: category, tags: tag, venue, organizer, featured: featured ? true : undefined }
}

/** The calendar to subscribe to, narrowed in the same way. */
export function getFeedPath(language: Language, filters: Filters): string {
  return withQuery(`/${language}/events.ics`, toApiQuery(filters))
}

/** What can be chosen. The longer lists are only asked for where they are shown. */
export interface FilterChoices {
  categories: Term[]
  tags: Term[]
  venues: Venue[]
  organizers: Organizer[]
  /** Are the further filters shown? */
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

/** Long lists may end before the one that is chosen. */
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

/** What a term is called in addresses. A slug of nothing but digits would be read as an id. */
export function getTermKey({ id, slug }: { id: number; slug: string }): string {
  return slug === '' || /^\d+$/.test(slug) ? String(id) : slug
}

export function findTerm(terms: Term[], key: string): Term | undefined {
  return key === '' ? undefined : terms.find(({ id, slug }) => slug === key || String(id) === key)
}

/** What the calendar is narrowed to, in words. */
export function listFilterNames(language: Language, filters: Filters, choices: FilterChoices): string[] {
  const { search, category, tag, venue, organizer, featured } = filters
  const strings = calendarStrings[language]
  const byId = <Item extends { id: number }>(items: Item[], key: string) => items.find(({ id }) => String(id) === key)
  const names = [
    search === '' ? '' : strings.quoted(search),
    category === '' ? '' : (findTerm(choices.categories, category)?.name ?? category),
    tag === '' ? '' : (findTerm(choices.tags, tag)?.name ?? tag),
    venue === '' ? '' : (byId(choices.venues, venue)?.venue ?? venue),
    organizer === '' ? '' : (byId(choices.organizers, organizer)?.organizer ?? organizer),
    featured ? strings.featuredOnly : ''
  ]
  return names.filter(name => name !== '')
}

/** For the other language, in which slugs differ: terms by their ids. */
export function toAlternateFilters(filters: Filters, { categories, tags }: FilterChoices): Filters {
  const idOf = (terms: Term[], key: string) => String(findTerm(terms, key)?.id ?? key)
  return { ...filters, category: idOf(categories, filters.category), tag: idOf(tags, filters.tag) }
}

const apiFilterNames = ['search', 'categories', 'tags', 'venue', 'organizer', 'featured']

/** What the calendar answers, or undefined where a filter names something that is not there. */
export async function ignoreUnknownFilter<Body>(ask: Promise<{ body: Body }>): Promise<Body | undefined> {
  try {
    return (await ask).body
  } catch (error) {
    if (error instanceof ApiError && error.status === 400 && apiFilterNames.some(name => name in error.fields))
      return undefined
    throw error
  }
}
