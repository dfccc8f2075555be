import { literal, nothing, type Sql, sql } from '#platform/sql.ts'
import { readMoment } from '../date-words.ts'
import { choiceOf, unlockedFor } from '../linked/filter.ts'
import { invalidParameter } from '../problems.ts'
import type { MomentText, Status } from '../rules.ts'
import { likePattern, readSearch } from '../search.ts'
import type { Visit } from '../tec.ts'
import { isWithout, type LanguageChoice } from '../texts.ts'
import { endOfDay, type Local, startOfDay, toInstant } from '../time.ts'
import { isPublished, type Viewer, visibleTo } from '../viewer.ts'
import type { EventFilterValues } from './schema.ts'
import { dateNames, defaultsOf, type Window } from './window.ts'

/** What a list is narrowed by, as SQL, and what its links say. */
export interface EventFilter {
  conditions: Sql
  /** Each event that is looked for is in one of these, and each is found by an index of its own. */
  parts: Sql[]
  /** Joined besides: what is near, and the text that is looked into. */
  joined: Sql
  /** Joined to order, but not to count. */
  joinedForOrder: Sql
  order: { keys: Sql[]; direction: Sql }
  /** Nothing but dates and the reader decides: the common case, whose statement is worth preparing. */
  isPlain: boolean
  query: Record<string, unknown>
}

/** Ids that the filter's names stand for; found before, because what does not exist is an error. */
export interface Resolved {
  categories: number[] | undefined
  tags: number[] | undefined
}

/** `all`: dates that are not given do not matter, instead of being those of the next two years. */
export type Asked = EventFilterValues & { all?: boolean }

export function eventFilter(visit: Visit, values: Asked, resolved: Resolved): EventFilter {
  const bounds = boundsOf(visit, values)
  const narrowed = narrowing(visit, values, resolved)
  const saysMore = [values.status, values.orderby, values.order].some(value => value !== undefined)
  return {
    conditions: bounds.conditions.reduce((all, condition) => sql`${all} and ${condition}`, narrowed.conditions),
    parts: bounds.parts,
    joined: narrowed.joined,
    joinedForOrder:
      values.orderby === 'title' && values.search === undefined ? joinShownText(choiceOf(visit)) : nothing,
    order: orderOf(values, placeOf(values) !== undefined),
    isPlain: narrowed.isPlain && bounds.areCommon && !saysMore,
    query: queryOf(visit, values, bounds)
  }
}

/** What decides besides dates, for lists and for the days of a calendar. */
export type Narrowing = Pick<EventFilter, 'conditions' | 'joined' | 'isPlain'>

export function narrowing(visit: Visit, values: EventFilterValues, resolved: Resolved): Narrowing {
  const place = placeOf(values)
  const searches = values.search !== undefined
  const conditions: (Sql | undefined)[] = [
    statusCondition(visit.viewer, values.status),
    listedCondition(visit.viewer, values.hidden),
    values.search === undefined ? undefined : searchCondition(values.search),
    // What is hidden is not found either: a search that finds it would tell what is in it.
    searches ? unlockedFor(visit.viewer, sql`event`, values.password) : undefined,
    termCondition(resolved.categories),
    termCondition(resolved.tags),
    linkCondition(values.venue, sql`calendar.event_venues`, sql`venue_id`),
    linkCondition(values.organizer, sql`calendar.event_organizers`, sql`organizer_id`),
    values.featured === undefined ? undefined : values.featured ? sql`event.featured` : sql`not event.featured`,
    values.ticketed === undefined ? undefined : values.ticketed ? sql`event.ticketed` : sql`not event.ticketed`,
    values.include === undefined ? undefined : sql`event.id = any(${values.include})`,
    values.post_parent === undefined ? undefined : sql`event.parent_id = ${values.post_parent}`,
    values.geoloc === undefined ? undefined : geolocCondition(visit.viewer, values.geoloc),
    values.missing_language === undefined ? undefined : isWithout(values.missing_language, sql`event`)
  ]
  const given = conditions.filter(condition => condition !== undefined)
  const near = place === undefined ? nothing : nearJoin(visit.viewer, place)
  return {
    conditions: given.reduce((all, condition) => sql`${all} and ${condition}`),
    joined: searches ? sql`${near} ${joinShownText(choiceOf(visit))}` : near,
    isPlain: given.length === 2 && place === undefined && values.hidden === undefined
  }
}

