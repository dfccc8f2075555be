import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { type Language, languages } from '#platform/language.ts'
import { buildChoiceSchema } from './shapes.ts'

const Instant = Type.String({ format: 'date-time' })

/** An import of content from another source. */
export const importSchema = NamedObject('Import', {
  id: Type.Integer(),
  source: buildChoiceSchema(['tec', 'ical', 'csv']),
  url: Nullable(Type.String()),
  file_name: Nullable(Type.String()),
  dry_run: Type.Boolean(),
  compares: Type.Boolean({ description: 'A comparison with the source, which writes nothing.' }),
  comparison: Nullable(Type.Integer(), { description: 'Id of the newest comparison of this import.' }),
  policy: buildChoiceSchema(['overwrite', 'keep', 'skip']),
  language: buildChoiceSchema<Language>([...languages], 'Language of texts without one.'),
  timezone: Type.String({ description: 'Time zone of times without one.' }),
  mapping: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description: 'CSV: the field of each column.'
  }),
  username: Nullable(Type.String(), { description: 'User of the site (tec); the password is never returned.' }),
  columns: Nullable(Type.Array(Type.String()), { description: 'CSV: the columns of the file.' }),
  status: buildChoiceSchema(['waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone']),
  progress: Type.Object({
    done: Type.Integer(),
    total: Nullable(Type.Integer(), { description: 'Estimated total, if known.' })
  }),
  counts: Type.Object({
    new: Type.Integer(),
    changed: Type.Integer(),
    same: Type.Integer(),
    skipped: Type.Integer(),
    problem: Type.Integer(),
    gone: Type.Integer({
      description: 'Upcoming events of earlier imports that are no longer at the source. They stay here.'
    }),
    explained: Type.Integer({ description: 'Comparison: items that differ from the source on purpose.' }),
    differs: Type.Integer({ description: 'Comparison: items that differ in another way.' }),
    missing: Type.Integer({ description: 'Comparison: items of the source that are not here.' }),
    kept: Type.Integer({
      description: 'Number of items kept when the import was undone, because they were edited or used since.'
    })
  }),
  error: Nullable(Type.String(), { description: 'Reason of the failure, in the language of the request.' }),
  created_at: Instant,
  started_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  can_undo: Type.Boolean(),
  author: Type.String({ description: 'Id of the user or API key.' }),
  author_name: Type.String(),
  based_on: Nullable(Type.Integer(), {
    description: 'Id of the dry run that this import executes, or of the import that this comparison is about.'
  })
})
export type ImportJson = Static<typeof importSchema>

/** The outcome of one imported item. */
const importRowSchema = NamedObject('ImportRow', {
  position: Type.Integer(),
  kind: buildChoiceSchema(['event', 'series', 'venue', 'organizer', 'category', 'tag', 'image', 'file']),
  source_id: Type.String(),
  title: Type.String(),
  outcome: buildChoiceSchema([
    ...(['new', 'changed', 'same', 'skipped', 'problem', 'gone', 'explained', 'differs', 'missing'] as const)
  ]),
  reasons: Type.Array(Type.String(), { description: 'In the language of the request.' }),
  codes: Type.Array(Type.String(), {
    description: 'Codes of the reasons that have one; docs/imports.md explains them.'
  }),
  differences: Type.Array(
    Type.Object({
      field: Type.String(),
      theirs: Type.String({ description: 'At the source; long values are cut.' }),
      ours: Type.String(),
      code: Nullable(Type.String()),
      reason: Nullable(Type.String(), { description: 'Reason, if known; in the language of the request.' })
    }),
    { description: 'Comparison: fields whose value is not that of the source.' }
  ),
  item_id: Nullable(Type.Integer()),
  item_url: Nullable(Type.String(), { description: 'The page of the item in the console.' }),
  source_url: Nullable(Type.String(), { description: 'The page of the item at the source.' })
})
export type ImportRowJson = Static<typeof importRowSchema>

const newCountsSchema = (description: string) =>
  Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' }, description })

/** A page of an import report. */
export const importRowsSchema = NamedObject('ImportReport', {
  rows: Type.Array(importRowSchema),
  kinds: newCountsSchema('Number of rows by kind in the whole report.'),
  codes: newCountsSchema('Number of rows by reason.'),
  total: Type.Integer(),
  total_pages: Type.Integer()
})
