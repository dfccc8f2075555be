import type { MergeRow } from './queries.ts'
import type { Merge } from './schema.ts'

export function toMergeJson({ id, sourceId, targetId, at, actor, undoneAt }: MergeRow): Merge {
  return { id, mergedId: sourceId, targetId, at, actor, undoneAt }
}