interface Bounds {
  conditions: Sql[]
  parts: Sql[]
  /** What most ask for: a window, or what is running and to come. */
  areCommon: boolean
  /** What took the place of values that were not given. */
  defaults: Window
}

/** As in the definition of the column `lasts_long`. */
const longMs = 7 * 86_400_000

function boundsOf(visit: Visit, values: Asked): Bounds {
  const all = { parts: [sql`true`], areCommon: false, defaults: {} }
  if (values.include !== undefined) return { ...all, conditions: [] }

  const strict = values.strict_dates === true
  const at = (name: string, value: MomentText, day: (local: Local) => Local) => boundOf(visit, name, value, strict, day)
  const defaults = values.all === true ? {} : defaultsOf(visit, values)
  const from = values.start_date ?? defaults.start_date
  const until = values.end_date ?? defaults.end_date
  const { starts_after, starts_before, ends_after, ends_before } = values
  // What ends before a moment starts before it too, which bounds how much of an index is read; or the other way round.
  const byEnd = values.orderby === 'end_date'
  const conditions: Sql[] = []
  if (from !== undefined) {
    const moment = values.start_date === undefined ? instantOf(from, visit.zone) : at('start_date', from, startOfDay)
    conditions.push(sql`event.starts_at >= ${moment}`)
    if (byEnd) conditions.push(sql`event.ends_at >= ${moment}`)
  }
  if (until !== undefined) {
    const moment = values.end_date === undefined ? instantOf(until, visit.zone) : at('end_date', until, endOfDay)
    conditions.push(sql`event.ends_at <= ${moment}`)
    if (!byEnd) conditions.push(sql`event.starts_at <= ${moment}`)
  }
  if (starts_after !== undefined) conditions.push(sql`event.starts_at > ${at('starts_after', starts_after, endOfDay)}`)
  if (starts_before !== undefined)
    conditions.push(sql`event.starts_at < ${at('starts_before', starts_before, endOfDay)}`)
  if (ends_before !== undefined) {
    const moment = at('ends_before', ends_before, endOfDay)
    conditions.push(sql`event.ends_at < ${moment}`)
    if (!byEnd) conditions.push(sql`event.starts_at < ${moment}`)
  }
  const others = [starts_after, starts_before, ends_before]
  const bounds = { ...all, conditions, defaults, areCommon: others.every(value => value === undefined) }
  if (ends_after === undefined) return bounds

  const after = at('ends_after', ends_after, endOfDay)
  conditions.push(sql`event.ends_at > ${after}`)
  return byEnd ? bounds : { ...bounds, parts: endingAfter(after) }
}

/**
 * Events that may end after a moment, without looking at everything that ever took place: those that do not last long
 * cannot have started much earlier, and the others are few.
 */
function endingAfter(moment: Date): Sql[] {
  const early = new Date(moment.getTime() - longMs)
  return [sql`not event.lasts_long and event.starts_at > ${early}`, sql`event.lasts_long`]
}

const defaultInstants = new Map<string, Date>()

/** The default window is the same for a whole day. */
function instantOf(local: MomentText, zone: string): Date {
  const key = `${local} ${zone}`
  let instant = defaultInstants.get(key)
  if (instant === undefined) {
    instant = toInstant(String(local), zone)
    if (defaultInstants.size > 10) defaultInstants.clear()
    defaultInstants.set(key, instant)
  }
  return instant
}

/** Whole days are meant unless the times are to be taken exactly; `now` always is. */
function boundOf(
  { zone, now }: Visit,
  name: string,
  value: MomentText,
  strict: boolean,
  day: (local: Local) => Local
): Date {
  // Events begin and end at whole seconds; so what was counted for this one can be used again within it.
  const moment = readMoment(value, zone, new Date(Math.floor(now.getTime() / 1000) * 1000))
  if (moment === undefined) {
    throw invalidParameter(name, 'date', { en: 'must be a date or time', de: 'muss ein Datum oder eine Zeit sein' })
  }
  return strict || moment.isNow ? moment.instant : toInstant(day(moment.local), zone)
}

