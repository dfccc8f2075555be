import { type Sql, sql } from '#platform/database/sql.ts'
import type { ValueCache } from '#platform/http/cache-tags.ts'
import type { Cost } from '../content/cost.ts'
import { buildPostColumns, type PostRow } from '../content/post-columns.ts'
import type { LanguageChoice } from '../content/texts.ts'
import type { OrganizerRow } from '../organizers/queries.ts'
import type { Viewer } from '../permissions/permissions.ts'
import type { TermRow } from '../terms/queries.ts'
import type { VenueRow } from '../venues/queries.ts'

/** A stored event in one language, with the ids of what it links to. */
export interface StoredEvent extends PostRow {
  title: string
  excerpt: string
  parentId: number | null
  allDay: boolean
  start: string
  end: string
  startsAt: string
  endsAt: string
  timezone: string
  timezoneAbbr: string
  cost: Cost | null
  website: string | null
  showMap: boolean
  showMapLink: boolean
  hideFromListings: boolean
  sticky: boolean
  featured: boolean
  ticketed: boolean
  eventStatus: 'scheduled' | 'canceled' | 'postponed'
  /** Null for events older than stored UIDs, until a job stores it. */
  uid: string | null
  /** Null, as are its other fields of a series, for an event that is not an occurrence of one. */
  seriesId: number | null
  /** Its local start by the rule of its series, even if it was moved. */
  seriesDate: string | null
  /** The fields in which it differs from its series. */
  seriesChanges: string[]
  seriesRule: string | null
  /** The first date of its series. */
  seriesStart: string | null
  venueIds: number[]
  organizerIds: number[]
  termIds: number[]
}

/** An event with everything its response needs. */
export interface EventRow extends StoredEvent {
  /** Those that the reader can see. */
  venues: VenueRow[]
  organizers: OrganizerRow[]
  terms: TermRow[]
}

/** Permissions and language of the reader; embedded items use the same. */
export interface Reader {
  viewer: Viewer
  choice: LanguageChoice
  zone: string
  now: Date
  /** For readers who get cached responses: linked items come from it. */
  cache?: ValueCache | undefined
}

/** For the columns of a `StoredEvent`. */
export const joinSeries = sql`left join calendar.series as series on series.id = event.series_id`

/** The columns of a `StoredEvent`, from rows aliased as `event`, `text` and `series`. */
export function buildEventColumns(zone: string): Sql {
  return sql`
    ${buildPostColumns(sql`event`, zone)},
    text.title, text.excerpt,
    event.languages as translations,
    event.parent_id as "parentId",
    event.all_day as "allDay",
    event.start_local::text as start,
    event.end_local::text as "end",
    event.starts_at as "startsAt",
    event.ends_at as "endsAt",
    event.timezone,
    event.timezone_abbr as "timezoneAbbr",
    event.cost, event.website,
    event.show_map as "showMap",
    event.show_map_link as "showMapLink",
    event.hide_from_listings as "hideFromListings",
    event.sticky, event.featured, event.ticketed,
    event.event_status as "eventStatus", event.uid,
    event.series_id as "seriesId",
    event.series_date::text as "seriesDate",
    event.series_changes as "seriesChanges",
    series.rule as "seriesRule",
    series.start_local::text as "seriesStart",
    array(select venue_id from calendar.event_venues where event_id = event.id order by position) as "venueIds",
    array(select organizer_id from calendar.event_organizers where event_id = event.id order by position)
      as "organizerIds",
    array(select term_id from calendar.event_terms where event_id = event.id order by term_id) as "termIds"`
}
