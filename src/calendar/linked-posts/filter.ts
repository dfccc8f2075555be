import { emptySql, type Sql, sql } from '#platform/database/sql.ts'
import { buildText } from '#platform/messages/messages.ts'
import { parseSearch, toLikePattern } from '../content/search.ts'
import { buildMissingLanguageCondition, joinText, type LanguageChoice } from '../content/texts.ts'
import type { PostStatus } from '../contract/params.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import { buildPublishedCondition, buildVisibleCondition, type Viewer } from '../permissions/permissions.ts'
import { type LinkedPostType as Description, type LinkedPostListValues, linkedPostFilters } from './schema.ts'

type LinkedTables = Pick<Description<never, never>, 'table' | 'row' | 'texts' | 'links'>

/** The filter of a list as SQL, and the query parameters of its links. */
export interface LinkedPostFilter {
  /** Joins the text for searching or sorting, if needed. */
  joined: Sql
  joinedToCount: Sql
  conditions: Sql
  order: Sql
  /** The number of events as an additional column, if requested. */
  counts: Sql
  /** Whether the requested event exists for the reader. */
  eventIsKnown: Sql
  query: Record<string, unknown>
}

export function buildLinkedPostFilter(
  context: RequestContext,
  linked: LinkedTables,
  values: LinkedPostListValues
): LinkedPostFilter {
  const { row } = linked
  const { viewer, now } = context
  const { event, has_events, only_with_upcoming, include, password } = values
  const knownEvent = sql`event.id = ${event} and ${buildVisibleCondition(viewer, sql`event`)}`
  const conditions = [
    buildStatusCondition(viewer, row, values.status),
    include === undefined ? undefined : sql`${row}.id = any(${include}::bigint[])`,
    event === undefined
      ? undefined
      : buildEventCondition(linked, sql`${knownEvent} and ${buildUnlockedCondition(viewer, sql`event`, password)}`),
    has_events == null
      ? undefined
      : sql`${has_events ? emptySql : sql`not`} ${buildEventCondition(
          linked,
          sql`event.status in ('publish', 'private') and ${buildVisibleCondition(viewer, sql`event`)}`
        )}`,
    only_with_upcoming === true
      ? buildEventCondition(linked, sql`event.starts_at > ${now} and ${buildVisibleCondition(viewer, sql`event`)}`)
      : undefined,
    values.search === undefined ? undefined : buildSearchCondition(linked, values.search),
    // A search must not match protected texts: a hit would reveal their content.
    values.search === undefined ? undefined : buildUnlockedCondition(viewer, row, password),
    values.missing_language === undefined ? undefined : buildMissingLanguageCondition(values.missing_language, row)
  ].filter(condition => condition !== undefined)
  const text = joinText(linked.texts, row, toLanguageChoice(context))
  const searches = values.search !== undefined
  return {
    joined: searches || values.orderby === 'title' ? text : emptySql,
    joinedToCount: searches ? text : emptySql,
    conditions: conditions.reduce((all, one) => sql`${all} and ${one}`),
    order: buildOrder(viewer, row, values),
    counts: values.with_counts === true ? buildEventCount(viewer, linked) : emptySql,
    eventIsKnown:
      event === undefined ? sql`true` : sql`exists (select from calendar.events as event where ${knownEvent})`,
    query: buildLinkQuery(context, values)
  }
}

/** The language choice of a request. */
export function toLanguageChoice({ language, site }: Pick<RequestContext, 'language' | 'site'>): LanguageChoice {
  return { wanted: language, fallback: site.settings.defaultLanguage }
}

/** Visitors can list only published items; other roles also see their own, editors see all. */
function buildStatusCondition(viewer: Viewer, row: Sql, statuses: PostStatus[] | undefined): Sql {
  if (statuses === undefined) return buildVisibleCondition(viewer, row)
  if (viewer.visibility === 'published') {
    if (statuses.some(status => status !== 'publish')) {
      throw newInvalidParamProblem('status', 'not-allowed', buildText('calendar-problems', 'mustBePublishFor'))
    }
    return buildVisibleCondition(viewer, row)
  }
  const shown = sql`case when ${row}.status = 'publish' and not (${buildPublishedCondition(row)}) then 'future' else ${row}.status end`
  const wanted = sql`(${shown}) = any(${[...new Set(statuses)]}::text[])`
  return viewer.visibility === 'all'
    ? wanted
    : sql`${wanted} and (${row}.author_id = ${viewer.authorId} or (${shown}) = 'publish')`
}

