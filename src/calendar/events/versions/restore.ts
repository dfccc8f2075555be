import { isAuthor } from '#platform/auth/keys/key.ts'
import { hasRole } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import type { IfMatch } from '#platform/http/etag.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import type { WriteContext } from '../../contract/routing/route.ts'
import { lockLinkable } from '../../linked-posts/queries.ts'
import { find as findImage } from '../../media/queries.ts'
import { organizerPostType } from '../../organizers/organizer.ts'
import { canSee } from '../../permissions/permissions.ts'
import { lockForLinks } from '../../terms/queries.ts'
import { venuePostType } from '../../venues/venue.ts'
import { lockToEdit, updateEvent, type WrittenEvent } from '../event.ts'
import { listLineage, lock } from '../queries.ts'
import type { Translations } from '../save-texts.ts'
import type { EventChanges } from '../schema.ts'
import { isTextDifference, listDifferences, type VersionDifference } from './compare.ts'
import * as versions from './queries.ts'
import type { LeftOut, Snapshot } from './schema.ts'

export const newVersionNotFoundProblem = (version: number) =>
  new Problem(404, 'event-version-not-found', buildText('event-problems', 'versionNotFound', { version }))

export interface RestoredEvent extends WrittenEvent {
  leftOut: LeftOut[]
}

/**
 * Restores an earlier version as a new one, by the rules of every update. Links to items that were deleted since are
 * left out. The password stays as it is.
 */
export async function restoreVersion(
  db: Database,
  context: WriteContext,
  id: number,
  { version, expected }: { version: number; expected: IfMatch }
): Promise<RestoredEvent> {
  return await db.transaction(async tx => {
    const before = await lockToEdit(tx, context, id, expected)
    const found = await versions.findVersion(tx, id, version)
    if (found === undefined) throw newVersionNotFoundProblem(version)
    const { snapshot, current } = found
    const differences = listDifferences(snapshot, current)
    const { changes, leftOut } = await toChanges(tx, context, { id, snapshot, differences })
    const { language, text, translations, removed } = toTexts(snapshot, differences)
    const isSame = [changes, text, translations].every(part => Object.keys(part).length === 0)
    if (isSame && removed.length === 0) return { id, language: before.languages[0] ?? context.language, leftOut }
    const written = await updateEvent(
      tx,
      { ...context, requestedLanguage: language ?? context.requestedLanguage },
      id,
      {
        // An event in the trash can only be changed together with its status.
        changes: { ...changes, ...text, ...(before.status === 'trash' ? { status: snapshot.status } : {}) },
        expected: undefined,
        translations
      }
    )
    if (removed.length > 0) await versions.removeLanguages(tx, id, removed)
    const shown = removed.includes(written.language) ? Object.keys(snapshot.texts)[0] : written.language
    return { id, language: (shown ?? written.language) as Language, leftOut }
  })
}

/** The texts to write: one as part of the changes, the others as translations, and languages that had none. */
function toTexts(snapshot: Snapshot, differences: VersionDifference[]) {
  const changed: Translations = {}
  const removed: Language[] = []
  for (const { field, language } of differences.filter(isTextDifference)) {
    const text = snapshot.texts[language]
    if (text === undefined) {
      if (!removed.includes(language)) removed.push(language)
    } else {
      changed[language] = { ...changed[language], [field]: text[field] }
    }
  }
  const [first, ...others] = Object.entries(changed) as [Language, EventChanges][]
  return {
    language: first?.[0],
    text: first?.[1] ?? {},
    translations: Object.fromEntries(others) as Translations,
    removed
  }
}

interface Wanted {
  id: number
  snapshot: Snapshot
  differences: VersionDifference[]
}

/** The changes of all fields besides texts, without what cannot be restored. */
async function toChanges(
  tx: Database,
  context: WriteContext,
  { id, snapshot, differences }: Wanted
): Promise<{ changes: EventChanges; leftOut: LeftOut[] }> {
  const differs = (...fields: VersionDifference['field'][]) => differences.some(({ field }) => fields.includes(field))
  const leftOut: LeftOut[] = []
  const keep = (field: string, wanted: number[], usable: number[]) => {
    leftOut.push(...wanted.filter(one => !usable.includes(one)).map(one => ({ field, id: one })))
    return wanted.filter(one => usable.includes(one))
  }
  const changes: EventChanges = {
    ...copyFields(snapshot, differences),
    ...(differs('start_date', 'end_date', 'all_day', 'timezone') ? toSchedule(snapshot) : {})
  }
  if (differs('venue')) {
    const usable = await listUsable(tx, context, venuePostType, snapshot.venue)
    changes.venue = keep('venue', snapshot.venue, usable).map(one => ({ id: one }))
  }
  if (differs('organizer')) {
    const usable = await listUsable(tx, context, organizerPostType, snapshot.organizer)
    changes.organizer = keep('organizer', snapshot.organizer, usable).map(one => ({ id: one }))
  }
  for (const [field, taxonomy] of [
    ['categories', 'category'],
    ['tags', 'tag']
  ] as const) {
    if (differs(field)) changes[field] = keep(field, snapshot[field], await lockForLinks(tx, taxonomy, snapshot[field]))
  }
  if (differs('image')) {
    const wanted = snapshot.image === null ? [] : [snapshot.image]
    const usable = wanted.length > 0 && (await findImage(tx, wanted[0] ?? 0)) !== undefined ? wanted : []
    const [image] = keep('image', wanted, usable)
    changes.image = image === undefined ? null : { id: image }
  }
  if (differs('post_parent')) {
    const wanted = snapshot.post_parent === null ? [] : [snapshot.post_parent]
    const [parent] = keep('post_parent', wanted, await listUsableParents(tx, context, id, wanted))
    changes.post_parent = parent ?? null
  }
  if (differs('author')) {
    const isUsable = hasRole(context.caller, 'editor') && (await isAuthor(tx, snapshot.author))
    const [author] = keep('author', [snapshot.author], isUsable ? [snapshot.author] : [])
    if (author !== undefined) changes.author = author
  }
  if (differs('has_password')) leftOut.push({ field: 'post_password', id: null })
  return { changes, leftOut }
}

/** Fields that are restored as they were. */
const copiedFields = [
  'status',
  'date_utc',
  'cost',
  'website',
  'event_status',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'ticketed',
  'is_virtual'
] as const

function copyFields(snapshot: Snapshot, differences: VersionDifference[]): EventChanges {
  const changed = copiedFields.filter(name => differences.some(({ field }) => field === name))
  return Object.fromEntries(changed.map(name => [name, snapshot[name]]))
}

/** All of it: a zone alone would move the times. */
function toSchedule({ start_date, end_date, all_day, timezone }: Snapshot): EventChanges {
  return { start_date, end_date, all_day, timezone }
}

async function listUsable(
  tx: Database,
  { viewer, now }: WriteContext,
  kind: Parameters<typeof lockLinkable>[1],
  ids: number[]
): Promise<number[]> {
  const found = ids.length === 0 ? [] : await lockLinkable(tx, kind, ids)
  return found.filter(item => canSee(viewer, item, now)).map(item => item.id)
}

async function listUsableParents(
  tx: Database,
  { viewer, now }: WriteContext,
  id: number,
  wanted: number[]
): Promise<number[]> {
  const [parentId] = wanted
  const parent = parentId === undefined ? undefined : await lock(tx, parentId)
  if (parent === undefined || parent.status === 'trash' || !canSee(viewer, parent, now)) return []
  return (await listLineage(tx, parent.id)).includes(id) ? [] : [parent.id]
}
