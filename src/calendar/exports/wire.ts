import type { Cell } from '#platform/csv/csv.ts'
import { formatCost } from '../content/cost.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import type { EventRow } from '../events/event-row.ts'
import { buildEventUrl, isPasswordLocked } from '../events/wire.ts'
import { isUnlocked } from '../linked-posts/wire.ts'
import { toImageJson } from '../media/wire.ts'
import { getPublicStatus } from '../permissions/permissions.ts'
import type { VenueRow } from '../venues/queries.ts'

/** Column names that the CSV import recognises, so that another site can import the file. */
export const eventCsvColumns = [
  ...['id', 'title', 'start_date', 'end_date', 'all_day', 'timezone', 'status', 'event_status'],
  ...['venue', 'venue_address', 'venue_zip', 'venue_city', 'venue_state', 'venue_country', 'organizer'],
  ...['organizer_email', 'organizer_phone', 'categories', 'tags', 'cost', 'website', 'image', 'featured', 'sticky'],
  ...['hide_from_listings', 'is_virtual', 'excerpt', 'description', 'language', 'page']
]

/** An event as a CSV row. Omits what a password protects. */
export function toEventCells(row: EventRow, context: RequestContext, password: string | undefined): Cell[] {
  const { site, now } = context
  const closed = isPasswordLocked(row, { password })
  const open = (cell: Cell) => (closed ? null : cell)
  const places = closed ? [] : row.venues.filter(venue => isUnlocked(venue, { ...context, password }))
  const organizers = closed ? [] : row.organizers
  const [organizer] = organizers.filter(one => isUnlocked(one, { ...context, password }))
  const terms = (taxonomy: 'category' | 'tag') =>
    row.terms.filter(term => term.taxonomy === taxonomy).map(term => term.name)
  return [
    ...[String(row.id), row.title, row.start, row.end, open(row.allDay), row.timezone, getPublicStatus(row, now)],
    row.eventStatus,
    ...toVenueCells(places),
    ...[organizers.map(one => one.name).join(', '), organizer?.email ?? null, organizer?.phone ?? null],
    ...[open(terms('category').join(', ')), open(terms('tag').join(', '))],
    ...[open(formatCost(row.cost, site.currency)), open(row.website)],
    closed || row.image === null ? null : toImageJson(row.image, site).url,
    ...[open(row.featured), open(row.sticky), open(row.hideFromListings), open(row.isVirtual)],
    ...[open(row.excerpt), open(row.description)],
    ...[row.language, buildEventUrl(row, context)]
  ]
}

/** The names of all venues, and the address of the first one. */
function toVenueCells(venues: VenueRow[]): Cell[] {
  const [first] = venues
  const names = venues.map(venue => venue.name).join(', ')
  if (first === undefined) return [names, null, null, null, null, null]
  return [names, first.address, first.zip, first.city, first.stateprovince, first.country]
}

export const venueCsvColumns = [
  ...['id', 'venue', 'status', 'address', 'zip', 'city', 'stateprovince', 'country', 'phone', 'website'],
  ...['geo_lat', 'geo_lng', 'slug', 'image', 'description', 'language', 'url']
]
export const organizerCsvColumns = [
  ...['id', 'organizer', 'status', 'email', 'phone', 'website', 'slug', 'image', 'description', 'language', 'url']
]
export const termCsvColumns = ['id', 'name', 'slug', 'parent', 'count', 'description', 'language', 'url']

/** An item as a CSV row, by the names of its members. Numbers are not formatted as amounts. */
export function toColumnCells(columns: string[], wire: Record<string, unknown>): Cell[] {
  return columns.map(column => {
    const value = wire[column]
    if (typeof value === 'object' && value !== null && 'url' in value) return String(value.url)
    return typeof value === 'boolean' ? value : value == null ? null : String(value)
  })
}
