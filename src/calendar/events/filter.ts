import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { buildText } from '#platform/messages/messages.ts'
import { parseSearch, toLikePattern } from '../content/search.ts'
import { buildMissingLanguageCondition, type LanguageChoice } from '../content/texts.ts'
import type { PostStatus } from '../contract/params.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import { buildUnlockedCondition, toLanguageChoice } from '../linked-posts/filter.ts'
import { buildPublishedCondition, buildVisibleCondition, type Viewer } from '../permissions/permissions.ts'
import { buildCostCondition } from './cost-filter.ts'
import { buildDateBounds } from './date-bounds.ts'
import { buildNearJoin, parseGeoCircle } from './geo-filter.ts'
import { buildLinkQuery } from './link-query.ts'
import type { EventFilterValues } from './schema.ts'

/** The filter of a list as SQL, and the query parameters of its links. */
export interface EventFilter {
  conditions: Sql
  /** Disjoint conditions that together cover the matching events; each one uses its own index. */
  parts: Sql[]
  /** Joins that the conditions need: nearby venues, and the searched text. */
  joined: Sql
  /** Joins needed for sorting, but not for counting. */
  joinedForOrder: Sql
  order: { keys: Sql[]; direction: Sql }
  once?: SeriesOnce
  /** Only dates and the reader's permissions filter: the common case, worth a prepared statement. */
  isPlain: boolean
  query: Record<string, unknown>
}

/** Ids of the terms that the filter names; resolved first, because an unknown term is an error. */
export interface ResolvedTerms {
  categories: number[] | undefined
  tags: number[] | undefined
}

/** `all`: missing dates mean no bound, instead of the default window of two years. */
export type EventListInput = EventFilterValues & { all?: boolean }

export function buildEventFilter(
  context: RequestContext,
  values: EventListInput,
  resolved: ResolvedTerms
): EventFilter {
  const bounds = buildDateBounds(context, values)
  const narrowed = buildEventConditions(context, values, resolved)
  const hasOtherFilters = [values.status, values.orderby, values.order].some(value => value !== undefined)
  const conditions = bounds.conditions.reduce((all, condition) => sql`${all} and ${condition}`, narrowed.conditions)
  return {
    conditions,
    ...(values.series_once === true
      ? { once: buildSeriesOnce(conditions, narrowed.joined, bounds.parts, values) }
      : {}),
    parts: bounds.parts,
    joined: narrowed.joined,
    joinedForOrder:
      values.orderby === 'title' && values.search === undefined ? joinShownText(toLanguageChoice(context)) : emptySql,
    order: buildOrder(values, parseGeoCircle(values) !== undefined),
    isPlain: narrowed.isPlain && bounds.areCommon && !hasOtherFilters,
    query: buildLinkQuery(context, values, bounds)
  }
}

/** Lists of each series only the first event that would be in the list. */
interface SeriesOnce {
  condition: Sql
  /** How many events the total has less. */
  difference: Sql
}

/** The inner queries are independent of the events around them, so they run once and read only events of series. */
function buildSeriesOnce(
  conditions: Sql,
  joined: Sql,
  parts: Sql[],
  { orderby, order }: EventFilterValues
): SeriesOnce {
  const anyPart = parts.reduce((all, part) => sql`${all} or ${part}`)
  const isByStart = orderby === undefined || orderby === 'start_date'
  const direction = isByStart && order?.toLowerCase() === 'desc' ? sql`desc` : sql`asc`
  const ofSeries = sql`
    from calendar.events as event ${joined}
    where event.series_id is not null and ${conditions} and (${anyPart})`
  return {
    condition: sql`(event.series_id is null or event.id in (
      select distinct on (event.series_id) event.id ${ofSeries} order by event.series_id, event.starts_at ${direction}, event.id
    ))`,
    difference: sql`(select count(*) - count(distinct event.series_id) ${ofSeries})`
  }
}

/** Conditions besides dates, for lists and for calendar days. */
export type EventConditions = Pick<EventFilter, 'conditions' | 'joined' | 'isPlain'>

