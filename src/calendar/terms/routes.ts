import type { TObject } from 'typebox'
import { parseIfMatch } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { buildText } from '#platform/messages/messages.ts'
import { normalizeForSearch } from '../content/search.ts'
import { findLanguageToRemove } from '../content/texts.ts'
import type { TermKey } from '../contract/params.ts'
import { newInvalidParamProblem, newTermNotFoundProblem } from '../contract/problems.ts'
import { buildListResult, parsePage } from '../contract/routing/paging.ts'
import { defineRoute, type RequestContext, type RouteResult, type RouteTable } from '../contract/routing/route.ts'
import { buildListSchema, categorySchema, tagSchema } from '../contract/shapes.ts'
import { termWriterRoles } from '../permissions/permissions.ts'
import { findTermIds, newUnknownTermsProblem, toSlugCandidates } from './find-or-create.ts'
import type { TermOrder } from './list-queries.ts'
import * as termList from './list-queries.ts'
import type { Taxonomy, TermWithAncestorsRow } from './queries.ts'
import * as terms from './queries.ts'
import {
  categoryChangeParams,
  categoryFields,
  categoryFilters,
  type TermListValues,
  tagChangeParams,
  tagFields,
  tagFilters,
  termDeleteParams
} from './schema.ts'
import { createTerm, deleteTerm, newUnknownParentProblem, removeTermText, updateTerm } from './term.ts'
import { getCollection, toSingleTermJson, toTermJson } from './wire.ts'

export function registerCategoryRoutes(scope: RouteContext, table: RouteTable): void {
  registerTermRoutes(scope, table, {
    taxonomy: 'category',
    words: { one: 'a category', many: 'categories' },
    writers: termWriterRoles.category,
    answer: categorySchema,
    fields: categoryFields,
    changes: categoryChangeParams,
    filters: categoryFilters
  })
}

/** Like the category routes, but without a parent. */
export function registerTagRoutes(scope: RouteContext, table: RouteTable): void {
  registerTermRoutes(scope, table, {
    taxonomy: 'tag',
    words: { one: 'a tag', many: 'tags' },
    writers: termWriterRoles.tag,
    answer: tagSchema,
    fields: tagFields as typeof categoryFields,
    changes: tagChangeParams as typeof categoryChangeParams,
    filters: tagFilters as typeof categoryFilters
  })
}

interface TermRouteOptions {
  taxonomy: Taxonomy
  words: { one: string; many: string }
  writers: readonly ('author' | 'editor')[]
  answer: TObject
  fields: typeof categoryFields
  changes: typeof categoryChangeParams
  filters: typeof categoryFilters
}

