import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatMoney, formatNumber } from '../../format/format.ts'
import type { Venue } from '../../server/calendar-api.ts'
import { type FilterChoices, type Filters, findTerm, noFilters } from './calendar-filter.ts'
import { type DateFilters, noDateFilters } from './date-filter.ts'

/** A filter that is in use. */
export interface ActiveFilter {
  name: string
  /** The filters without it. */
  without: Filters
  isDate: boolean
}

/** The filters in use, with a name that visitors understand. */
export function listActiveFilters(
  { language, currency }: { language: Language; currency: string },
  filters: Filters,
  choices: FilterChoices
): ActiveFilter[] {
  const strings = getMessages('calendar', language)
  const active: ActiveFilter[] = []
  const add = (name: string, removed: Partial<Filters>, isDate = false) => {
    if (name !== '') active.push({ name, without: { ...filters, ...removed }, isDate })
  }
  const drop = (name: keyof Filters) => ({ [name]: noFilters[name] })
  const { search, category, tag, venue, organizer, series } = filters
  const byId = <Item extends { id: number }>(items: Item[], key: string) => items.find(({ id }) => String(id) === key)
  add(search === '' ? '' : strings.quoted({ text: search }), drop('search'))
  add(formatDates(language, filters), noDateFilters, true)
  add(findTerm(choices.categories, category)?.name ?? category, drop('category'))
  add(findTerm(choices.tags, tag)?.name ?? tag, drop('tag'))
  add(byId(choices.venues, venue)?.venue ?? venue, drop('venue'))
  add(byId(choices.organizers, organizer)?.organizer ?? organizer, drop('organizer'))
  add(series === '' ? '' : strings.oneSeries, drop('series'))
  add(formatPrice(language, currency, filters.price), drop('price'))
  add(formatDistance(language, filters, choices.venues), { near: '', within: '' })
  add(filters.online ? strings.onlineOnly : '', drop('online'))
  add(filters.featured ? strings.featuredOnly : '', drop('featured'))
  return active
}

export function formatDates(language: Language, { when, from, to }: DateFilters): string {
  const strings = getMessages('calendar', language)
  if (when !== '') return strings.periods[when]
  if (from !== '' && from === to) return formatDay(language, from)
  const [first, last] = [from, to].map(day => (day === '' ? '' : formatDay(language, day)))
  if (from !== '' && to !== '') return `${first} – ${last}`
  return from === '' ? (to === '' ? '' : strings.until({ time: last ?? '' })) : strings.from({ time: first ?? '' })
}

export function formatPrice(language: Language, currency: string, price: string): string {
  const strings = getMessages('calendar', language)
  if (price === '') return ''
  return Number(price) === 0 ? strings.free : strings.upTo({ price: formatMoney(language, currency, Number(price)) })
}

function formatDistance(language: Language, { near, within }: Filters, venues: Venue[]): string {
  if (near === '') return ''
  const place = listPlaces(venues).find(one => one.near === near)?.name ?? near.replace(',', ', ')
  return getMessages('calendar', language).within({ kilometres: formatNumber(language, Number(within)), place })
}

/** A place to search around: a town of venues, or a venue without town. */
export interface Place {
  name: string
  /** Its coordinates, in the middle of its venues. */
  near: string
}

export function listPlaces(venues: Venue[]): Place[] {
  const towns = new Map<string, { latitude: number; longitude: number }[]>()
  for (const { venue, city, geo_lat: latitude, geo_lng: longitude } of venues) {
    if (latitude === undefined || longitude === undefined) continue
    const name = (city ?? '').trim() || venue
    towns.set(name, [...(towns.get(name) ?? []), { latitude, longitude }])
  }
  return [...towns]
    .map(([name, points]) => ({
      name,
      near: (['latitude', 'longitude'] as const)
        .map(axis => Number((points.reduce((sum, point) => sum + point[axis], 0) / points.length).toFixed(4)))
        .join(',')
    }))
    .sort((one, other) => one.name.localeCompare(other.name))
}
