import { once } from '#platform/idempotency.ts'
import type { Scope } from '#platform/service.ts'
import { envelope } from '../answers.ts'
import { listAnswer, pageIn, totalIfShort } from '../paging.ts'
import { type Declared, optional, type Values } from '../parameters.ts'
import { invalidParameter, noLongerAvailable, notAccessible, notFound, pageNotFound } from '../problems.ts'
import { type Answer, addRoute, type Key, type RouteTable, restUrl, type Visit } from '../tec.ts'
import { languageToRemove } from '../texts.ts'
import { isHidden, writers } from '../viewer.ts'
import { choiceOf, filterOf } from './filter.ts'
import { createLinked, removeLinked, removeLinkedText, trashLinked, updateLinked } from './linked.ts'
import { withImageId } from './links.ts'
import type { LinkedKey } from './queries.ts'
import * as queries from './queries.ts'
import {
  deletingParameters,
  type Linked,
  type LinkedChanges,
  type LinkedListValues,
  type LinkedRow,
  linkedListParameters,
  readingParameters
} from './schema.ts'
import type { View } from './wire.ts'

/** What routes need to know besides. */
export interface Spelling<Own extends object, Fields extends Declared> {
  fields: Fields
  toWire(row: LinkedRow & Own, view: View): object
  /** The schema of an item. */
  answers: Record<string, unknown>
}

/** Every route of a kind: the list, making one, and one by its number or its slug. */
export function linkedRoutes<Own extends object, Fields extends Declared>(
  scope: Scope,
  table: RouteTable,
  linked: Linked<Own, Values<Fields> & LinkedChanges>,
  { fields, toWire, answers }: Spelling<Own, Fields>
): void {
  const { kind, collection } = linked
  const article = kind === 'venue' ? 'a venue' : 'an organizer'

  function answerOf(visit: Visit, row: LinkedRow & Own, view: Partial<View> = {}): Answer {
    const { site, viewer, now } = visit
    return { body: toWire(row, { site, viewer, now, ...view }), version: row.version, language: row.language }
  }

  addRoute(scope, table, {
    methods: ['GET'],
    path: `/${collection}`,
    needs: 'nothing',
    summary: `List ${collection}, newest first`,
    takes: linkedListParameters,
    answers: envelope(collection, answers),
    handler: async (visit, values) =>
      await list(visit, linked, values, row => answerOf(visit, row, { password: values.password }).body)
  })

  addRoute(scope, table, {
    methods: ['POST'],
    path: `/${collection}`,
    needs: writers,
    summary: `Create ${article}`,
    takes: fields,
    answers,
    creates: true,
    handler: async (visit, values) => {
      const { db, site, request, reply } = visit
      const changes = (await withImageId(visit, values)) as Values<Fields> & LinkedChanges
      return await once({ db, settings: site.settings }, request, reply, async tx => {
        const row = await createLinked(tx, visit, linked, changes)
        const location = restUrl(site, `/${collection}/${row.id}`).slice(site.origin.length)
        return { location, body: answerOf(visit, row) }
      })
    }
  })

  const byId = { path: `/${collection}/{id}`, keyOf: ({ id }: Key): LinkedKey => ({ id }) }
  const bySlug = { path: `/${collection}/by-slug/{slug}`, keyOf: ({ slug }: Key): LinkedKey => ({ slug }) }
  for (const { path, keyOf } of [byId, bySlug]) {
    addRoute(scope, table, {
      methods: ['GET'],
      path,
      needs: 'nothing',
      summary: `Read ${article}`,
      takes: readingParameters,
      answers,
      handler: async (visit, { password }, key) =>
        answerOf(visit, await read(visit, linked, keyOf(key)), { password, single: true })
    })

    addRoute(scope, table, {
      methods: ['DELETE'],
      path,
      needs: writers,
      summary: `Move ${article} to the trash, or remove it or one of its texts for good`,
      takes: deletingParameters,
      answers,
      handler: async (visit, values, key) => {
        const removed = languageToRemove(visit.chosenLanguage, values)
        const row =
          removed === undefined
            ? await (values.force === true ? removeLinked : trashLinked)(visit, linked, keyOf(key))
            : await removeLinkedText(visit, linked, keyOf(key), removed)
        return answerOf(visit, row)
      }
    })

    addRoute(scope, table, {
      methods: ['POST', 'PUT', 'PATCH'],
      path,
      needs: writers,
      summary: `Update ${article}; what is not mentioned stays`,
      takes: optional(fields),
      answers,
      handler: async (visit, values, key) => {
        const changes = (await withImageId(visit, values)) as Values<Fields> & LinkedChanges
        return answerOf(visit, await updateLinked(visit, linked, keyOf(key), changes))
      }
    })
  }
}

async function list<Own extends object, Changes extends LinkedChanges>(
  visit: Visit,
  linked: Linked<Own, Changes>,
  values: LinkedListValues,
  toItem: (row: LinkedRow & Own) => object
): Promise<Answer> {
  const { db, zone } = visit
  const page = pageIn(values)
  const filter = filterOf(visit, linked, values)
  const rows = await queries.listPage(db, linked, filter, page, { choice: choiceOf(visit), zone })
  const short = totalIfShort(page, rows.length)
  // An event that nothing is linked with may not exist.
  const mustAsk = short === undefined || (values.event !== undefined && rows.length === 0)
  const counted = mustAsk ? await queries.count(db, linked, filter) : { total: short, eventIsKnown: true }
  if (!counted.eventIsKnown) {
    throw invalidParameter('event', 'unknown', {
      en: 'must be the id of an event',
      de: 'muss die Nummer einer Veranstaltung sein'
    })
  }
  return listAnswer(visit, linked.collection, rows.map(toItem), {
    page,
    total: counted.total,
    query: filter.query,
    beyond: () => pageNotFound(linked.kind)
  })
}

async function read<Own extends object, Changes extends LinkedChanges>(
  visit: Visit,
  linked: Linked<Own, Changes>,
  key: LinkedKey
): Promise<LinkedRow & Own> {
  const row = await queries.find(visit.db, linked, key, { choice: choiceOf(visit), zone: visit.zone })
  if (row === undefined) throw notFound(linked.kind, 'id' in key ? key.id : key.slug)
  if (row.status === 'trash') throw noLongerAvailable(linked.kind)
  // Slugs are guessed from names: one that is taken must not say so.
  if (isHidden(visit, row)) throw 'id' in key ? notAccessible(linked.kind) : notFound(linked.kind, key.slug)
  return row
}
