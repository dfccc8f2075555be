import { record } from '#platform/activity/activity.ts'
import { ifMatch, refuseStale } from '#platform/conditional.ts'
import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { authorAfter } from '../author.ts'
import { textOf } from '../html.ts'
import { requireMarkupBudget } from '../markup-budget.ts'
import { alreadyInTrash, noLongerAvailable, notAllowed, notFound } from '../problems.ts'
import { type Publication, publicationAfter } from '../publication.ts'
import { richText } from '../rich-text.ts'
import { folded } from '../search.ts'
import { slugOf } from '../slug.ts'
import type { Visit, Work } from '../tec.ts'
import { freeSlug, languageToWrite, removeText } from '../texts.ts'
import { isHidden, mayEdit, shownStatus } from '../viewer.ts'
import { choiceOf } from './filter.ts'
import { type Event, takesStateOfEvent, toInlineState } from './inline.ts'
import type { Before, LinkedKey, LinkedText } from './queries.ts'
import * as queries from './queries.ts'
import type { Linked, LinkedChanges, LinkedRow } from './schema.ts'

/** A visit, or work of the program itself, which expects no version. */
type Writing = Work & Partial<Pick<Visit, 'request'>>

export async function createLinked<Own extends object, Changes extends LinkedChanges>(
  db: Database,
  visit: Work,
  linked: Linked<Own, Changes>,
  changes: Changes
): Promise<LinkedRow & Own> {
  requireMarkupBudget({ description: changes.description })
  const language = languageToWrite(visit.chosenLanguage, visit.site.settings.defaultLanguage, [])
  return await db.transaction(async tx => {
    const id = await insertNew(tx, visit, linked, changes, language)
    return await rowAfter(tx, visit, linked, id, language)
  })
}

/** Changes what is mentioned and nothing else. A state other than the trash brings it back from there. */
export async function updateLinked<Own extends object, Changes extends LinkedChanges>(
  visit: Writing,
  linked: Linked<Own, Changes>,
  key: LinkedKey,
  changes: Changes
): Promise<LinkedRow & Own> {
  requireMarkupBudget({ description: changes.description })
  return await visit.db.transaction(async tx => {
    const before = await lockForWriting(tx, visit, linked, key)
    if (before.status === 'trash' && changes.status === undefined) throw noLongerAvailable(linked.kind)
    const language = await change(tx, visit, linked, before, changes)
    return await rowAfter(tx, visit, linked, before.id, language)
  })
}

export async function trashLinked<Own extends object, Changes extends LinkedChanges>(
  visit: Visit,
  linked: Linked<Own, Changes>,
  key: LinkedKey
): Promise<LinkedRow & Own> {
  return await visit.db.transaction(async tx => {
    const before = await lockForWriting(tx, visit, linked, key)
    if (before.status === 'trash') throw alreadyInTrash(linked.kind)
    await change(tx, visit, linked, before, { status: 'trash' } as Changes)
    return await rowAfter(tx, visit, linked, before.id, visit.language)
  })
}

/** For good, from the trash or at once; only by who could also publish it. */
export async function removeLinked<Own extends object, Changes extends LinkedChanges>(
  visit: Writing,
  linked: Linked<Own, Changes>,
  key: LinkedKey
): Promise<LinkedRow & Own> {
  return await visit.db.transaction(async tx => {
    const { id } = await lockForWriting(tx, visit, linked, key)
    const row = await rowAfter(tx, visit, linked, id, visit.language)
    await queries.remove(tx, linked, id)
    await record(tx, visit.caller, visit.now, `${linked.kind}.deleted`, {
      subject: linked.kind,
      id,
      details: { name: row.name },
      endsSample: true
    })
    return row
  })
}

/** Takes the text of one language from it. */
export async function removeLinkedText<Own extends object, Changes extends LinkedChanges>(
  visit: Visit,
  linked: Linked<Own, Changes>,
  key: LinkedKey,
  language: Language
): Promise<LinkedRow & Own> {
  return await visit.db.transaction(async tx => {
    const { id, status } = await lockForWriting(tx, visit, linked, key)
    if (status === 'trash') throw noLongerAvailable(linked.kind)
    await removeText(tx, linked.texts, id, language, visit.now)
    const row = await rowAfter(tx, visit, linked, id, language)
    await record(tx, visit.caller, visit.now, `${linked.kind}.updated`, {
      subject: linked.kind,
      id,
      details: { name: row.name, removed: language },
      endsSample: true
    })
    return row
  })
}

/** Makes one in a transaction that is under way. */
export async function insertNew<Own extends object, Changes extends LinkedChanges>(
  tx: Database,
  visit: Work,
  linked: Linked<Own, Changes>,
  changes: Changes,
  language: Language,
  event?: Event
): Promise<number> {
  const { caller, now } = visit
  const name = linked.nameIn(changes)
  if (name === undefined) throw new Error(`A new ${linked.kind} has a name.`)
  const own = linked.own.after(changes, undefined)
  const isInline = event !== undefined && takesStateOfEvent(changes)
  const publication = isInline ? toInlineState(event, now) : publicationAfter(caller, changes, undefined, visit)
  const post = {
    ...publication,
    madeFor: isInline && !isPublicSince(publication, now) ? event.id : null,
    authorId: await authorAfter(tx, visit, changes.author, visit.viewer.authorId),
    password: changes.post_password || null,
    imageId: changes.imageId ?? null,
    own
  }
  const id = await queries.insert(tx, linked, post, now)
  const description = await richText(changes.description ?? '')
  const slug = await freeSlug(tx, linked.texts, slugWish(changes.slug ?? '', name, language), language, id)
  await queries.saveText(tx, linked, id, {
    language,
    name,
    description,
    slug,
    live: post.status !== 'trash',
    search: searchOf(linked, name, description, own)
  })
  await record(tx, caller, now, `${linked.kind}.created`, { subject: linked.kind, id, details: { name } })
  return id
}

