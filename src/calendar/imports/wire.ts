import type { Language } from '#platform/language.ts'
import type { ImportJson, ImportRowJson } from '../contract/import-shapes.ts'
import type { Import, ImportRow } from './schema.ts'

/** An import as response body; errors are in the reader's language. */
export function toImportJson(found: Import, language: Language): ImportJson {
  return {
    id: found.id,
    source: found.source,
    url: found.url,
    file_name: found.fileName,
    dry_run: found.dryRun,
    policy: found.policy,
    language: found.language,
    timezone: found.timezone,
    mapping: found.mapping,
    username: found.loginUser,
    columns: found.columns,
    status: found.status,
    progress: { done: found.done, total: found.total },
    counts: found.counts,
    error: found.error?.[language] ?? null,
    created_at: found.createdAt,
    started_at: found.startedAt,
    finished_at: found.finishedAt,
    can_undo: found.canUndo,
    author: String(found.authorId),
    author_name: found.caller.name,
    based_on: found.basedOn
  }
}

export function toImportRowJson(row: ImportRow, language: Language): ImportRowJson {
  return {
    position: row.position,
    kind: row.kind,
    source_id: row.sourceId,
    title: row.title,
    outcome: row.outcome,
    reasons: row.reasons.map(reason => reason[language]),
    item_id: row.itemId
  }
}
