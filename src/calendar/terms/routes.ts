import { ifMatch } from '#platform/conditional.ts'
import { once } from '#platform/idempotency.ts'
import type { Scope } from '#platform/service.ts'
import { category, envelope, tag } from '../answers.ts'
import { listAnswer, pageIn } from '../paging.ts'
import { invalidParameter, termNotFound } from '../problems.ts'
import type { TermKey } from '../rules.ts'
import { folded } from '../search.ts'
import { type Answer, addRoute, type RouteTable, type Visit } from '../tec.ts'
import { languageToRemove } from '../texts.ts'
import { totalsOf } from '../totals.ts'
import { termWriters } from '../viewer.ts'
import type { PlacedTermRow, Taxonomy, TermOrder } from './queries.ts'
import * as terms from './queries.ts'
import {
  categoryChanges,
  categoryFields,
  categoryFilters,
  type TermFilters,
  tagChanges,
  tagFields,
  tagFilters,
  termDeleting
} from './schema.ts'
import {
  createTerm,
  deleteTerm,
  removeTermText,
  slugsIn,
  termIdsListed,
  unknownParent,
  unknownTerms,
  updateTerm
} from './term.ts'
import { collectionOf, singleTermToWire, termToWire } from './wire.ts'

export function categoryRoutes(scope: Scope, table: RouteTable): void {
  termRoutes(scope, table, {
    taxonomy: 'category',
    words: { one: 'a category', many: 'categories' },
    writers: termWriters.category,
    answer: category,
    fields: categoryFields,
    changes: categoryChanges,
    filters: categoryFilters
  })
}

/** The same without a parent. */
export function tagRoutes(scope: Scope, table: RouteTable): void {
  termRoutes(scope, table, {
    taxonomy: 'tag',
    words: { one: 'a tag', many: 'tags' },
    writers: termWriters.tag,
    answer: tag,
    fields: tagFields as typeof categoryFields,
    changes: tagChanges as typeof categoryChanges,
    filters: tagFilters as typeof categoryFilters
  })
}

interface Kind {
  taxonomy: Taxonomy
  words: { one: string; many: string }
  writers: readonly ('author' | 'editor')[]
  answer: Record<string, unknown>
  fields: typeof categoryFields
  changes: typeof categoryChanges
  filters: typeof categoryFilters
}

function termRoutes(scope: Scope, table: RouteTable, kind: Kind): void {
  const { taxonomy, words, answer } = kind
  const collection = collectionOf(taxonomy)
  const path = `/${collection}`
  const needs = [...kind.writers]

  addRoute(scope, table, {
    methods: ['GET'],
    path,
    needs: 'nothing',
    summary: `List ${words.many}`,
    takes: kind.filters,
    answers: envelope(collection, answer),
    handler: async (visit, filters) => await list(visit, taxonomy, filters)
  })

  addRoute(scope, table, {
    methods: ['POST'],
    path,
    needs,
    summary: `Create ${words.one}`,
    takes: kind.fields,
    answers: answer,
    creates: true,
    handler: async (visit, fields) => {
      const { db, site, request, reply } = visit
      return await once({ db, settings: site.settings }, request, reply, async tx => {
        const row = await createTerm(tx, visit, taxonomy, fields)
        return { location: termToWire(row, site).urls.self.slice(site.origin.length), body: single(visit, row) }
      })
    }
  })

  addRoute(scope, table, {
    methods: ['GET'],
    path: `${path}/{id}`,
    needs: 'nothing',
    summary: `Read ${words.one}`,
    takes: {},
    answers: answer,
    handler: async (visit, _values, { id }) => {
      const row = await terms.find(visit.db, taxonomy, id, choiceOf(visit))
      if (row === undefined) throw termNotFound(id)
      return single(visit, row)
    }
  })

  addRoute(scope, table, {
    methods: ['POST', 'PUT', 'PATCH'],
    path: `${path}/{id}`,
    needs,
    summary: `Change ${words.one}: what is not given stays`,
    takes: kind.changes,
    answers: answer,
    handler: async (visit, changes, { id }) => {
      const row = await updateTerm(visit, taxonomy, id, changes, ifMatch(visit.request))
      totalsOf(visit.db).forget()
      return single(visit, row)
    }
  })

  addRoute(scope, table, {
    methods: ['DELETE'],
    path: `${path}/{id}`,
    needs,
    summary: `Remove ${words.one} or one of its texts for good`,
    takes: termDeleting,
    answers: answer,
    handler: async (visit, values, { id }) => {
      const removed = languageToRemove(visit.chosenLanguage, values)
      const expected = ifMatch(visit.request)
      if (removed !== undefined) return single(visit, await removeTermText(visit, taxonomy, id, removed, expected))
      const row = await deleteTerm(visit, taxonomy, id, expected)
      totalsOf(visit.db).forget()
      return { body: termToWire(row, visit.site), language: row.language }
    }
  })
}

