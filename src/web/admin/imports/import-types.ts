import type { Language } from '#platform/language.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import type { AdminContext } from '../shared/context.ts'

/** An import, as the API returns it. */
export interface Import {
  id: number
  source: SourceName
  url: string | null
  file_name: string | null
  dry_run: boolean
  /** A comparison with the source. */
  compares: boolean
  /** The newest comparison of this import. */
  comparison: number | null
  policy: Policy
  language: Language
  timezone: string
  /** CSV only: maps columns to fields. */
  mapping: Record<string, string> | null
  /** Sites only: the user whose application password the import uses. */
  username: string | null
  columns: string[] | null
  status: ImportStatus
  progress: { done: number; total: number | null }
  counts: Record<Outcome | 'kept', number>
  error: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
  can_undo: boolean
  author_name: string
  based_on: number | null
}

export interface ImportRow {
  position: number
  kind: 'event' | 'series' | 'venue' | 'organizer' | 'category' | 'tag' | 'image' | 'file'
  source_id: string
  title: string
  outcome: Outcome
  reasons: string[]
  differences: { field: string; theirs: string; ours: string; code: string | null; reason: string | null }[]
  item_id: number | null
  source_url: string | null
}

/** A page of the report. */
export interface RowList {
  rows: ImportRow[]
  /** How many rows there are of each kind, and with each reason. */
  kinds: Record<string, number>
  codes: Record<string, number>
  total: number
  total_pages: number
}

export const sourceNames = ['tec', 'ical', 'csv'] as const
export type SourceName = (typeof sourceNames)[number]
export const policies = ['keep', 'overwrite', 'skip'] as const
export type Policy = (typeof policies)[number]
export const importOutcomes = ['new', 'changed', 'same', 'skipped', 'problem', 'gone'] as const
/** What needs attention comes first. */
export const comparisonOutcomes = ['differs', 'missing', 'gone', 'problem', 'explained', 'same'] as const
export type Outcome = (typeof importOutcomes)[number] | (typeof comparisonOutcomes)[number]
export type ImportStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'undoing' | 'undone'

/** Menu entry of these pages. */
export const menu = '/admin/imports'
export const importsPath = `${calendarPath}/imports`

/** API path of the import that the page's URL names. */
export function getImportApiPath({ params }: AdminContext, below = ''): string {
  return `${importsPath}/${encodeURIComponent(params.id ?? '')}${below}`
}

export function getImportPagePath({ params }: AdminContext, below = ''): string {
  return `${menu}/${encodeURIComponent(params.id ?? '')}${below}`
}

/** URL without its scheme, or the file name. */
export function formatOrigin({ url, file_name }: Pick<Import, 'url' | 'file_name'>): string {
  return file_name ?? (url ?? '').replace(/^\w+:\/\//, '').replace(/\/$/, '')
}
