import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { formatDate } from '../../format/format.ts'
import type { Query } from '../../server/api-client.ts'
import type { Organizer, Term, Venue } from '../../server/calendar-api.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import { listAll } from '../shared/calendar/lists.ts'
import type { AdminContext } from '../shared/context.ts'

export type EventView = keyof Messages<'event-admin'>['shows']

/** The earliest day that the API accepts. */
const earliestDay = '1900-01-01'

/** API query of each view of the list. */
const views: Record<EventView, Query> = {
  upcoming: { ends_after: 'now', sort: 'start_date', order: 'asc' },
  past: { ends_before: 'now', sort: 'start_date', order: 'desc' },
  all: { starts_after: earliestDay, sort: 'start_date', order: 'desc' },
  draft: { starts_after: earliestDay, status: 'draft,pending', sort: 'modified', order: 'desc' },
  scheduled: { starts_after: earliestDay, status: 'future', sort: 'start_date', order: 'asc' },
  hidden: { starts_after: earliestDay, hidden: true, sort: 'start_date', order: 'desc' },
  'without-de': { starts_after: earliestDay, missing_language: 'de', sort: 'start_date', order: 'desc' },
  'without-en': { starts_after: earliestDay, missing_language: 'en', sort: 'start_date', order: 'desc' },
  trash: { starts_after: earliestDay, status: 'trash', sort: 'modified', order: 'desc' }
}

/** Views for read-only users. */
const publicViews: EventView[] = ['upcoming', 'past', 'all', 'without-de', 'without-en']
const sorts = ['start_date', 'title', 'modified']
export const filterStatuses = ['publish', 'future', 'draft', 'pending', 'private'] as const

/** Parameters of the URL that name another item by its id, and the API's names for them. */
const idFilters = { category: 'categories', tag: 'tags', venue: 'venue', organizer: 'organizer', author: 'author' }
type IdFilter = keyof typeof idFilters
/** Parameters of the URL that narrow the list, besides the view. */
export type FilterName = IdFilter | 'search' | 'from' | 'to' | 'status' | 'series'
const filterNames: FilterName[] = [
  ...(['search', 'venue', 'organizer', 'category', 'tag', 'from', 'to', 'status', 'author', 'series'] as const)
]

export function listViews(context: AdminContext): EventView[] {
  return context.hasRole('editor') ? (Object.keys(views) as EventView[]) : publicViews
}

/** Days of the filter replace those of the view: the first week of last May is neither upcoming nor all of the past. */
export function getView(context: AdminContext): EventView {
  const requested = context.query.show as EventView
  const view = listViews(context).includes(requested) ? requested : 'upcoming'
  const hasDays = getFilter(context, 'from') !== '' || getFilter(context, 'to') !== ''
  return hasDays && (view === 'upcoming' || view === 'past') ? 'all' : view
}

/** The value of a filter; empty if it is not given, invalid or not for this role. */
export function getFilter(context: AdminContext, name: FilterName): string {
  const given = (context.query[name] ?? '').trim()
  switch (name) {
    case 'search':
      return given.slice(0, 200)
    case 'from':
    case 'to':
      return /^(?:19|20|21)\d\d-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : ''
    case 'status':
      return context.hasRole('editor') && filterStatuses.some(status => status === given) ? given : ''
    case 'series':
      return given === 'once' ? given : ''
    case 'author':
      return context.hasRole('editor') && isId(given) ? given : ''
    default:
      return isId(given) ? given : ''
  }
}

const isId = (given: string) => /^[1-9]\d{0,14}$/.test(given)

/** API query for the filters of the URL. */
export function buildEventQuery(context: AdminContext): Query {
  const { query, language } = context
  const view = getView(context)
  const { sort, order, ...base } = views[view]
  const isSorted = sorts.includes(query.sort ?? '')
  const given = (name: FilterName) => getFilter(context, name) || undefined
  const ids = Object.entries(idFilters).map(([name, parameter]) => [parameter, given(name as IdFilter)])
  return {
    status: given('status'),
    ...base,
    ...Object.fromEntries(ids),
    language,
    ...(view === 'trash' && query.hidden === 'yes' ? { hidden: true } : {}),
    search: given('search'),
    start_date: given('from'),
    starts_before: given('to'),
    series_once: given('series') === 'once' ? true : undefined,
    orderby: isSorted ? query.sort : sort,
    order: isSorted ? (query.order === 'desc' ? 'desc' : 'asc') : order
  }
}

/** What filters and bulk actions choose from. */
export interface ListChoices {
  venues: Venue[]
  organizers: Organizer[]
  categories: Term[]
  tags: Term[]
  /** Without a name: the site owner, or a removed user. */
  authors: { id: number; name: string | null }[]
}

export async function listFilterChoices(context: AdminContext): Promise<ListChoices> {
  const { api, language } = context
  const byName = { language, orderby: 'title', order: 'asc' }
  const [venues, organizers, categories, tags, authors] = await Promise.all([
    listAll<Venue>(api, 'venues', byName),
    listAll<Organizer>(api, 'organizers', byName),
    listAll<Term>(api, 'categories', { language, hide_empty: false }),
    listAll<Term>(api, 'tags', { language, hide_empty: false }),
    context.hasRole('editor')
      ? api.get<Pick<ListChoices, 'authors'>>(`${calendarPath}/authors`).then(({ body }) => body.authors)
      : []
  ])
  return { venues, organizers, categories, tags, authors }
}

/** The site owner has the id 1 and no name. */
export function getAuthorName(context: AdminContext, { id, name }: ListChoices['authors'][number]): string {
  return name ?? (id === 1 ? getMessages('daily-work', context.language).filters.owner : `#${id}`)
}

/** The filters of the URL as readable texts. */
export function listActiveFilters(
  context: AdminContext,
  choices: ListChoices
): { name: FilterName; label: string; value: string }[] {
  const { language } = context
  const { filters } = getMessages('daily-work', language)
  const { list, statuses } = getMessages('event-admin', language)
  const series = getMessages('series-admin', language).list
  const named = (items: { id: number }[], id: string, nameOf: (index: number) => string | undefined) =>
    nameOf(items.findIndex(item => String(item.id) === id)) ?? `#${id}`
  const texts: Record<FilterName, { label: string; show(value: string): string }> = {
    search: { label: list.search, show: value => value },
    category: {
      label: list.category,
      show: id => named(choices.categories, id, index => choices.categories[index]?.name)
    },
    tag: { label: filters.tag, show: id => named(choices.tags, id, index => choices.tags[index]?.name) },
    venue: { label: filters.venue, show: id => named(choices.venues, id, index => choices.venues[index]?.venue) },
    organizer: {
      label: filters.organizer,
      show: id => named(choices.organizers, id, index => choices.organizers[index]?.organizer)
    },
    from: { label: filters.from, show: day => formatDate(language, day) },
    to: { label: filters.to, show: day => formatDate(language, day) },
    status: { label: filters.status, show: status => statuses[status as keyof typeof statuses] },
    author: {
      label: filters.author,
      show: id => {
        const known = choices.authors.find(author => String(author.id) === id)
        return known === undefined ? `#${id}` : getAuthorName(context, known)
      }
    },
    series: { label: series.series, show: () => series.once }
  }
  return filterNames.flatMap(name => {
    const value = getFilter(context, name)
    return value === '' ? [] : [{ name, label: texts[name].label, value: texts[name].show(value) }]
  })
}
