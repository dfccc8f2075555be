import { type Sql, sql } from '#platform/database/sql.ts'
import type { Cost } from '../content/cost.ts'
import { buildPostColumns, type PostRow } from '../content/post-columns.ts'
import { joinText, type LanguageChoice, organizerTexts, termTexts, venueTexts } from '../content/texts.ts'
import { buildOrganizerColumns, type OrganizerRow } from '../organizers/queries.ts'
import { buildVisibleCondition, type Viewer } from '../permissions/permissions.ts'
import { buildTermColumns, type TermRow } from '../terms/queries.ts'
import { buildVenueColumns, type VenueRow } from '../venues/queries.ts'

/** An event with everything its response needs. */
export interface EventRow extends PostRow {
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
  series: EventSeriesRow | null
  venues: VenueRow[] | null
  organizers: OrganizerRow[] | null
  terms: TermRow[] | null
}

/** The series of an occurrence. */
export interface EventSeriesRow {
  id: number
  rule: string
  /** Its local start by the rule, even if it was moved. */
  date: string
  isException: boolean
}

/** Permissions and language of the reader; embedded items use the same. */
export interface Reader {
  viewer: Viewer
  choice: LanguageChoice
  zone: string
}

const columnsCache = new Map<string, Sql>()

/** Built once and cached for all readers with the same visibility and languages. */
export function getEventColumns(reader: Reader): Sql {
  const { viewer, choice, zone } = reader
  if (viewer.visibility === 'own') return buildEventColumns(reader)
  const key = `${viewer.visibility} ${choice.wanted} ${choice.fallback} ${zone}`
  let found = columnsCache.get(key)
  if (found === undefined) {
    found = buildEventColumns(reader)
    columnsCache.set(key, found)
  }
  return found
}

function buildEventColumns({ viewer, choice, zone }: Reader): Sql {
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
    case when event.series_id is not null then (
      select json_build_object(
        'id', series.id, 'rule', series.rule, 'date', event.series_date::text,
        'isException', event.series_changes <> '{}'
      )
      from calendar.series as series where series.id = event.series_id
    ) end as series,
    (
      select json_agg(venue)
      from (
        select ${buildVenueColumns(zone)}
        from calendar.event_venues as link
        ${joinLinked(sql`calendar.venues`, sql`venue`)}
        ${joinText(venueTexts, sql`venue`, choice)}
        where link.event_id = event.id and ${buildVisibleCondition(viewer, sql`venue`)}
        order by link.position
      ) as venue
    ) as venues,
    (
      select json_agg(organizer)
      from (
        select ${buildOrganizerColumns(zone)}
        from calendar.event_organizers as link
        ${joinLinked(sql`calendar.organizers`, sql`organizer`)}
        ${joinText(organizerTexts, sql`organizer`, choice)}
        where link.event_id = event.id and ${buildVisibleCondition(viewer, sql`organizer`)}
        order by link.position
      ) as organizer
    ) as organizers,
    (
      select json_agg(term)
      from (
        select ${buildTermColumns()}
        from calendar.event_terms as link
        ${joinLinked(sql`calendar.terms`, sql`term`)}
        ${joinText(termTexts, sql`term`, choice)}
        where link.event_id = event.id
      ) as term
    ) as terms`
}

/**
 * Joins linked items by id only: without statistics, as in a freshly filled database, PostgreSQL assumes very few
 * venues and would scan all of them for each event.
 */
function joinLinked(table: Sql, row: Sql): Sql {
  return sql`cross join lateral (select * from ${table} where id = link.${row}_id offset 0) as ${row}`
}
