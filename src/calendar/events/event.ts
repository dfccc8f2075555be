import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { requireMarkupBudget } from '../content/markup-budget.ts'
import { chooseWriteLanguage, eventTexts, removeText } from '../content/texts.ts'
import {
  newAlreadyTrashedProblem,
  newForbiddenProblem,
  newInvalidParamProblem,
  newPostNotFoundProblem,
  newPostUnavailableProblem
} from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { resolveImages } from '../linked-posts/resolve-links.ts'
import { resolveImageId } from '../media/media.ts'
import { resolveAuthor } from '../permissions/authors.ts'
import { canEdit, canSee } from '../permissions/permissions.ts'
import { resolvePublication } from '../permissions/publication.ts'
import { omitUnchanged, toPlainColumns, withDefaults } from './event-columns.ts'
import { addSeriesChanges, findFieldValues, listChangedFields, listEventChanges } from './field-values.ts'
import type { EventColumns, LockedEvent } from './queries.ts'
import * as events from './queries.ts'
import { recordCreation, recordUpdate } from './record-event.ts'
import { listTermIds, saveLinks, updateTermCounts } from './save-links.ts'
import { saveTexts, saveTranslations, type Translations } from './save-texts.ts'
import { saveVersions } from './save-versions.ts'
import { resolveSchedule, type Schedule } from './schedule.ts'
import type { EventChanges } from './schema.ts'
import { decideSuggestion } from './suggestion-state.ts'

/** Identifies the event and the language of the written text, to read the response from. */
export interface WrittenEvent {
  id: number
  language: Language
}

/** Creates an event, optionally with texts in further languages. */
export async function createEvent(
  db: Database,
  context: WriteContext,
  values: EventChanges,
  translations: Translations = {}
): Promise<WrittenEvent> {
  const imageId = await prepareNewEvent(context, values, translations)
  return await db.transaction(async tx => {
    const written = await insertEvent(tx, context, values, { imageId, translations })
    await recordCreation(tx, context, values, written)
    return written
  })
}

/** Checks the size of the texts and resolves images before the transaction, because that may take long. */
export async function prepareNewEvent(
  context: WriteContext,
  values: EventChanges,
  translations: Translations = {}
): Promise<number | null> {
  requireMarkupBudget(values, ...Object.values(translations))
  return (await prepareImages(context, values)) ?? null
}

/** Inserts the event without recording it. */
export async function insertEvent(
  tx: Database,
  context: WriteContext,
  values: EventChanges,
  { imageId, translations = {} }: { imageId: number | null; translations?: Translations }
): Promise<WrittenEvent & { status: string }> {
  const { caller, now, site } = context
  const language = chooseWriteLanguage(context.requestedLanguage, site.settings.defaultLanguage, [])
  const publication = resolvePublication(caller, values, undefined, context)
  const { status } = publication
  const id = await events.insert(
    tx,
    {
      ...withDefaults(values),
      ...(resolveSchedule(context, values, undefined) as Schedule),
      status,
      published_at: publication.publishedAt,
      author_id: await resolveAuthor(tx, context, values.author, context.viewer.authorId),
      parent_id: await resolveParent(tx, context, values.post_parent ?? null),
      image_id: imageId
    },
    language,
    now
  )
  const saveAllTexts = async () => {
    await saveTexts(tx, id, values, { site: context.site, language, status, changed: true, existing: [] })
    await saveTranslations(tx, id, translations, { site: context.site, status, existing: [] })
  }
  // Sent together.
  await Promise.all([saveAllTexts(), saveLinks(tx, context, values, { id, language, before: undefined, publication })])
  return { id, language, status }
}

/** What an update writes. */
export interface EventUpdate {
  changes: EventChanges
  expected: IfMatch
  translations?: Translations
}