export function buildEventConditions(
  context: RequestContext,
  values: EventFilterValues,
  resolved: ResolvedTerms
): EventConditions {
  const place = parseGeoCircle(values)
  const searches = values.search !== undefined
  const conditions: (Sql | undefined)[] = [
    buildStatusCondition(context.viewer, values.status),
    buildListedCondition(context.viewer, values.hidden),
    values.search === undefined ? undefined : buildSearchCondition(values.search),
    // A search must not match protected events: a hit would reveal their text or cost.
    searches || values.cost_max !== undefined
      ? buildUnlockedCondition(context.viewer, sql`event`, values.password)
      : undefined,
    buildTermCondition(resolved.categories),
    buildTermCondition(resolved.tags),
    buildLinkCondition(values.venue, sql`calendar.event_venues`, sql`venue_id`),
    buildLinkCondition(values.organizer, sql`calendar.event_organizers`, sql`organizer_id`),
    values.author === undefined ? undefined : sql`event.author_id = any(${values.author})`,
    values.featured === undefined ? undefined : values.featured ? sql`event.featured` : sql`not event.featured`,
    values.ticketed === undefined ? undefined : values.ticketed ? sql`event.ticketed` : sql`not event.ticketed`,
    values.is_virtual === undefined ? undefined : values.is_virtual ? sql`event.is_virtual` : sql`not event.is_virtual`,
    values.cost_max === undefined ? undefined : buildCostCondition(values.cost_max),
    values.include === undefined ? undefined : sql`event.id = any(${values.include})`,
    values.post_parent === undefined ? undefined : sql`event.parent_id = ${values.post_parent}`,
    values.series === undefined ? undefined : sql`event.series_id = ${values.series}`,
    values.geoloc === undefined ? undefined : buildGeolocCondition(context.viewer, values.geoloc),
    values.missing_language === undefined
      ? undefined
      : buildMissingLanguageCondition(values.missing_language, sql`event`)
  ]
  const given = conditions.filter(condition => condition !== undefined)
  const near = place === undefined ? emptySql : buildNearJoin(context.viewer, place)
  return {
    conditions: given.reduce((all, condition) => sql`${all} and ${condition}`),
    joined: searches ? sql`${near} ${joinShownText(toLanguageChoice(context))}` : near,
    isPlain: given.length === 2 && place === undefined && values.hidden === undefined
  }
}

/** Visitors can list only published events; other roles also see their own, editors see all. */
function buildStatusCondition(viewer: Viewer, statuses: PostStatus[] | undefined): Sql {
  const row = sql`event`
  if (statuses === undefined) return buildVisibleCondition(viewer, row)
  if (viewer.visibility === 'published') {
    if (statuses.some(status => status !== 'publish')) {
      throw newInvalidParamProblem('status', 'not-allowed', buildText('event-problems', 'notAllowed'))
    }
    return buildVisibleCondition(viewer, row)
  }
  const wanted = [...new Set(statuses)]
    .map(status => {
      if (status === 'publish') return sql`(${buildPublishedCondition(row)})`
      if (status === 'future') return sql`(event.status = 'publish' and not (${buildPublishedCondition(row)}))`
      return sql`event.status = ${status}`
    })
    .reduce((all, one) => sql`${all} or ${one}`)
  return viewer.visibility === 'all'
    ? sql`(${wanted})`
    : sql`(${wanted}) and (event.author_id = ${viewer.authorId} or (${buildPublishedCondition(row)}))`
}

/** Only roles that see the whole calendar can list events that are hidden from lists. */
function buildListedCondition(viewer: Viewer, hidden: boolean | undefined): Sql {
  if (hidden !== undefined && viewer.visibility !== 'all') {
    throw newInvalidParamProblem('hidden', 'not-allowed', buildText('event-problems', 'isForEditorsOnly'))
  }
  return hidden === true ? sql`event.hide_from_listings` : sql`not event.hide_from_listings`
}