function single({ site }: Visit, row: PlacedTermRow): Answer {
  return { body: singleTermToWire(row, site), version: row.version, language: row.language }
}

function choiceOf({ language, site }: Visit) {
  return { wanted: language, fallback: site.settings.defaultLanguage }
}

async function list(visit: Visit, taxonomy: Taxonomy, filters: TermFilters): Promise<Answer> {
  const page = pageIn(filters)
  const { include, exclude } = await namedIn(visit, taxonomy, filters)
  const found = await terms.listPage(
    visit.db,
    {
      taxonomy,
      include,
      exclude,
      hideEmpty: filters.hide_empty ?? true,
      parentId: filters.parent ?? null,
      eventId: filters.event ?? filters.post ?? null,
      slugs: filters.slug === undefined ? null : slugsIn(filters.slug),
      missingLanguage: filters.missing_language ?? null,
      search: filters.search === undefined ? null : folded(filters.search)
    },
    orderOf(filters),
    page,
    { choice: choiceOf(visit), viewer: visit.viewer, postId: filters.post ?? null }
  )
  if (!found.parentFound) throw unknownParent()
  if (!found.eventFound) throw unknownEvent(filters.event === undefined ? 'post' : 'event')
  if (!found.postFound) throw unknownEvent('post')

  const items = found.terms.map(row => termToWire(row, visit.site))
  const query = queryOf(visit, filters)
  return listAnswer(visit, collectionOf(taxonomy), items, {
    page,
    total: found.total,
    query,
    // A page past the end is empty here, as the contract has it.
    beyond: () => undefined
  })
}

/** The ids that the lists of terms stand for; everything they name must exist. */
async function namedIn(
  { db }: Visit,
  taxonomy: Taxonomy,
  { include = [], exclude = [] }: TermFilters
): Promise<{ include: number[] | null; exclude: number[] | null }> {
  const keys = [...new Set<TermKey>([...include, ...exclude])]
  if (keys.length === 0) return { include: null, exclude: null }
  const found = await termIdsListed(db, taxonomy, keys)
  const idsOf = (parameter: string, list: TermKey[]) => {
    const ids = list.map(key => found[keys.indexOf(key)])
    if (ids.includes(undefined)) throw unknownTerms(parameter)
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

/** As the contract has it: an order nobody knows is by name, a direction nobody knows is down. */
function orderOf({ orderby = 'name', order = 'asc', include }: TermFilters): TermOrder {
  const by = orders.get(orderby.toLowerCase()) ?? 'name'
  return { by: by === 'include' && include === undefined ? 'name' : by, descending: order.toLowerCase() !== 'asc' }
}

const unknownEvent = (parameter: 'post' | 'event') =>
  invalidParameter(parameter, 'unknown', {
    en: 'must be the id of an event',
    de: 'muss die Nummer einer Veranstaltung sein'
  })

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

/** Every filter as it was given, where that fits into an address. */
function queryOf({ given }: Visit, filters: TermFilters): Record<string, unknown> {
  return Object.fromEntries(
    filterNames.flatMap(name => {
      const value = given[name]
      if (filters[name] === undefined) return []
      return [[name, typeof value === 'object' ? filters[name] : value]]
    })
  )
}