function buildEventCondition({ links, row, texts }: LinkedTables, condition: Sql): Sql {
  return sql`exists (
    select from ${links} as link
    join calendar.events as event on event.id = link.event_id
    where link.${texts.ownerColumn} = ${row}.id and ${condition}
  )`
}

/** Too expensive for visitors: counts all events of a page of venues. Editors' counts include hidden events. */
function buildEventCount(viewer: Viewer, { links, row, texts }: LinkedTables): Sql {
  if (viewer.visibility === 'published') {
    throw newInvalidParamProblem('with_counts', 'not-allowed', buildText('calendar-problems', 'requiresWriteAccess'))
  }
  return sql`, (
    select count(*) from ${links} as link
    join calendar.events as event on event.id = link.event_id
    where link.${texts.ownerColumn} = ${row}.id and ${buildVisibleCondition(viewer, sql`event`)}
      ${viewer.visibility === 'all' ? emptySql : sql`and not event.hide_from_listings`}
  ) as "eventCount"`
}

/** Rows that the viewer can read without a password or with the given one. */
export function buildUnlockedCondition({ visibility, authorId }: Viewer, row: Sql, password: string | undefined): Sql {
  if (visibility === 'all') return sql`true`
  const mine = visibility === 'own' ? sql`or ${row}.author_id = ${authorId}` : emptySql
  return sql`(${row}.password is null or ${row}.password = ${password ?? null}::text ${mine})`
}

/** Searches the text that the reader gets. The longest word finds candidates by index, in any language. */
function buildSearchCondition({ row, texts }: LinkedTables, search: string): Sql {
  const { included, excluded } = parseSearch(search)
  const longest = included.reduce((long, term) => (term.length > long.length ? term : long), '')
  return sql`${row}.id in (select ${texts.ownerColumn} from ${texts.table} where search like ${toLikePattern(longest)})
    and text.search like all (${included.map(toLikePattern)}::text[])
    and not text.search like any (${excluded.map(toLikePattern)}::text[])`
}

/** Ties (same date or name) are sorted by id. */
function buildOrder({ visibility }: Viewer, row: Sql, { orderby = 'date', order }: LinkedPostListValues): Sql {
  const ascends = (order?.toLowerCase() ?? (orderby === 'title' ? 'asc' : 'desc')) === 'asc'
  const direction = ascends ? sql`asc` : sql`desc`
  if (orderby === 'modified') return sql`${row}.modified_at ${direction}, ${row}.id ${direction}`
  // The search text begins with the name, without case and accents.
  if (orderby === 'title') {
    return sql`split_part(text.search, chr(10), 1) collate "C" ${direction}, ${row}.id ${direction}`
  }
  // Only unpublished items have no date and use their creation time; for visitors the plain column allows an index.
  if (visibility !== 'published') {
    return sql`coalesce(${row}.published_at, ${row}.created_at) ${direction}, ${row}.id ${direction}`
  }
  return sql`${row}.published_at ${direction} nulls ${ascends ? sql`first` : sql`last`}, ${row}.id ${direction}`
}

/** The link parameters: everything that was given, and the defaults. */
function buildLinkQuery({ rawParams, viewer }: RequestContext, values: LinkedPostListValues): Record<string, unknown> {
  const names = [...Object.keys(linkedPostFilters), 'password'] as (keyof LinkedPostListValues)[]
  return Object.fromEntries(
    names.flatMap(name => {
      if (values[name] !== undefined) return [[name, rawParams[name]]]
      return name === 'status' && viewer.visibility === 'published' ? [[name, 'publish']] : []
    })
  )
}
