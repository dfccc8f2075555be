import { sql } from '#platform/sql.ts'
import { chunkRows, chunks } from '#platform/stream.ts'
import { choiceOf, filterOf } from '../linked/filter.ts'
import * as linkedItems from '../linked/queries.ts'
import type { Linked, LinkedChanges, LinkedListValues, LinkedRow } from '../linked/schema.ts'
import type { Visit } from '../tec.ts'
import type { PlacedTermRow, Taxonomy } from '../terms/queries.ts'
import * as terms from '../terms/queries.ts'

/** All venues or organizers that the list would show, the oldest first. */
export function allLinked<Own extends object, Changes extends LinkedChanges>(
  visit: Visit,
  linked: Linked<Own, Changes>,
  values: LinkedListValues
): AsyncGenerator<(LinkedRow & Own)[]> {
  const { db, zone } = visit
  const { row } = linked
  const filter = filterOf(visit, linked, values)
  const about = { choice: choiceOf(visit), zone }
  return chunks<LinkedRow & Own>(async after => {
    const conditions = after === undefined ? filter.conditions : sql`${filter.conditions} and ${row}.id > ${after.id}`
    const page = { number: 1, size: chunkRows, offset: 0 }
    return await linkedItems.listPage(db, linked, { ...filter, conditions, order: sql`${row}.id` }, page, about)
  })
}

/** All categories or tags, empty ones too; they are few. */
export async function* allTerms(visit: Visit, taxonomy: Taxonomy): AsyncGenerator<PlacedTermRow[]> {
  const nothing = { include: null, exclude: null, parentId: null, eventId: null, slugs: null, search: null }
  const filter = { taxonomy, hideEmpty: false, missingLanguage: null, ...nothing }
  const about = { choice: choiceOf(visit), viewer: visit.viewer, postId: null }
  for (let offset = 0; ; offset += chunkRows) {
    const page = { size: chunkRows, offset }
    const found = await terms.listPage(visit.db, filter, { by: 'id', descending: false }, page, about)
    yield found.terms
    if (found.terms.length < chunkRows) return
  }
}
