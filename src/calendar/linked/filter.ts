import { nothing, type Sql, sql } from '#platform/sql.ts'
import { invalidParameter } from '../problems.ts'
import type { Status } from '../rules.ts'
import { likePattern, readSearch } from '../search.ts'
import type { Visit } from '../tec.ts'
import { isWithout, joinText, type LanguageChoice } from '../texts.ts'
import { isPublished, type Viewer, visibleTo } from '../viewer.ts'
import { type Linked as Description, type LinkedListValues, linkedFilters } from './schema.ts'

type Linked = Pick<Description<never, never>, 'table' | 'row' | 'texts' | 'links'>

/** What a list is narrowed by, as SQL, and what its links say. */
export interface LinkedFilter {
  /** Joins the text that is looked into or ordered by, where one is. */
  joined: Sql
  joinedToCount: Sql
  conditions: Sql
  order: Sql
  /** How many events each has, as one more column, where that is asked. */
  counts: Sql
  /** Whether the event that was asked for exists for the reader. */
  eventIsKnown: Sql
  query: Record<string, unknown>
}

export function filterOf(visit: Visit, linked: Linked, values: LinkedListValues): LinkedFilter {
  const { row } = linked
  const { viewer, now } = visit
  const { event, has_events, only_with_upcoming, include, password } = values
  const knownEvent = sql`event.id = ${event} and ${visibleTo(viewer, sql`event`)}`
  const conditions = [
    statusCondition(viewer, row, values.status),
    include === undefined ? undefined : sql`${row}.id = any(${include}::bigint[])`,
    event === undefined
      ? undefined
      : withEvent(linked, sql`${knownEvent} and ${unlockedFor(viewer, sql`event`, password)}`),
    has_events == null
      ? undefined
      : sql`${has_events ? nothing : sql`not`} ${withEvent(
          linked,
          sql`event.status in ('publish', 'private') and ${visibleTo(viewer, sql`event`)}`
        )}`,
    only_with_upcoming === true
      ? withEvent(linked, sql`event.starts_at > ${now} and ${visibleTo(viewer, sql`event`)}`)
      : undefined,
    values.search === undefined ? undefined : searchCondition(linked, values.search),
    // What is hidden is not found either: a search that finds it would tell what is in it.
    values.search === undefined ? undefined : unlockedFor(viewer, row, password),
    values.missing_language === undefined ? undefined : isWithout(values.missing_language, row)
  ].filter(condition => condition !== undefined)
  const text = joinText(linked.texts, row, choiceOf(visit))
  const searches = values.search !== undefined
  return {
    joined: searches || values.orderby === 'title' ? text : nothing,
    joinedToCount: searches ? text : nothing,
    conditions: conditions.reduce((all, one) => sql`${all} and ${one}`),
    order: orderOf(viewer, row, values),
    counts: values.with_counts === true ? countsFor(viewer, linked) : nothing,
    eventIsKnown:
      event === undefined ? sql`true` : sql`exists (select from calendar.events as event where ${knownEvent})`,
    query: queryOf(visit, values)
  }
}

/** The languages a reader of a visit gets something in. */
export function choiceOf({ language, site }: Pick<Visit, 'language' | 'site'>): LanguageChoice {
  return { wanted: language, fallback: site.settings.defaultLanguage }
}

/** Visitors may only ask for what is published; others see what is theirs, editors everything. */
function statusCondition(viewer: Viewer, row: Sql, statuses: Status[] | undefined): Sql {
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
  const shown = sql`case when ${row}.status = 'publish' and not (${isPublished(row)}) then 'future' else ${row}.status end`
  const wanted = sql`(${shown}) = any(${[...new Set(statuses)]}::text[])`
  return viewer.sees === 'all'
    ? wanted
    : sql`${wanted} and (${row}.author_id = ${viewer.authorId} or (${shown}) = 'publish')`
}

function withEvent({ links, row, texts }: Linked, condition: Sql): Sql {
  return sql`exists (
    select from ${links} as link
    join calendar.events as event on event.id = link.event_id
    where link.${texts.owner} = ${row}.id and ${condition}
  )`
}

/** Counting all events of a page of venues is too much work for strangers. What is left out of lists counts for editors. */
function countsFor(viewer: Viewer, { links, row, texts }: Linked): Sql {
  if (viewer.sees === 'published') {
    throw invalidParameter('with_counts', 'not-allowed', {
      en: 'is for those who may write',
      de: 'ist nur für diejenigen, die schreiben dürfen'
    })
  }
  return sql`, (
    select count(*) from ${links} as link
    join calendar.events as event on event.id = link.event_id
    where link.${texts.owner} = ${row}.id and ${visibleTo(viewer, sql`event`)}
      ${viewer.sees === 'all' ? nothing : sql`and not event.hide_from_listings`}
  ) as "eventCount"`
}

/** Rows that no password keeps from the viewer. */
export function unlockedFor({ sees, authorId }: Viewer, row: Sql, password: string | undefined): Sql {
  if (sees === 'all') return sql`true`
  const mine = sees === 'own' ? sql`or ${row}.author_id = ${authorId}` : nothing
  return sql`(${row}.password is null or ${row}.password = ${password ?? null}::text ${mine})`
}

/** In the text that the reader would get. The longest word finds candidates by index, in whatever language. */
function searchCondition({ row, texts }: Linked, search: string): Sql {
  const { wanted, unwanted } = readSearch(search)
  const longest = wanted.reduce((long, term) => (term.length > long.length ? term : long), '')
  return sql`${row}.id in (select ${texts.owner} from ${texts.table} where search like ${likePattern(longest)})
    and text.search like all (${wanted.map(likePattern)}::text[])
    and not text.search like any (${unwanted.map(likePattern)}::text[])`
}

/** Of two that were published or changed at the same time, and of two of the same name, the id decides. */
function orderOf({ sees }: Viewer, row: Sql, { orderby = 'date', order }: LinkedListValues): Sql {
  const ascends = (order?.toLowerCase() ?? (orderby === 'title' ? 'asc' : 'desc')) === 'asc'
  const direction = ascends ? sql`asc` : sql`desc`
  if (orderby === 'modified') return sql`${row}.modified_at ${direction}, ${row}.id ${direction}`
  // What is searched begins with the name, without case and accents.
  if (orderby === 'title') {
    return sql`split_part(text.search, chr(10), 1) collate "C" ${direction}, ${row}.id ${direction}`
  }
  // Only what was never published has no date, and goes by when it was made; the others come by index.
  if (sees !== 'published') {
    return sql`coalesce(${row}.published_at, ${row}.created_at) ${direction}, ${row}.id ${direction}`
  }
  return sql`${row}.published_at ${direction} nulls ${ascends ? sql`first` : sql`last`}, ${row}.id ${direction}`
}

/** Everything that was given, and what took the place of what was not. */
function queryOf({ given, viewer }: Visit, values: LinkedListValues): Record<string, unknown> {
  const names = [...Object.keys(linkedFilters), 'password'] as (keyof LinkedListValues)[]
  return Object.fromEntries(
    names.flatMap(name => {
      if (values[name] !== undefined) return [[name, given[name]]]
      return name === 'status' && viewer.sees === 'published' ? [[name, 'publish']] : []
    })
  )
}