/** Searches the text that the reader gets. */
function buildSearchCondition(search: string): Sql {
  const { included, excluded } = parseSearch(search)
  return included
    .map(term => sql`text.search like ${toLikePattern(term)}`)
    .concat(excluded.map(term => sql`text.search not like ${toLikePattern(term)}`))
    .reduce((all, one) => sql`${all} and ${one}`, sql`true`)
}

/** Like `joinText`, in a form that lets PostgreSQL estimate the number of rows. */
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

function buildTermCondition(termIds: number[] | undefined): Sql | undefined {
  if (termIds === undefined) return undefined
  return sql`exists (
    select from calendar.event_terms as link where link.event_id = event.id and link.term_id = any(${termIds})
  )`
}

function buildLinkCondition(wanted: number[] | undefined, table: Sql, column: Sql): Sql | undefined {
  if (wanted === undefined) return undefined
  return sql`exists (select from ${table} as link where link.event_id = event.id and link.${column} = any(${wanted}))`
}

function buildGeolocCondition(viewer: Viewer, wanted: boolean): Sql {
  return sql`${wanted ? sql`exists` : sql`not exists`} (
    select from calendar.event_venues as link
    join calendar.venues as venue on venue.id = link.venue_id
    where link.event_id = event.id and venue.geo_lat is not null and ${buildVisibleCondition(viewer, sql`venue`)}
  )`
}

const orderColumns: Record<string, Sql> = {
  start_date: sql`event.starts_at`,
  end_date: sql`event.ends_at`,
  title: sql`text.title_key`,
  date: sql`coalesce(event.published_at, event.created_at)`,
  modified: sql`event.modified_at`
}

function buildOrder({ orderby, order }: EventFilterValues, near: boolean): EventFilter['order'] {
  const direction = order?.toLowerCase() === 'desc' ? sql`desc` : sql`asc`
  if (near && orderby === undefined) return { keys: [sql`near.distance`, sql`event.starts_at`], direction }
  return { keys: [orderColumns[orderby ?? 'start_date'] ?? sql`event.starts_at`], direction }
}

/** A page of ids, sorted. */
export function buildPageQuery(filter: EventFilter, rows: number, offset: number): Sql {
  const { conditions, parts, joined, joinedForOrder, order, once } = filter
  const { direction } = order
  const condition = once === undefined ? conditions : sql`${conditions} and ${once.condition}`
  const names = order.keys.map((_, place) => keyNames[place] ?? emptySql)
  const keys = order.keys.reduce((all, key, place) => sql`${all}, ${key} as ${names[place]}`, emptySql)
  const inOrder = [...names, sql`id`].map(name => sql`${name} ${direction}`).reduce((all, one) => sql`${all}, ${one}`)
  // From each part, select only as many rows as the page may need: a power of two, so that there are few statements.
  const rowsOfPart = Math.min(2 ** Math.ceil(Math.log2(rows + offset)), Number.MAX_SAFE_INTEGER)
  const found = parts.map(
    part => sql`(
      select event.id ${keys}
      from calendar.events as event ${joined} ${joinedForOrder}
      where ${condition} and ${part}
      ${parts.length === 1 ? emptySql : sql`order by ${inOrder} limit ${toLiteral(rowsOfPart)}`}
    )`
  )
  return sql`
    select ordered.id, row_number() over () as place
    from (
      select id from (${found.reduce((all, part) => sql`${all} union all ${part}`)}) as found
      order by ${inOrder}
      limit ${toLiteral(rows)} ${offset === 0 ? emptySql : sql`offset ${offset}`}
    ) as ordered`
}

const keyNames = [sql`first_key`, sql`second_key`]

export function buildCountQuery({ conditions, parts, joined, once }: EventFilter): Sql {
  const total = parts
    .map(part => sql`(select count(*) from calendar.events as event ${joined} where ${conditions} and ${part})`)
    .reduce((all, one) => sql`${all} + ${one}`)
  return once === undefined ? total : sql`${total} - ${once.difference}`
}
