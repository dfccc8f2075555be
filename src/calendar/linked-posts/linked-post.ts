import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import type { Language } from '#platform/language.ts'
import { toMultilineText } from '#platform/rich-text/html.ts'
import { toRichText } from '#platform/rich-text/rich-text.ts'
import { toSlug } from '#platform/rich-text/slug.ts'
import { requireMarkupBudget } from '../content/markup-budget.ts'
import { normalizeForSearch } from '../content/search.ts'
import { chooseWriteLanguage, findFreeSlug, removeText } from '../content/texts.ts'
import {
  newAlreadyTrashedProblem,
  newForbiddenProblem,
  newPostNotFoundProblem,
  newPostUnavailableProblem
} from '../contract/problems.ts'
import type { RequestContext, WriteContext } from '../contract/routing/route.ts'
import { resolveAuthor } from '../permissions/authors.ts'
import { canEdit, getPublicStatus, isHidden } from '../permissions/permissions.ts'
import { type Publication, resolvePublication } from '../permissions/publication.ts'
import { toLanguageChoice } from './filter.ts'
import { hasInheritedState, type ParentEvent, toInlineState } from './inline-state.ts'
import type { LinkedPostKey, LinkedPostText, LockedPost } from './queries.ts'
import * as queries from './queries.ts'
import type { LinkedPostChanges, LinkedPostRow, LinkedPostType } from './schema.ts'

/** The context of a request, or of internal work, which has no If-Match header. */
type LinkedWriteContext = WriteContext & Partial<Pick<RequestContext, 'request'>>

export async function createLinkedPost<Own extends object, Changes extends LinkedPostChanges>(
  db: Database,
  context: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  changes: Changes
): Promise<LinkedPostRow & Own> {
  requireMarkupBudget({ description: changes.description })
  const language = chooseWriteLanguage(context.requestedLanguage, context.site.settings.defaultLanguage, [])
  return await db.transaction(async tx => {
    const id = await insertLinkedPost(tx, context, linked, { changes, language })
    return await reload(tx, context, linked, { id, language })
  })
}

/** Updates only the given fields. A status other than trash restores it from the trash. */
export async function updateLinkedPost<Own extends object, Changes extends LinkedPostChanges>(
  context: LinkedWriteContext,
  linked: LinkedPostType<Own, Changes>,
  key: LinkedPostKey,
  changes: Changes
): Promise<LinkedPostRow & Own> {
  requireMarkupBudget({ description: changes.description })
  return await context.db.transaction(async tx => {
    const before = await lockForWriting(tx, context, linked, key)
    if (before.status === 'trash' && changes.status === undefined) throw newPostUnavailableProblem(linked.kind)
    const language = await writeChanges(tx, context, linked, { before, changes })
    return await reload(tx, context, linked, { id: before.id, language })
  })
}

export async function trashLinkedPost<Own extends object, Changes extends LinkedPostChanges>(
  context: RequestContext,
  linked: LinkedPostType<Own, Changes>,
  key: LinkedPostKey
): Promise<LinkedPostRow & Own> {
  return await context.db.transaction(async tx => {
    const before = await lockForWriting(tx, context, linked, key)
    if (before.status === 'trash') throw newAlreadyTrashedProblem(linked.kind)
    await writeChanges(tx, context, linked, { before, changes: { status: 'trash' } as Changes })
    return await reload(tx, context, linked, { id: before.id, language: context.language })
  })
}

/** Deletes permanently, from the trash or directly; only for callers who could also publish it. */
export async function removeLinkedPost<Own extends object, Changes extends LinkedPostChanges>(
  context: LinkedWriteContext,
  linked: LinkedPostType<Own, Changes>,
  key: LinkedPostKey
): Promise<LinkedPostRow & Own> {
  return await context.db.transaction(async tx => {
    const { id } = await lockForWriting(tx, context, linked, key)
    const row = await reload(tx, context, linked, { id, language: context.language })
    await queries.remove(tx, linked, id)
    await record(tx, { by: context.caller, now: context.now }, `${linked.kind}.deleted`, {
      subject: linked.kind,
      id,
      details: { name: row.name },
      endsSample: true
    })
    return row
  })
}

/** Deletes its text in one language. */
export async function removeLinkedPostText<Own extends object, Changes extends LinkedPostChanges>(
  context: RequestContext,
  linked: LinkedPostType<Own, Changes>,
  key: LinkedPostKey,
  language: Language
): Promise<LinkedPostRow & Own> {
  return await context.db.transaction(async tx => {
    const { id, status } = await lockForWriting(tx, context, linked, key)
    if (status === 'trash') throw newPostUnavailableProblem(linked.kind)
    await removeText(tx, linked.texts, { id, language, now: context.now })
    const row = await reload(tx, context, linked, { id, language })
    await record(tx, { by: context.caller, now: context.now }, `${linked.kind}.updated`, {
      subject: linked.kind,
      id,
      details: { name: row.name, removed: language },
      endsSample: true
    })
    return row
  })
}

/** Inserts an item within an open transaction. */
export async function insertLinkedPost<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  context: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  { changes, language, event }: { changes: Changes; language: Language; event?: ParentEvent | undefined }
): Promise<number> {
  const { caller, now } = context
  const name = linked.getName(changes)
  if (name === undefined) throw new Error(`A new ${linked.kind} needs a name.`)
  const own = linked.own.resolve(changes, undefined)
  const isInline = event !== undefined && hasInheritedState(changes)
  const publication = isInline ? toInlineState(event, now) : resolvePublication(caller, changes, undefined, context)
  const post = {
    ...publication,
    madeFor: isInline && !isPublicAt(publication, now) ? event.id : null,
    authorId: await resolveAuthor(tx, context, changes.author, context.viewer.authorId),
    password: changes.post_password || null,
    imageId: changes.imageId ?? null,
    own
  }
  const id = await queries.insert(tx, linked, post, now)
  const description = await toRichText(context, changes.description ?? '')
  const slug = await findFreeSlug(tx, linked.texts, {
    words: chooseSlugSource(changes.slug ?? '', name, language),
    language,
    id
  })
  await queries.saveText(tx, linked, id, {
    language,
    name,
    description,
    slug,
    live: post.status !== 'trash',
    search: buildSearchText(linked, name, description, own)
  })
  await record(tx, { by: caller, now }, `${linked.kind}.created`, { subject: linked.kind, id, details: { name } })
  return id
}

