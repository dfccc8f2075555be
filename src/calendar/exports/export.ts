import { sql } from '#platform/database/sql.ts'
import { defaultBatchRows, fetchBatches } from '#platform/database/streaming.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import { buildLinkedPostFilter, toLanguageChoice } from '../linked-posts/filter.ts'
import * as linkedItems from '../linked-posts/queries.ts'
import type { LinkedPostChanges, LinkedPostListValues, LinkedPostRow, LinkedPostType } from '../linked-posts/schema.ts'
import * as termList from '../terms/list-queries.ts'
import type { Taxonomy, TermWithAncestorsRow } from '../terms/queries.ts'

/** All venues or organizers that the list would show, oldest first. */
export function listAllLinkedPosts<Own extends object, Changes extends LinkedPostChanges>(
  context: RequestContext,
  linked: LinkedPostType<Own, Changes>,
  values: LinkedPostListValues
): AsyncGenerator<(LinkedPostRow & Own)[]> {
  const { db, zone } = context
  const { row } = linked
  const filter = buildLinkedPostFilter(context, linked, values)
  const about = { choice: toLanguageChoice(context), zone }
  return fetchBatches<LinkedPostRow & Own>(async after => {
    const conditions = after === undefined ? filter.conditions : sql`${filter.conditions} and ${row}.id > ${after.id}`
    const page = { number: 1, size: defaultBatchRows, offset: 0 }
    return await linkedItems.listPage(db, linked, { ...filter, conditions, order: sql`${row}.id` }, { page, ...about })
  })
}

/** All categories or tags, including empty ones; they are few. */
export async function* listAllTerms(
  context: RequestContext,
  taxonomy: Taxonomy
): AsyncGenerator<TermWithAncestorsRow[]> {
  const nothing = { include: null, exclude: null, parentId: null, eventId: null, slugs: null, search: null }
  const filter = { taxonomy, hideEmpty: false, missingLanguage: null, ...nothing }
  const about = { choice: toLanguageChoice(context), viewer: context.viewer, postId: null }
  for (let offset = 0; ; offset += defaultBatchRows) {
    const page = { size: defaultBatchRows, offset }
    const found = await termList.listPage(context.db, filter, { order: { by: 'id', descending: false }, page }, about)
    yield found.terms
    if (found.terms.length < defaultBatchRows) return
  }
}
