import type { Cell } from '#platform/csv/csv.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { ImportJson, ImportRowJson } from '../contract/import-shapes.ts'
import type { Site } from '../contract/routing/site.ts'
import type { Import, ImportRow, RowKind } from './schema.ts'

/** An import as response body; errors are in the reader's language. */
export function toImportJson(found: Import, language: Language): ImportJson {
  return {
    id: found.id,
    source: found.source,
    url: found.url,
    file_name: found.fileName,
    dry_run: found.dryRun,
    compares: found.compares,
    comparison: found.comparison,
    policy: found.policy,
    language: found.language,
    timezone: found.timezone,
    mapping: found.mapping,
    username: found.loginUser,
    columns: found.columns,
    status: found.status,
    progress: { done: found.done, total: found.total },
    counts: found.counts,
    error: (found.error && pickByLanguage(found.error, language)) ?? null,
    created_at: found.createdAt,
    started_at: found.startedAt,
    finished_at: found.finishedAt,
    can_undo: found.canUndo,
    author: String(found.authorId),
    author_name: found.caller.name,
    based_on: found.basedOn
  }
}

/** The pages of items in the console. */
const folders: Record<RowKind, string | undefined> = {
  event: 'events',
  series: 'series',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
  image: 'images',
  file: undefined
}

export function toImportRowJson(
  row: ImportRow,
  { language, site }: { language: Language; site: Pick<Site, 'origin'> }
): ImportRowJson {
  const folder = folders[row.kind]
  return {
    position: row.position,
    kind: row.kind,
    source_id: row.sourceId,
    title: row.title,
    outcome: row.outcome,
    reasons: row.reasons.map(reason => pickByLanguage(reason, language)),
    codes: [...new Set(row.reasons.flatMap(({ code }) => code ?? []))],
    differences: row.differences.map(({ field, theirs, ours, reason }) => ({
      field,
      theirs,
      ours,
      code: reason?.code ?? null,
      reason: (reason && pickByLanguage(reason, language)) ?? null
    })),
    item_id: row.itemId,
    item_url:
      row.itemId === null || folder === undefined
        ? null
        : `${site.origin}/admin/${folder}${row.kind === 'image' ? '' : `/${row.itemId}`}`,
    source_url: row.sourceUrl
  }
}

const reportColumns = [
  'kind',
  'title',
  'outcome',
  'field',
  'theirs',
  'ours',
  'reason',
  'code',
  'page',
  'sourcePage'
] as const

export function getReportHead(language: Language): string[] {
  const headings = getMessages('csv-headings', language).importReport
  return reportColumns.map(column => headings[column])
}

/** A line for each difference and each further reason; one line for an item that has neither. */
export function toReportLines(row: ImportRowJson): Cell[][] {
  const compared = row.differences.map(one => [one.field, one.theirs, one.ours, one.reason ?? '', one.code ?? ''])
  const told = new Set(row.differences.map(({ reason }) => reason))
  const others = row.reasons
    .filter(reason => !told.has(reason))
    .map(reason => ['', '', '', reason, row.codes.join(' ')])
  const lines = [...compared, ...others]
  return (lines.length === 0 ? [['', '', '', '', '']] : lines).map(line => [
    row.kind,
    row.title,
    row.outcome,
    ...line,
    row.item_url ?? '',
    row.source_url ?? ''
  ])
}