function isPublicAt({ status, publishedAt }: Publication, now: Date): boolean {
  return status === 'publish' && publishedAt !== null && publishedAt <= now
}

async function lockForWriting<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  context: LinkedWriteContext,
  linked: LinkedPostType<Own, Changes>,
  key: LinkedPostKey
): Promise<LockedPost & Own> {
  const before = await queries.lock(tx, linked, key, context.language)
  if (before === undefined) throw newPostNotFoundProblem(linked.kind, 'id' in key ? key.id : key.slug)
  if (!canEdit(context.caller, before)) {
    throw 'slug' in key && isHidden(context, before)
      ? newPostNotFoundProblem(linked.kind, key.slug)
      : newForbiddenProblem()
  }
  requireVersion(context.request === undefined ? undefined : parseIfMatch(context.request), before.version)
  return before
}

/** Writes the changes and records the activity; returns the language that was written. */
async function writeChanges<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  context: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  { before, changes }: { before: LockedPost & Own; changes: Changes }
): Promise<Language> {
  const { caller, now } = context
  const { id } = before
  const own = linked.own.resolve(changes, before)
  const publication = resolvePublication(caller, changes, before, context)
  const authorId = await resolveAuthor(tx, context, changes.author, before.authorId)
  await queries.update(tx, linked, id, {
    post: {
      ...publication,
      authorId,
      password: changes.post_password === undefined ? before.password : changes.post_password || null,
      imageId: changes.imageId === undefined ? before.imageId : changes.imageId,
      hasOwnState: changes.status !== undefined && changes.status !== getPublicStatus(before, now),
      own
    },
    now
  })

  const texts = await queries.listTexts(tx, linked, id)
  const language = chooseWriteLanguage(
    context.requestedLanguage,
    context.site.settings.defaultLanguage,
    texts.map(text => text.language)
  )
  const live = publication.status !== 'trash'
  const restored = before.status === 'trash' && live
  const after = await resolveTexts(context, linked, texts, { language, changes })
  for (const { text, slugWanted } of after) {
    const wanted = slugWanted ?? (restored ? text.slug : undefined)
    const slug =
      wanted === undefined
        ? text.slug
        : await findFreeSlug(tx, linked.texts, { words: wanted, language: text.language, id })
    const search = buildSearchText(linked, text.name, text.description, own)
    await queries.saveText(tx, linked, id, { ...text, slug, live, search })
  }

  const happened = restored ? 'restored' : before.status !== 'trash' && !live ? 'trashed' : 'updated'
  const name = after.find(({ text }) => text.language === language)?.text.name ?? after[0]?.text.name
  const what = { subject: linked.kind, id, details: { name }, endsSample: happened === 'updated' }
  await record(tx, { by: caller, now }, `${linked.kind}.${happened}`, what)
  return language
}

interface ResolvedText {
  text: LinkedPostText
  /** The source of a new slug, if there is to be one. */
  slugWanted: string | undefined
}

/** A text in a new language without a name takes the existing name: most names are the same in all languages. */
async function resolveTexts<Own extends object, Changes extends LinkedPostChanges>(
  context: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  texts: LinkedPostText[],
  { language, changes }: { language: Language; changes: Changes }
): Promise<ResolvedText[]> {
  const name = linked.getName(changes)
  const { description, slug } = changes
  const others = texts.map(text => ({ text, slugWanted: undefined })).filter(({ text }) => text.language !== language)
  const before = texts.find(text => text.language === language)
  if (before === undefined && name === undefined && description === undefined && slug === undefined) return others

  const text = {
    language,
    name: name ?? before?.name ?? texts[0]?.name ?? '',
    description: description === undefined ? (before?.description ?? '') : await toRichText(context, description),
    slug: before?.slug ?? ''
  }
  const requested = slug ?? (before === undefined ? '' : undefined)
  return [
    ...others,
    { text, slugWanted: requested === undefined ? undefined : chooseSlugSource(requested, text.name, language) }
  ]
}

/** The source of the slug: the name, if the requested slug is empty. Ignores the suffix shown in the trash. */
function chooseSlugSource(given: string, name: string, language: Language): string {
  const slug = given.trim().replace(/__trashed$/, '')
  return toSlug(slug, language) === '' ? name : slug
}

/** Everything that a search covers; the name comes first, so that lists can sort by it. */
function buildSearchText<Own extends object, Changes extends LinkedPostChanges>(
  linked: LinkedPostType<Own, Changes>,
  name: string,
  description: string,
  own: Own
): string {
  return [name, toMultilineText(description), ...linked.own.listSearchTexts(own)].map(normalizeForSearch).join('\n')
}

async function reload<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  context: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  { id, language }: { id: number; language: Language }
): Promise<LinkedPostRow & Own> {
  const choice = { ...toLanguageChoice(context), wanted: language }
  const row = await queries.find(tx, linked, { id }, { choice, zone: context.zone })
  if (row === undefined) throw new Error(`The ${linked.kind} ${id} has no text.`)
  return row
}