/** Updates only the given fields. An occurrence of a series then differs from it in these. */
export async function updateEvent(
  db: Database,
  context: WriteContext,
  id: number,
  update: EventUpdate
): Promise<WrittenEvent> {
  const imageId = await prepareUpdate(db, context, id, update)
  return await db.transaction(async tx => {
    const done = await applyUpdate(tx, context, id, { ...update, imageId })
    if (done.seriesChanges.length > 0) await addSeriesChanges(tx, id, done.seriesChanges)
    await recordUpdate(tx, context, update, done)
    return { id, language: done.language }
  })
}

/** Checks the size of the texts and resolves images before the transaction. Undefined: no image given. */
export async function prepareUpdate(
  db: Database,
  context: WriteContext,
  id: number,
  { changes, expected, translations = {} }: EventUpdate
): Promise<number | null | undefined> {
  requireMarkupBudget(changes, ...Object.values(translations))
  // Check permissions first, so that callers who cannot edit the event trigger no image download.
  if (hasImageInput(changes)) await db.transaction(async tx => await lockToEdit(tx, context, id, expected))
  return await prepareImages(context, changes)
}

/** An update that was written. */
export interface AppliedUpdate {
  id: number
  language: Language
  status: string
  before: LockedEvent
  /** The fields that changed, if it is an occurrence of a series. */
  seriesChanges: string[]
  /** What changed, for the activity log. */
  recorded: ReturnType<typeof listEventChanges>
}

/** Writes the given fields without recording it. */
export async function applyUpdate(
  tx: Database,
  context: WriteContext,
  id: number,
  { changes, expected, translations = {}, imageId }: EventUpdate & { imageId: number | null | undefined }
): Promise<AppliedUpdate> {
  const { caller, now, site } = context
  // Lock rows in id order: otherwise two events that become each other's parents at once would deadlock.
  if (changes.post_parent != null && changes.post_parent < id) await events.lock(tx, changes.post_parent)
  const before = await lockToEdit(tx, context, id, expected)
  if (before.status === 'trash' && changes.status === undefined) throw newPostUnavailableProblem('event')
  const language = chooseWriteLanguage(context.requestedLanguage, site.settings.defaultLanguage, before.languages)
  const publication = resolvePublication(caller, changes, before, context)
  // Pipelined.
  const [texts, values] = await Promise.all([
    events.listTexts(tx, id),
    findFieldValues(tx, id),
    saveVersions(tx, caller, [id])
  ])
  const columns: EventColumns = {
    ...toPlainColumns(omitUnchanged(context, changes, before, texts)),
    ...resolveSchedule(context, changes, before),
    status: publication.status,
    published_at: publication.publishedAt,
    ...(changes.author === undefined
      ? {}
      : { author_id: await resolveAuthor(tx, context, changes.author, before.authorId) }),
    ...(changes.post_parent === undefined
      ? {}
      : { parent_id: await resolveParent(tx, context, changes.post_parent, before) }),
    ...(imageId === undefined ? {} : { image_id: imageId })
  }
  await events.update(tx, id, columns, now)
  const state = { status: publication.status, changed: publication.status !== before.status }
  const saveAllTexts = async () => {
    await saveTexts(tx, id, changes, { site: context.site, language, ...state, existing: texts })
    await saveTranslations(tx, id, translations, { site: context.site, status: publication.status, existing: texts })
  }
  // Sent together.
  await Promise.all([saveAllTexts(), saveLinks(tx, context, changes, { id, language, before, publication })])
  await decideSuggestion(tx, context, id, { before: before.status, after: publication.status })
  const valuesAfter = await findFieldValues(tx, id)
  const seriesChanges = before.seriesId === null ? [] : listChangedFields(values, valuesAfter)
  const recorded = listEventChanges(values, valuesAfter)
  return { id, language, status: publication.status, before, seriesChanges, recorded }
}

