import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import type { Language } from '#platform/language.ts'
import { buildChoiceSchema } from './shapes.ts'

const Instant = Type.String({ format: 'date-time' })

/** An import of content from another source. */
export const importSchema = NamedObject('Import', {
  id: Type.Integer(),
  source: buildChoiceSchema(['tec', 'ical', 'csv']),
  url: Nullable(Type.String()),
  file_name: Nullable(Type.String()),
  dry_run: Type.Boolean(),
  policy: buildChoiceSchema(['overwrite', 'keep', 'skip']),
  language: buildChoiceSchema<Language>(['en', 'de'], 'Of texts that do not say theirs.'),
  timezone: Type.String({ description: 'Of times that do not say theirs.' }),
  mapping: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description: 'CSV: the field of each column.'
  }),
  columns: Nullable(Type.Array(Type.String()), { description: 'CSV: the columns of the file.' }),
  status: buildChoiceSchema(['waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone']),
  progress: Type.Object({
    done: Type.Integer(),
    total: Nullable(Type.Integer(), { description: 'Where it is known; it may be wrong.' })
  }),
  counts: Type.Object({
    new: Type.Integer(),
    changed: Type.Integer(),
    same: Type.Integer(),
    skipped: Type.Integer(),
    problem: Type.Integer(),
    kept: Type.Integer({
      description: 'What stayed when the import was undone, because it was edited or used since.'
    })
  }),
  error: Nullable(Type.String(), { description: 'Why it failed, in the language of the request.' }),
  created_at: Instant,
  started_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  can_undo: Type.Boolean(),
  author: Type.String({ description: 'The number of the key or account.' }),
  author_name: Type.String(),
  based_on: Nullable(Type.Integer(), { description: 'The try run that it makes real.' })
})
export type ImportJson = Static<typeof importSchema>

/** The outcome of one imported item. */
const importRowSchema = NamedObject('ImportRow', {
  position: Type.Integer(),
  kind: buildChoiceSchema(['event', 'venue', 'organizer', 'category', 'tag', 'image']),
  source_id: Type.String(),
  title: Type.String(),
  outcome: buildChoiceSchema(['new', 'changed', 'same', 'skipped', 'problem']),
  reasons: Type.Array(Type.String(), { description: 'In the language of the request.' }),
  item_id: Nullable(Type.Integer())
})
export type ImportRowJson = Static<typeof importRowSchema>

/** A page of an import report. */
export const importRowsSchema = NamedObject('ImportReport', {
  rows: Type.Array(importRowSchema),
  total: Type.Integer(),
  total_pages: Type.Integer()
})
