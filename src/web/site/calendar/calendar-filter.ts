import type { Language } from '#platform/language.ts'
import { type Query, Refused, withQuery } from '../../api.ts'
import { calendarPath, type Organizer, type Term, type Venue } from '../../calendar-api.ts'
import { calendarWords } from '../../text/calendar.ts'
import type { Visit } from '../../visit.ts'

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

export function filtersIn({ query }: Pick<Visit, 'query'>): Filters {
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
export function asked({ search, category, tag, venue, organizer, featured }: Filters): Query {
  return { search, categories: category, tags: tag, venue, organizer, featured: featured ? true : undefined }
}

/** The calendar to subscribe to, narrowed in the same way. */
export function feedOf(language: Language, filters: Filters): string {
  return withQuery(`/${language}/events.ics`, asked(filters))
}

/** What can be chosen. The longer lists are only asked for where they are shown. */
export interface Choices {
  categories: Term[]
  tags: Term[]
  venues: Venue[]
  organizers: Organizer[]
  /** Are the further filters shown? */
  more: boolean
}

const listed = { per_page: 50 }
const used = { ...listed, hide_empty: true }

export async function choicesFor({ api, query }: Pick<Visit, 'api' | 'query'>, filters: Filters): Promise<Choices> {
  const { tag, venue, organizer, featured } = filters
  const more = query.more === 'yes' || tag !== '' || venue !== '' || organizer !== '' || featured
  const list = async <Name extends string, Item>(name: Name, query: Query): Promise<Item[]> =>
    (await api.get<Record<Name, Item[]>>(`${calendarPath}/${name}`, query)).body[name]
  const [categories, tags, venues, organizers] = await Promise.all([
    list<'categories', Term>('categories', used),
    more ? list<'tags', Term>('tags', used) : [],
    more ? list<'venues', Venue>('venues', listed) : [],
    more ? list<'organizers', Organizer>('organizers', listed) : []
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
    if (error instanceof Refused && error.status < 500) return items
    throw error
  }
}

/** What a term is called in addresses. A slug of nothing but digits would be read as an id. */
export function keyOf({ id, slug }: { id: number; slug: string }): string {
  return slug === '' || /^\d+$/.test(slug) ? String(id) : slug
}

export function termBy(terms: Term[], key: string): Term | undefined {
  return key === '' ? undefined : terms.find(({ id, slug }) => slug === key || String(id) === key)
}

/** What the calendar is narrowed to, in words. */
export function filterNames(language: Language, filters: Filters, choices: Choices): string[] {
  const { search, category, tag, venue, organizer, featured } = filters
  const words = calendarWords[language]
  const byId = <Item extends { id: number }>(items: Item[], key: string) => items.find(({ id }) => String(id) === key)
  const names = [
    search === '' ? '' : words.quoted(search),
    category === '' ? '' : (termBy(choices.categories, category)?.name ?? category),
    tag === '' ? '' : (termBy(choices.tags, tag)?.name ?? tag),
    venue === '' ? '' : (byId(choices.venues, venue)?.venue ?? venue),
    organizer === '' ? '' : (byId(choices.organizers, organizer)?.organizer ?? organizer),
    featured ? words.featuredOnly : ''
  ]
  return names.filter(name => name !== '')
}

/** For the other language, in which slugs differ: terms by their ids. */
export function filtersAbroad(filters: Filters, { categories, tags }: Choices): Filters {
  const idOf = (terms: Term[], key: string) => String(termBy(terms, key)?.id ?? key)
  return { ...filters, category: idOf(categories, filters.category), tag: idOf(tags, filters.tag) }
}

const names = ['search', 'categories', 'tags', 'venue', 'organizer', 'featured']

/** What the calendar answers, or undefined where a filter names something that is not there. */
export async function unlessUnknown<Body>(ask: Promise<{ body: Body }>): Promise<Body | undefined> {
  try {
    return (await ask).body
  } catch (error) {
    if (error instanceof Refused && error.status === 400 && names.some(name => name in error.fields)) return undefined
    throw error
  }
}