export async function trashEvent(db: Database, context: WriteContext, id: number, expected: IfMatch): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockToEdit(tx, context, id, expected)
    if (before.status === 'trash') throw newAlreadyTrashedProblem('event')
    await saveVersions(tx, context.caller, [id])
    await events.update(tx, id, { status: 'trash' }, context.now)
    const state = { status: 'trash', changed: true }
    await saveTexts(
      tx,
      id,
      {},
      { site: context.site, language: before.languages[0] ?? 'en', ...state, existing: await events.listTexts(tx, id) }
    )
    const termIds = await listTermIds(tx, id)
    await updateTermCounts(tx, { status: before.status, termIds }, { status: 'trash', termIds })
    await decideSuggestion(tx, context, id, { before: before.status, after: 'trash' })
    await record(tx, { by: context.caller, now: context.now }, 'event.trashed', { subject: 'event', id })
  })
}

/** Deletes the event permanently, whether or not it is in the trash. */
export async function removeEvent(db: Database, context: WriteContext, id: number, expected: IfMatch): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockToEdit(tx, context, id, expected)
    const termIds = await listTermIds(tx, id)
    await updateTermCounts(tx, { status: before.status, termIds }, { status: 'trash', termIds: [] })
    await decideSuggestion(tx, context, id, { before: before.status, after: 'trash' })
    if (before.seriesId !== null) await events.excludeFromSeries(tx, id)
    await events.remove(tx, id)
    if (before.seriesId !== null) await events.deleteEmptySeries(tx, before.seriesId)
    await record(tx, { by: context.caller, now: context.now }, 'event.deleted', {
      subject: 'event',
      id,
      endsSample: true
    })
  })
}

/** Deletes the event's text in one language. */
export async function removeEventText(
  db: Database,
  context: WriteContext,
  id: number,
  { language, expected }: { language: Language; expected: IfMatch }
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockToEdit(tx, context, id, expected)
    if (before.status === 'trash') throw newPostUnavailableProblem('event')
    await saveVersions(tx, context.caller, [id])
    await removeText(tx, eventTexts, { id, language, now: context.now })
    if (before.seriesId !== null) await addSeriesChanges(tx, id, ['title', 'description', 'excerpt'])
    const details = { removed: language, status: before.status }
    await record(tx, { by: context.caller, now: context.now }, 'event.updated', {
      subject: 'event',
      id,
      details,
      endsSample: true
    })
  })
}

/** Locks an event that the caller may edit. */
export async function lockToEdit(
  tx: Database,
  context: WriteContext,
  id: number,
  expected: IfMatch
): Promise<LockedEvent> {
  const before = await events.lock(tx, id)
  if (before === undefined) throw newPostNotFoundProblem('event', id)
  if (!canEdit(context.caller, before)) throw newForbiddenProblem()
  requireVersion(expected, before.version)
  return before
}

function hasImageInput({ image, venue = [], organizer = [] }: EventChanges): boolean {
  return image != null || [...venue, ...organizer].some(link => 'fields' in link && link.fields.image != null)
}

/** Resolves and downloads images before the transaction, because that may take long. Undefined: no image given. */
async function prepareImages(context: WriteContext, values: EventChanges): Promise<number | null | undefined> {
  await resolveImages(context, values.venue ?? [])
  await resolveImages(context, values.organizer ?? [])
  return values.image === undefined ? undefined : await resolveImageId(context, values.image)
}

/** A parent that the writer cannot see is treated as missing. */
async function resolveParent(
  tx: Database,
  { viewer, now }: WriteContext,
  parentId: number | null,
  before?: LockedEvent
): Promise<number | null> {
  if (parentId === null || parentId === before?.parentId) return parentId
  const parent = parentId === before?.id ? undefined : await events.lock(tx, parentId)
  const exists = parent !== undefined && parent.status !== 'trash' && canSee(viewer, parent, now)
  if (!exists || (before !== undefined && (await events.listLineage(tx, parentId)).includes(before.id))) {
    throw newInvalidParamProblem('post_parent', 'unknown', buildText('event-problems', 'mustBeTheIdOfAnotherEvent'))
  }
  return parentId
}