function isPublicSince({ status, publishedAt }: Publication, now: Date): boolean {
  return status === 'publish' && publishedAt !== null && publishedAt <= now
}

async function lockForWriting<Own extends object, Changes extends LinkedChanges>(
  tx: Database,
  visit: Writing,
  linked: Linked<Own, Changes>,
  key: LinkedKey
): Promise<Before & Own> {
  const before = await queries.lock(tx, linked, key, visit.language)
  if (before === undefined) throw notFound(linked.kind, 'id' in key ? key.id : key.slug)
  if (!mayEdit(visit.caller, before)) {
    throw 'slug' in key && isHidden(visit, before) ? notFound(linked.kind, key.slug) : notAllowed()
  }
  refuseStale(visit.request === undefined ? undefined : ifMatch(visit.request), before.version)
  return before
}

/** Writes and records; answers the language that was written. */
async function change<Own extends object, Changes extends LinkedChanges>(
  tx: Database,
  visit: Work,
  linked: Linked<Own, Changes>,
  before: Before & Own,
  changes: Changes
): Promise<Language> {
  const { caller, now } = visit
  const { id } = before
  const own = linked.own.after(changes, before)
  const publication = publicationAfter(caller, changes, before, visit)
  const authorId = await authorAfter(tx, visit, changes.author, before.authorId)
  await queries.update(
    tx,
    linked,
    id,
    {
      ...publication,
      authorId,
      password: changes.post_password === undefined ? before.password : changes.post_password || null,
      imageId: changes.imageId === undefined ? before.imageId : changes.imageId,
      hasOwnState: changes.status !== undefined && changes.status !== shownStatus(before, now),
      own
    },
    now
  )

  const texts = await queries.listTexts(tx, linked, id)
  const language = languageToWrite(
    visit.chosenLanguage,
    visit.site.settings.defaultLanguage,
    texts.map(text => text.language)
  )
  const live = publication.status !== 'trash'
  const restored = before.status === 'trash' && live
  const after = await textsAfter(linked, texts, language, changes)
  for (const { text, slugWanted } of after) {
    const wanted = slugWanted ?? (restored ? text.slug : undefined)
    const slug = wanted === undefined ? text.slug : await freeSlug(tx, linked.texts, wanted, text.language, id)
    const search = searchOf(linked, text.name, text.description, own)
    await queries.saveText(tx, linked, id, { ...text, slug, live, search })
  }

  const happened = restored ? 'restored' : before.status !== 'trash' && !live ? 'trashed' : 'updated'
  const name = after.find(({ text }) => text.language === language)?.text.name ?? after[0]?.text.name
  const what = { subject: linked.kind, id, details: { name }, endsSample: happened === 'updated' }
  await record(tx, caller, now, `${linked.kind}.${happened}`, what)
  return language
}

interface TextAfter {
  text: LinkedText
  /** What a new slug is made of, where there is to be one. */
  slugWanted: string | undefined
}

/** A text in a new language that is given no name keeps the one there is: most names are the same in all. */
async function textsAfter<Own extends object, Changes extends LinkedChanges>(
  linked: Linked<Own, Changes>,
  texts: LinkedText[],
  language: Language,
  changes: Changes
): Promise<TextAfter[]> {
  const name = linked.nameIn(changes)
  const { description, slug } = changes
  const others = texts.map(text => ({ text, slugWanted: undefined })).filter(({ text }) => text.language !== language)
  const before = texts.find(text => text.language === language)
  if (before === undefined && name === undefined && description === undefined && slug === undefined) return others

  const text = {
    language,
    name: name ?? before?.name ?? texts[0]?.name ?? '',
    description: description === undefined ? (before?.description ?? '') : await richText(description),
    slug: before?.slug ?? ''
  }
  const asked = slug ?? (before === undefined ? '' : undefined)
  return [...others, { text, slugWanted: asked === undefined ? undefined : slugWish(asked, text.name, language) }]
}

/** What the slug is made of: the name, if the wish leaves nothing. What is shown of one in the trash is no part of it. */
function slugWish(given: string, name: string, language: Language): string {
  const wish = given.trim().replace(/__trashed$/, '')
  return slugOf(wish, language) === '' ? name : wish
}

/** Writers of the same words wait for each other, so that a crowd of them does not collide again and again. */
/** Everything a search looks into; the name comes first and can be ordered by. */
function searchOf<Own extends object, Changes extends LinkedChanges>(
  linked: Linked<Own, Changes>,
  name: string,
  description: string,
  own: Own
): string {
  return [name, textOf(description), ...linked.own.searched(own)].map(folded).join('\n')
}

async function rowAfter<Own extends object, Changes extends LinkedChanges>(
  tx: Database,
  visit: Work,
  linked: Linked<Own, Changes>,
  id: number,
  language: Language
): Promise<LinkedRow & Own> {
  const choice = { ...choiceOf(visit), wanted: language }
  const row = await queries.find(tx, linked, { id }, { choice, zone: visit.zone })
  if (row === undefined) throw new Error(`The ${linked.kind} ${id} has no text.`)
  return row
}
