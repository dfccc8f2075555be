import type { Language } from '#platform/language.ts'
import { formatCost, toCostDetails } from '../content/cost.ts'
import { formatUtc, toPostDates } from '../content/post-columns.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import { buildGlobalId, buildPageUrl, buildRestUrl } from '../contract/routing/site.ts'
import type { EmbeddedTermJson, EventJson } from '../contract/shapes.ts'
import { toImageJson } from '../media/wire.ts'
import { toOrganizerJson } from '../organizers/wire.ts'
import { getPublicStatus, isPublic } from '../permissions/permissions.ts'
import { describeStoredRule } from '../recurrence/rule-sentence.ts'
import { toEmbeddedTermJson } from '../terms/wire.ts'
import { toDateDetails } from '../time/time.ts'
import { toVenueJson } from '../venues/wire.ts'
import type { EventRow } from './event-row.ts'
import { buildEventJsonLd } from './json-ld.ts'

/** The viewer, site and time to serialize for: of a request, or of a public representation in the activity log. */
export type ViewContext = Pick<RequestContext, 'site' | 'viewer' | 'now' | 'zone'> &
  Partial<Pick<RequestContext, 'language'>>

/** What the reader can see. */
export interface EventView {
  context: ViewContext
  /** Unlocks items that have this password. */
  password?: string | undefined
  /** The reader can edit the event and requested the edit context. */
  opened?: boolean
  /** A single event, with the members that lists omit. */
  single?: boolean
}

/** An event in The Events Calendar's format. */
export function toEventJson(row: EventRow, view: EventView): EventJson {
  const { context } = view
  const { site, now } = context
  const globalIdOfEvent = buildGlobalId(site, row.id)
  const trashed = row.status === 'trash'
  const closed = isPasswordLocked(row, view)
  const startUtc = formatUtc(row.startsAt)
  const endUtc = formatUtc(row.endsAt)
  return {
    id: row.id,
    global_id: globalIdOfEvent,
    global_id_lineage: [globalIdOfEvent],
    author: String(row.authorId),
    status: getPublicStatus(row, now),
    ...toPostDates(row),
    url: buildEventUrl(row, context),
    rest_url: buildRestUrl(site, `/events/${row.id}`),
    title: row.title,
    description: closed ? '' : row.description,
    excerpt: closed ? '' : row.excerpt,
    slug: trashed && row.slug !== '' ? `${row.slug}__trashed` : row.slug,
    image: closed || row.image === null ? false : toImageJson(row.image, site),
    all_day: closed ? null : row.allDay,
    start_date: row.start,
    start_date_details: toDateDetails(row.start),
    end_date: row.end,
    end_date_details: toDateDetails(row.end),
    utc_start_date: startUtc,
    utc_start_date_details: toDateDetails(startUtc),
    utc_end_date: endUtc,
    utc_end_date_details: toDateDetails(endUtc),
    timezone: row.timezone,
    timezone_abbr: row.timezoneAbbr,
    cost: closed ? '' : formatCost(row.cost, site.currency),
    cost_details: toCostDetails(closed ? null : row.cost),
    website: closed ? '' : (row.website ?? buildEventUrl(row, context)),
    show_map: closed ? null : row.showMap,
    show_map_link: closed ? null : row.showMapLink,
    hide_from_listings: closed ? null : row.hideFromListings,
    sticky: closed ? null : row.sticky,
    featured: closed ? null : row.featured,
    categories: closed ? [] : toTermsJson(row, 'category', view),
    tags: closed ? [] : toTermsJson(row, 'tag', view),
    venue: closed ? [] : toVenuesJson(row, view),
    organizer: closed ? [] : row.organizers.map(one => toOrganizerJson(one, toLinkedPostView(view))),
    custom_fields: [],
    ticketed: closed ? null : row.ticketed,
    event_status: row.eventStatus,
    post_parent: row.parentId ?? 0,
    series: toEventSeriesJson(row, context.language ?? row.language),
    language: row.language,
    translations: row.translations,
    ...(view.single === true ? { json_ld: buildEventJsonLd(row, context) } : {})
  }
}

function toEventSeriesJson(row: EventRow, language: Language): EventJson['series'] {
  const { seriesId: id, seriesRule: rule, seriesStart: start, seriesDate: date, seriesChanges: changes } = row
  if (id === null || rule === null || start === null || date === null) return null
  return { id, rule, text: describeStoredRule(rule, start, language), date, isException: changes.length > 0, changes }
}

/** The event has a password that the reader has not given. */
export function isPasswordLocked(row: EventRow, { password, opened }: Pick<EventView, 'password' | 'opened'>): boolean {
  return row.password !== null && row.password !== password && opened !== true
}

export function buildEventUrl(row: EventRow, { site, now }: Pick<RequestContext, 'site' | 'now'>): string {
  return buildPageUrl(site, { kind: 'event', id: row.id, slug: row.slug, isPublished: isPublic(row, now) })
}

function toLinkedPostView({ context, password, single }: EventView) {
  return { site: context.site, viewer: context.viewer, now: context.now, password, single: single === true }
}

/** Sorts a few names faster than the database does. */
const collator = new Intl.Collator('de')

/** One venue is an object, none an empty array, several an array: as clients expect. */
function toVenuesJson(row: EventRow, view: EventView): EventJson['venue'] {
  const venues = row.venues.map(one => toVenueJson(one, toLinkedPostView(view)))
  return venues.length === 1 && venues[0] !== undefined ? venues[0] : venues
}

function toTermsJson(row: EventRow, taxonomy: 'category' | 'tag', { context }: EventView): EmbeddedTermJson[] {
  return row.terms
    .filter(term => term.taxonomy === taxonomy)
    .sort((one, other) => collator.compare(one.name, other.name) || one.id - other.id)
    .map(term => toEmbeddedTermJson(term, context.site))
}