function registerTermRoutes(scope: RouteContext, table: RouteTable, kind: TermRouteOptions): void {
  const { taxonomy, words, answer } = kind
  const collection = getCollection(taxonomy)
  const path = `/${collection}`
  const needs = [...kind.writers]

  defineRoute(scope, table, {
    methods: ['GET'],
    path,
    requires: 'public',
    summary: `List ${words.many}`,
    description: 'Filter by words, slug and event. Terms without a published event are left out unless `hide_empty=0`.',
    params: kind.filters,
    response: buildListSchema(collection, answer),
    handler: async (context, filters) => await listTerms(context, taxonomy, filters)
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path,
    requires: needs,
    summary: `Create ${words.one}`,
    description:
      'The slug is generated from the name if omitted. An existing name is rejected, with the id of the existing term.',
    problems: { 400: ['rest_taxonomy_not_hierarchical', 'term_exists'] },
    params: kind.fields,
    response: answer,
    creates: true,
    handler: async (context, fields) => {
      const { db, site, request, reply } = context
      return await withIdempotency({ db, settings: site.settings }, request, reply, async tx => {
        const row = await createTerm(tx, context, taxonomy, fields)
        return {
          location: toTermJson(row, site).urls.self.slice(site.origin.length),
          body: buildTermResult(context, row)
        }
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: `${path}/{id}`,
    requires: 'public',
    summary: `Get ${words.one}`,
    description: 'With the number of published events that have it.',
    problems: { 404: ['rest-term-not-found'] },
    params: {},
    response: answer,
    handler: async (context, _values, { id }) => {
      const row = await terms.find(context.db, taxonomy, id, toLanguageChoice(context))
      if (row === undefined) throw newTermNotFoundProblem(id)
      return buildTermResult(context, row)
    }
  })

  defineRoute(scope, table, {
    methods: ['POST', 'PUT', 'PATCH'],
    path: `${path}/{id}`,
    requires: needs,
    summary: `Update ${words.one}; omitted fields are kept`,
    description:
      'POST, PUT and PATCH do the same, as in The Events Calendar. With `language` the text in that language is written.',
    problems: { 400: ['duplicate_term_slug', 'rest_taxonomy_not_hierarchical'], 404: ['rest-term-not-found'] },
    params: kind.changes,
    response: answer,
    handler: async (context, changes, { id }) => {
      const row = await updateTerm(context, taxonomy, id, { changes, expected: parseIfMatch(context.request) })
      return buildTermResult(context, row)
    }
  })

  defineRoute(scope, table, {
    methods: ['DELETE'],
    path: `${path}/{id}`,
    requires: needs,
    summary: `Delete ${words.one} or one of its translations permanently`,
    description:
      'There is no trash for terms. Events that had it keep everything else. With `text_only` only the text in the given `language` is removed.',
    problems: { 404: ['rest-term-not-found'] },
    params: termDeleteParams,
    response: answer,
    handler: async (context, values, { id }) => {
      const removed = findLanguageToRemove(context.requestedLanguage, values)
      const expected = parseIfMatch(context.request)
      if (removed !== undefined)
        return buildTermResult(context, await removeTermText(context, taxonomy, id, { language: removed, expected }))
      const row = await deleteTerm(context, taxonomy, id, expected)
      return { body: toTermJson(row, context.site), language: row.language }
    }
  })
}

function buildTermResult({ site }: RequestContext, row: TermWithAncestorsRow): RouteResult {
  return { body: toSingleTermJson(row, site), version: row.version, language: row.language }
}

function toLanguageChoice({ language, site }: RequestContext) {
  return { wanted: language, fallback: site.settings.defaultLanguage }
}

async function listTerms(context: RequestContext, taxonomy: Taxonomy, filters: TermListValues): Promise<RouteResult> {
  const page = parsePage(filters)
  const { include, exclude } = await resolveNames(context, taxonomy, filters)
  const found = await termList.listPage(
    context.db,
    {
      taxonomy,
      include,
      exclude,
      hideEmpty: filters.hide_empty ?? true,
      parentId: filters.parent ?? null,
      eventId: filters.event ?? filters.post ?? null,
      slugs: filters.slug === undefined ? null : toSlugCandidates(filters.slug),
      missingLanguage: filters.missing_language ?? null,
      search: filters.search === undefined ? null : normalizeForSearch(filters.search)
    },
    { order: parseOrder(filters), page },
    { choice: toLanguageChoice(context), viewer: context.viewer, postId: filters.post ?? null }
  )
  if (!found.parentFound) throw newUnknownParentProblem()
  if (!found.eventFound) throw newUnknownEventProblem(filters.event === undefined ? 'post' : 'event')
  if (!found.postFound) throw newUnknownEventProblem('post')

  const items = found.terms.map(row => toTermJson(row, context.site))
  const query = buildLinkQuery(context, filters)
  return buildListResult(context, getCollection(taxonomy), items, {
    page,
    total: found.total,
    query,
    // A page past the end is empty, as in the contract.
    beyond: () => undefined
  })
}

/** Resolves the lists of terms to ids; everything they name must exist. */
async function resolveNames(
  { db }: RequestContext,
  taxonomy: Taxonomy,
  { include = [], exclude = [] }: TermListValues
): Promise<{ include: number[] | null; exclude: number[] | null }> {
  const keys = [...new Set<TermKey>([...include, ...exclude])]
  if (keys.length === 0) return { include: null, exclude: null }
  const found = await findTermIds(db, taxonomy, keys)
  const idsOf = (parameter: string, list: TermKey[]) => {
    const ids = list.map(key => found[keys.indexOf(key)])
    if (ids.includes(undefined)) throw newUnknownTermsProblem(parameter)
    return list.length === 0 ? null : ids.flatMap(some => some ?? [])
  }
  return { include: idsOf('include', include), exclude: idsOf('exclude', exclude) }
}

const orders = new Map<string, TermOrder['by']>([
  ['id', 'id'],
  ['term_id', 'id'],
  ['name', 'name'],
  ['slug', 'slug'],
  ['count', 'count'],
  ['description', 'description'],
  ['include', 'include']
])

/** As in the contract: an unknown order sorts by name, an unknown direction sorts descending. */
function parseOrder({ orderby = 'name', order = 'asc', include }: TermListValues): TermOrder {
  const by = orders.get(orderby.toLowerCase()) ?? 'name'
  return { by: by === 'include' && include === undefined ? 'name' : by, descending: order.toLowerCase() !== 'asc' }
}

const newUnknownEventProblem = (parameter: 'post' | 'event') =>
  newInvalidParamProblem(parameter, 'unknown', buildText('calendar-problems', 'unknownEvent'))

const filterNames = [
  'search',
  'exclude',
  'include',
  'order',
  'orderby',
  'hide_empty',
  'parent',
  'post',
  'event',
  'slug',
  'missing_language'
] as const

/** The filters as they were given, if they can be written in a URL. */
function buildLinkQuery({ rawParams }: RequestContext, filters: TermListValues): Record<string, unknown> {
  return Object.fromEntries(
    filterNames.flatMap(name => {
      const value = rawParams[name]
      if (filters[name] === undefined) return []
      return [[name, typeof value === 'object' ? filters[name] : value]]
    })
  )
}
