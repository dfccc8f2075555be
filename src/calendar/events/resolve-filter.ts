import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { TermKey } from '../contract/params.ts'
import { newInvalidParamsProblem } from '../contract/problems.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import { buildVisibleCondition, type Viewer } from '../permissions/permissions.ts'
import { toTermLookup } from '../terms/find-or-create.ts'
import { buildNamedTermsQuery, type TermLookup } from '../terms/match-queries.ts'
import type { Taxonomy } from '../terms/queries.ts'
import type { ResolvedTerms } from './filter.ts'
import type { EventFilterValues } from './schema.ts'

/** Everything a filter names must exist; otherwise the list would be empty without a visible reason. */
export async function resolveFilter(context: RequestContext, values: EventFilterValues): Promise<ResolvedTerms> {
  const { venue = [], organizer = [], categories = [], tags = [], post_parent, series } = values
  const parents = post_parent === undefined ? [] : [post_parent]
  const wantedSeries = series === undefined ? [] : [series]
  if ([venue, organizer, categories, tags, parents, wantedSeries].every(list => list.length === 0)) {
    return { categories: undefined, tags: undefined }
  }

  const texts = { categories: categories.filter(isText), tags: tags.filter(isText) }
  const found = await findNames(context.db, context.viewer, {
    categories: { ids: categories.filter(isId), texts: texts.categories.map(toTermLookup) },
    tags: { ids: tags.filter(isId), texts: texts.tags.map(toTermLookup) },
    venue,
    organizer,
    post_parent: parents,
    series: wantedSeries
  })
  const missing = found.flatMap(({ parameter, missingId, missingText }) => {
    const inTexts = parameter === 'categories' || parameter === 'tags' ? texts[parameter] : []
    const name = missingText === null ? missingId : inTexts[missingText]
    return name == null ? [] : [{ parameter, name }]
  })
  if (missing.length > 0) {
    throw newInvalidParamsProblem(
      missing.map(({ parameter, name }) => ({
        parameter,
        code: 'unknown',
        message: buildText('event-problems', 'unknown', { name })
      }))
    )
  }
  const idsOf = (parameter: string) => found.find(one => one.parameter === parameter)?.ids ?? undefined
  return { categories: idsOf('categories'), tags: idsOf('tags') }
}

const isId = (key: TermKey) => typeof key === 'number'
const isText = (key: TermKey) => typeof key === 'string'

/** The filters that name other items, unresolved. */
interface NamedFilters {
  categories: NamedTerms
  tags: NamedTerms
  venue: number[]
  organizer: number[]
  post_parent: number[]
  series: number[]
}

interface NamedTerms {
  ids: number[]
  texts: TermLookup[]
}

/** The resolved ids of a filter, for terms with all descendants, or the position of a missing item. */
interface ResolvedName {
  parameter: keyof NamedFilters
  ids: number[] | null
  missingId: number | null
  missingText: number | null
}

/** Resolves all names in one statement. A number is an id, never a slug; a text matches slugs before names. */
async function findNames(db: Database, viewer: Viewer, named: NamedFilters): Promise<ResolvedName[]> {
  const unknown = (parameter: keyof NamedFilters, ids: number[], table: Sql) => sql`
    select ${parameter}, null::bigint[], given.id, null::integer from unnest(${ids}::bigint[]) as given (id)
    where not exists (select from ${table} as item where item.id = given.id and ${buildVisibleCondition(viewer, sql`item`)})`
  // Editors also list the trash, in which all events of a series may be.
  const isKnownSeries =
    viewer.visibility === 'all' ? sql`item.series_id is not null` : buildVisibleCondition(viewer, sql`item`)
  return await db.all(
    sql`
      with recursive matched (parameter, id, wanted_id, place) as (
        ${buildMatchingTerms('categories', 'category', named.categories)}
        union all
        ${buildMatchingTerms('tags', 'tag', named.tags)}
      ),
      below as (
        select parameter, id from matched where id is not null
        union
        select below.parameter, child.id from below join calendar.terms as child on child.parent_id = below.id
      )
      select parameter, array_agg(id) as ids, null::bigint as "missingId", null::integer as "missingText"
      from below group by parameter
      union all
      select parameter, null, wanted_id, place from matched where id is null
      union all ${unknown('venue', named.venue, sql`calendar.venues`)}
      union all ${unknown('organizer', named.organizer, sql`calendar.organizers`)}
      union all ${unknown('post_parent', named.post_parent, sql`calendar.events`)}
      union all
      select 'series', null, given.id, null from unnest(${named.series}::bigint[]) as given (id)
      where not exists (select from calendar.events as item where item.series_id = given.id and ${isKnownSeries})`
  )
}

function buildMatchingTerms(parameter: keyof NamedFilters, taxonomy: Taxonomy, { ids, texts }: NamedTerms): Sql {
  return sql`
    select ${parameter}::text, term.id, given.id, null::integer
    from unnest(${ids}::bigint[]) as given (id)
    left join calendar.terms as term on term.id = given.id and term.taxonomy = ${taxonomy}
    union all
    select ${parameter}, found.id, null, place
    from generate_series(0, ${texts.length}::integer - 1) as place
    left join (
      select named.place, named.id, named.by_slug, bool_or(named.by_slug) over (partition by named.place) as any_slug
      from (${buildNamedTermsQuery(taxonomy, texts)}) as named
    ) as found using (place)
    where found.by_slug is not distinct from found.any_slug`
}