/** Visitors may only ask for what is published; others see what is theirs, editors everything. */
function statusCondition(viewer: Viewer, statuses: Status[] | undefined): Sql {
  const row = sql`event`
  if (statuses === undefined) return visibleTo(viewer, row)
  if (viewer.sees === 'published') {
    if (statuses.some(status => status !== 'publish')) {
      throw invalidParameter('status', 'not-allowed', {
        en: 'may only be publish for you',
        de: 'darf für Sie nur publish sein'
      })
    }
    return visibleTo(viewer, row)
  }
  const wanted = [...new Set(statuses)]
    .map(status => {
      if (status === 'publish') return sql`(${isPublished(row)})`
      if (status === 'future') return sql`(event.status = 'publish' and not (${isPublished(row)}))`
      return sql`event.status = ${status}`
    })
    .reduce((all, one) => sql`${all} or ${one}`)
  return viewer.sees === 'all'
    ? sql`(${wanted})`
    : sql`(${wanted}) and (event.author_id = ${viewer.authorId} or (${isPublished(row)}))`
}

/** What is left out of lists can be listed by those who look after the whole calendar. */
function listedCondition(viewer: Viewer, hidden: boolean | undefined): Sql {
  if (hidden !== undefined && viewer.sees !== 'all') {
    throw invalidParameter('hidden', 'not-allowed', { en: 'is for editors only', de: 'ist nur für die Redaktion' })
  }
  return hidden === true ? sql`event.hide_from_listings` : sql`not event.hide_from_listings`
}

/** In the text that the reader gets. */
function searchCondition(search: string): Sql {
  const { wanted, unwanted } = readSearch(search)
  return wanted
    .map(term => sql`text.search like ${likePattern(term)}`)
    .concat(unwanted.map(term => sql`text.search not like ${likePattern(term)}`))
    .reduce((all, one) => sql`${all} and ${one}`, sql`true`)
}

/** Joins the text that a reader gets, as `joinText` does, in words that tell PostgreSQL how many rows that leaves. */
function joinShownText({ wanted, fallback }: LanguageChoice): Sql {
  return sql`
    join calendar.event_texts as text on text.event_id = event.id and (
      text.language = ${wanted}
      or (
        ${wanted} <> all(event.languages)
        and text.language = case when ${fallback} = any(event.languages) then ${fallback} else event.languages[1] end
      )
    )`
}

function termCondition(termIds: number[] | undefined): Sql | undefined {
  if (termIds === undefined) return undefined
  return sql`exists (
    select from calendar.event_terms as link where link.event_id = event.id and link.term_id = any(${termIds})
  )`
}

function linkCondition(wanted: number[] | undefined, table: Sql, column: Sql): Sql | undefined {
  if (wanted === undefined) return undefined
  return sql`exists (select from ${table} as link where link.event_id = event.id and link.${column} = any(${wanted}))`
}

function geolocCondition(viewer: Viewer, wanted: boolean): Sql {
  return sql`${wanted ? sql`exists` : sql`not exists`} (
    select from calendar.event_venues as link
    join calendar.venues as venue on venue.id = link.venue_id
    where link.event_id = event.id and venue.geo_lat is not null and ${visibleTo(viewer, sql`venue`)}
  )`
}

interface Place {
  latitude: number
  longitude: number
  kilometres: number
}

const kilometresDefault = 40
const earthKilometres = 6371

function placeOf({ geoloc_lat, geoloc_lng, geoloc_radius }: EventFilterValues): Place | undefined {
  const latitude = geoloc_lat ?? undefined
  const longitude = geoloc_lng ?? undefined
  if (latitude === undefined && longitude === undefined) return undefined
  if (latitude === undefined || longitude === undefined) {
    throw invalidParameter(latitude === undefined ? 'geoloc_lat' : 'geoloc_lng', 'both-coordinates', {
      en: 'is needed too: geoloc_lat and geoloc_lng go together',
      de: 'fehlt: geoloc_lat und geoloc_lng gehören zusammen'
    })
  }
  return { latitude, longitude, kilometres: geoloc_radius ?? kilometresDefault }
}

