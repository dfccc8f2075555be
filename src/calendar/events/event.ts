import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import type { Language } from '#platform/language.ts'
import { formatCost, parseCost } from '../content/cost.ts'
import { toSingleLineText } from '../content/html.ts'
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
import { buildPageUrl } from '../contract/routing/site.ts'
import { resolveImages } from '../linked-posts/resolve-links.ts'
import { resolveImageId } from '../media/media.ts'
import { resolveAuthor } from '../permissions/authors.ts'
import { canEdit, canSee } from '../permissions/permissions.ts'
import { resolvePublication } from '../permissions/publication.ts'
import type { EventColumns, EventText, LockedEvent } from './queries.ts'
import * as events from './queries.ts'
import { listTermIds, saveLinks, updateTermCounts } from './save-links.ts'
import { saveTexts, saveTranslations, type Translations } from './save-texts.ts'
import { resolveSchedule, type Schedule } from './schedule.ts'
import type { EventChanges } from './schema.ts'

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
  const { caller, now, site } = context
  requireMarkupBudget(values, ...Object.values(translations))
  const imageId = await prepareImages(context, values)
  return await db.transaction(async tx => {
    const language = chooseWriteLanguage(context.requestedLanguage, site.settings.defaultLanguage, [])
    const publication = resolvePublication(caller, values, undefined, context)
    const id = await events.insert(
      tx,
      {
        ...withDefaults(values),
        ...(resolveSchedule(context, values, undefined) as Schedule),
        status: publication.status,
        published_at: publication.publishedAt,
        author_id: await resolveAuthor(tx, context, values.author, context.viewer.authorId),
        parent_id: await resolveParent(tx, context, values.post_parent ?? null),
        image_id: imageId ?? null
      },
      language,
      now
    )
    await saveTexts(tx, id, values, { site, language, status: publication.status, changed: true, existing: [] })
    await saveTranslations(tx, id, translations, { site, status: publication.status, existing: [] })
    await saveLinks(tx, context, values, { id, language, before: undefined, publication })
    await record(tx, { by: caller, now }, 'event.created', {
      subject: 'event',
      id,
      details: { title: toSingleLineText(values.title ?? ''), status: publication.status }
    })
    return { id, language }
  })
}

/** Updates only the given fields. */
export async function updateEvent(
  db: Database,
  context: WriteContext,
  id: number,
  { changes, expected, translations = {} }: { changes: EventChanges; expected: IfMatch; translations?: Translations }
): Promise<WrittenEvent> {
  const { caller, now, site } = context
  requireMarkupBudget(changes, ...Object.values(translations))
  // Check permissions first, so that callers who cannot edit the event trigger no image download.
  if (hasImageInput(changes)) await db.transaction(async tx => await lockToEdit(tx, context, id, expected))
  const imageId = await prepareImages(context, changes)
  return await db.transaction(async tx => {
    // Lock rows in id order: otherwise two events that become each other's parents at once would deadlock.
    if (changes.post_parent != null && changes.post_parent < id) await events.lock(tx, changes.post_parent)
    const before = await lockToEdit(tx, context, id, expected)
    if (before.status === 'trash' && changes.status === undefined) throw newPostUnavailableProblem('event')
    const language = chooseWriteLanguage(context.requestedLanguage, site.settings.defaultLanguage, before.languages)
    const publication = resolvePublication(caller, changes, before, context)
    const texts = await events.listTexts(tx, id)
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
    await saveTexts(tx, id, changes, { site, language, ...state, existing: texts })
    await saveTranslations(tx, id, translations, { site, status: publication.status, existing: texts })
    await saveLinks(tx, context, changes, { id, language, before, publication })
    await record(tx, { by: caller, now }, getAction(before.status, publication.status), {
      subject: 'event',
      id,
      details: { changed: Object.keys(changes), status: publication.status, language },
      endsSample: Object.keys({ ...changes, ...translations }).some(field => field !== 'status')
    })
    return { id, language }
  })
}

function getAction(before: string, after: string): string {
  if (after === 'trash') return 'event.trashed'
  if (before === 'trash') return 'event.restored'
  return before !== 'publish' && after === 'publish' ? 'event.published' : 'event.updated'
}

export async function trashEvent(db: Database, context: WriteContext, id: number, expected: IfMatch): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockToEdit(tx, context, id, expected)
    if (before.status === 'trash') throw newAlreadyTrashedProblem('event')
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
    await record(tx, { by: context.caller, now: context.now }, 'event.trashed', { subject: 'event', id })
  })
}

/** Deletes the event permanently, whether or not it is in the trash. */
export async function removeEvent(db: Database, context: WriteContext, id: number, expected: IfMatch): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockToEdit(tx, context, id, expected)
    const termIds = await listTermIds(tx, id)
    await updateTermCounts(tx, { status: before.status, termIds }, { status: 'trash', termIds: [] })
    await events.remove(tx, id)
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
    await removeText(tx, eventTexts, { id, language, now: context.now })
    const details = { removed: language, status: before.status }
    await record(tx, { by: context.caller, now: context.now }, 'event.updated', {
      subject: 'event',
      id,
      details,
      endsSample: true
    })
  })
}

async function lockToEdit(tx: Database, context: WriteContext, id: number, expected: IfMatch): Promise<LockedEvent> {
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

/** Columns that store the given values unchanged. */
function toPlainColumns(values: EventChanges): EventColumns {
  return {
    ...(values.post_password === undefined
      ? {}
      : { password: values.post_password === '' ? null : values.post_password }),
    ...(values.cost === undefined ? {} : { cost: values.cost === null ? null : JSON.stringify(values.cost) }),
    ...(values.website === undefined ? {} : { website: values.website }),
    ...(values.show_map === undefined ? {} : { show_map: values.show_map === true }),
    ...(values.show_map_link === undefined ? {} : { show_map_link: values.show_map_link === true }),
    ...(values.hide_from_listings === undefined ? {} : { hide_from_listings: values.hide_from_listings === true }),
    ...(values.sticky === undefined ? {} : { sticky: values.sticky === true }),
    ...(values.featured === undefined ? {} : { featured: values.featured === true }),
    ...(values.ticketed === undefined ? {} : { ticketed: values.ticketed === true }),
    ...(values.event_status === undefined ? {} : { event_status: values.event_status })
  }
}

/** Defaults for the fields of a new event that were not given. */
function withDefaults(values: EventChanges) {
  return {
    password: null,
    cost: null,
    website: null,
    show_map: false,
    show_map_link: false,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    ticketed: false,
    event_status: 'scheduled',
    ...toPlainColumns(values)
  }
}

/** Drops values that a client read as a fallback or in formatted form and sends back unchanged. */
function omitUnchanged(
  { site }: WriteContext,
  { cost, website, ...rest }: EventChanges,
  before: LockedEvent,
  texts: EventText[]
): EventChanges {
  const pages = [false, true].flatMap(isPublished =>
    texts.map(({ slug }) => buildPageUrl(site, { kind: 'event', id: before.id, slug, isPublished }))
  )
  const isPage = before.website === null && website !== undefined && pages.includes(website)
  const isShownCost = isEqual(cost, parseCost(formatCost(before.cost, site.currency)))
  return {
    ...rest,
    ...(website === undefined || isPage ? {} : { website }),
    ...(cost === undefined || isShownCost ? {} : { cost })
  }
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

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
    throw newInvalidParamProblem('post_parent', 'unknown', {
      en: 'must be the id of another event',
      de: 'muss die Nummer eines anderen Termins sein'
    })
  }
  return parentId
}
