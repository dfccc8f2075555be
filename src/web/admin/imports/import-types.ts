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
  kind: 'event' | 'series' | 'venue' | 'organizer' | 'category' | 'tag' | 'image'
  source_id: string
  title: string
  outcome: Outcome
  reasons: string[]
  item_id: number | null
}

export const sourceNames = ['tec', 'ical', 'csv'] as const
export type SourceName = (typeof sourceNames)[number]
export const policies = ['keep', 'overwrite', 'skip'] as const
export type Policy = (typeof policies)[number]
export const outcomes = ['new', 'changed', 'same', 'skipped', 'problem', 'gone'] as const
export type Outcome = (typeof outcomes)[number]
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