/** Events near a place, with the distance of their nearest venue. Starts from the venues, which are far fewer than events. */
function nearJoin(viewer: Viewer, { latitude, longitude, kilometres }: Place): Sql {
  const degrees = (kilometres / earthKilometres) * (180 / Math.PI)
  return sql`
    join (
      select link.event_id, min(venue.distance) as distance
      from (
        select venue.id, 2 * ${earthKilometres}::float8 * asin(least(1, sqrt(
          sin(radians(venue.geo_lat - ${latitude}) / 2) ^ 2
          + cos(radians(${latitude}::float8)) * cos(radians(venue.geo_lat)) * sin(radians(venue.geo_lng - ${longitude}) / 2) ^ 2
        ))) as distance
        from calendar.venues as venue
        where venue.geo_lat between ${latitude - degrees}::float8 and ${latitude + degrees}::float8
          and ${visibleTo(viewer, sql`venue`)}
      ) as venue
      join calendar.event_venues as link on link.venue_id = venue.id
      where venue.distance <= ${kilometres}::float8
      group by link.event_id
    ) as near on near.event_id = event.id`
}

const orderColumns: Record<string, Sql> = {
  start_date: sql`event.starts_at`,
  end_date: sql`event.ends_at`,
  title: sql`text.title_key`,
  date: sql`coalesce(event.published_at, event.created_at)`,
  modified: sql`event.modified_at`
}

function orderOf({ orderby, order }: EventFilterValues, near: boolean): EventFilter['order'] {
  const direction = order?.toLowerCase() === 'desc' ? sql`desc` : sql`asc`
  if (near && orderby === undefined) return { keys: [sql`near.distance`, sql`event.starts_at`], direction }
  return { keys: [orderColumns[orderby ?? 'start_date'] ?? sql`event.starts_at`], direction }
}

/** Everything that was given, in the peer's order, and what took the place of what was not. */
function queryOf({ given, viewer }: Visit, values: EventFilterValues, { defaults }: Bounds): Record<string, unknown> {
  const names = [
    'start_date',
    'end_date',
    'search',
    'geoloc',
    'geoloc_lat',
    'geoloc_lng',
    'geoloc_radius',
    'status',
    'post_parent',
    'include',
    ...dateNames,
    'strict_dates',
    'categories',
    'tags',
    'venue',
    'organizer',
    'featured',
    'ticketed',
    'hidden',
    'missing_language',
    'orderby',
    'order',
    'password'
  ] as const
  const query: Record<string, unknown> = {}
  for (const name of names) {
    const value = values[name]
    if (value !== undefined) query[name] = Array.isArray(value) ? value : given[name]
    else if (name === 'start_date' || name === 'end_date') query[name] = defaults[name]
    else if (name === 'status' && viewer.sees === 'published') query[name] = 'publish'
  }
  return query
}

/** A page of ids, in order. */
export function pageOf(filter: EventFilter, rows: number, offset: number): Sql {
  const { conditions, parts, joined, joinedForOrder, order } = filter
  const { direction } = order
  const names = order.keys.map((_, place) => keyNames[place] ?? nothing)
  const keys = order.keys.reduce((all, key, place) => sql`${all}, ${key} as ${names[place]}`, nothing)
  const inOrder = [...names, sql`id`].map(name => sql`${name} ${direction}`).reduce((all, one) => sql`${all}, ${one}`)
  // As much of each part as the page may need of it.
  const found = parts.map(
    part => sql`(
      select event.id ${keys}
      from calendar.events as event ${joined} ${joinedForOrder}
      where ${conditions} and ${part}
      order by ${inOrder}
      limit ${literal(rows + offset)}
    )`
  )
  return sql`
    select ordered.id, row_number() over () as place
    from (
      select id from (${found.reduce((all, part) => sql`${all} union all ${part}`)}) as found
      order by ${inOrder}
      limit ${literal(rows)} ${offset === 0 ? nothing : sql`offset ${offset}`}
    ) as ordered`
}

const keyNames = [sql`first_key`, sql`second_key`]

/** How many there are. */
export function countOf({ conditions, parts, joined }: EventFilter): Sql {
  return parts
    .map(part => sql`(select count(*) from calendar.events as event ${joined} where ${conditions} and ${part})`)
    .reduce((all, one) => sql`${all} + ${one}`)
}
