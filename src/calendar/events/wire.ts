import { datesOf, utcClock } from '../columns.ts'
import { costDetails, costText } from '../cost.ts'
import { imageToWire } from '../media/wire.ts'
import { organizerToWire } from '../organizers/wire.ts'
import { globalId, pageUrl, restUrl, type Visit } from '../tec.ts'
import { embeddedTermToWire } from '../terms/wire.ts'
import { dateDetails } from '../time.ts'
import { venueToWire } from '../venues/wire.ts'
import { isPublic, shownStatus } from '../viewer.ts'
import { jsonLd } from './json-ld.ts'
import type { EventRow } from './queries.ts'

/** Who looks, where and when: a visit, or the program that tells others of an event. */
export type Looking = Pick<Visit, 'site' | 'viewer' | 'now' | 'zone'>

/** How much a reader sees. */
export interface View {
  visit: Looking
  /** Opens what is protected with it. */
  password?: string | undefined
  /** The reader may edit it and has said so. */
  opened?: boolean
  /** Read by itself, with all that only then belongs to it. */
  single?: boolean
}

/** An event as The Events Calendar spells it. */
export function eventToWire(row: EventRow, view: View): object {
  const { visit } = view
  const { site, now } = visit
  const globalIdOfEvent = globalId(site, row.id)
  const trashed = row.status === 'trash'
  const closed = isClosed(row, view)
  const startUtc = utcClock(row.startsAt)
  const endUtc = utcClock(row.endsAt)
  return {
    id: row.id,
    global_id: globalIdOfEvent,
    global_id_lineage: [globalIdOfEvent],
    author: String(row.authorId),
    status: shownStatus(row, now),
    ...datesOf(row),
    url: eventUrl(row, visit),
    rest_url: restUrl(site, `/events/${row.id}`),
    title: row.title,
    description: closed ? '' : row.description,
    excerpt: closed ? '' : row.excerpt,
    slug: trashed && row.slug !== '' ? `${row.slug}__trashed` : row.slug,
    image: closed || row.image === null ? false : imageToWire(row.image, site),
    all_day: closed ? null : row.allDay,
    start_date: row.start,
    start_date_details: dateDetails(row.start),
    end_date: row.end,
    end_date_details: dateDetails(row.end),
    utc_start_date: startUtc,
    utc_start_date_details: dateDetails(startUtc),
    utc_end_date: endUtc,
    utc_end_date_details: dateDetails(endUtc),
    timezone: row.timezone,
    timezone_abbr: row.timezoneAbbr,
    cost: closed ? '' : costText(row.cost, site.currency),
    cost_details: costDetails(closed ? null : row.cost),
    website: closed ? '' : (row.website ?? eventUrl(row, visit)),
    show_map: closed ? null : row.showMap,
    show_map_link: closed ? null : row.showMapLink,
    hide_from_listings: closed ? null : row.hideFromListings,
    sticky: closed ? null : row.sticky,
    featured: closed ? null : row.featured,
    categories: closed ? [] : termsOf(row, 'category', view),
    tags: closed ? [] : termsOf(row, 'tag', view),
    venue: closed ? [] : venueOf(row, view),
    organizer: closed ? [] : (row.organizers ?? []).map(one => organizerToWire(one, linkedView(view))),
    custom_fields: [],
    ticketed: closed ? null : row.ticketed,
    event_status: row.eventStatus,
    post_parent: row.parentId ?? 0,
    language: row.language,
    translations: row.translations,
    ...(view.single === true ? { json_ld: jsonLd(row, visit) } : {})
  }
}

/** Protected, and the reader has not shown the password. */
export function isClosed(row: EventRow, { password, opened }: Pick<View, 'password' | 'opened'>): boolean {
  return row.password !== null && row.password !== password && opened !== true
}

export function eventUrl(row: EventRow, { site, now }: Pick<Visit, 'site' | 'now'>): string {
  return pageUrl(site, 'event', row.id, row.slug, isPublic(row, now))
}

function linkedView({ visit, password, single }: View) {
  return { site: visit.site, viewer: visit.viewer, now: visit.now, password, single: single === true }
}

/** Sorts a handful of names faster than the database would. */
const names = new Intl.Collator('de')

/** One is an object, none an empty list, several a list: as clients know it. */
function venueOf(row: EventRow, view: View): object {
  const venues = (row.venues ?? []).map(one => venueToWire(one, linkedView(view)))
  return venues.length === 1 && venues[0] !== undefined ? venues[0] : venues
}

function termsOf(row: EventRow, taxonomy: 'category' | 'tag', { visit }: View): object[] {
  return (row.terms ?? [])
    .filter(term => term.taxonomy === taxonomy)
    .sort((one, other) => names.compare(one.name, other.name) || one.id - other.id)
    .map(term => embeddedTermToWire(term, visit.site))
}
