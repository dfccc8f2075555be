import { isDeepStrictEqual } from 'node:util'
import { record } from '../activity/activity.ts'
import type { Actor } from '../caller.ts'
import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { type IfMatch, requireVersion } from '../http/etag.ts'
import { type Language, languages } from '../language.ts'
import { countPieces, piecesMax } from '../rich-text/markup-cost.ts'
import { buildOwnHosts } from '../rich-text/own-hosts.ts'
import { toRichTextIfChanged } from '../rich-text/rich-text.ts'
import { toSlug } from '../rich-text/slug.ts'
import {
  newAlwaysLinkedProblem,
  newAlwaysPublishedProblem,
  newBuiltInPageProblem,
  newFixedSlugProblem,
  newMissingTextProblem,
  newMissingTitleProblem,
  newPageNotFoundProblem,
  newTakenSlugProblem,
  newTooManyPagesProblem,
  newTooMuchMarkupProblem
} from './problems.ts'
import * as pages from './queries.ts'
import { reservedSlugs } from './reserved-slugs.ts'
import {
  getKindSlug,
  type NewPage,
  type PageChanges,
  type PageText,
  type SitePage,
  type TextChanges
} from './schema.ts'

type Texts = SitePage['texts']

/** Position of a new page: after those that every site has, with room before and after it. */
const defaultOrder = 50

export async function createPage(
  db: Database,
  { by, settings, now = new Date() }: Actor & { settings: Settings },
  input: NewPage
): Promise<SitePage> {
  const changes = await sanitizeTexts(settings, input.texts, {})
  return await db.transaction(async tx => {
    if ((await pages.lockAndCount(tx)) >= pages.pagesMax) throw newTooManyPagesProblem()
    const fields = {
      status: input.status ?? 'draft',
      place: input.place ?? 'none',
      order: input.order ?? defaultOrder
    } as const
    const id = await pages.insert(tx, fields, now)
    const texts = await mergeTexts(tx, { id, kind: null, texts: {} }, changes)
    if (Object.keys(texts).length === 0) throw newMissingTextProblem()
    await saveTexts(tx, id, {}, texts)
    await record(tx, { by, now }, 'page.created', { subject: 'page', id, details: { name: getName(texts) } })
    return await getPage(tx, id)
  })
}

export async function changePage(
  db: Database,
  { by, settings, expected, now = new Date() }: Actor & { settings: Settings; expected: IfMatch },
  id: number,
  input: PageChanges
): Promise<SitePage> {
  // Sanitizing is slow and needs no lock; a text that is sent back as it was read stays as it is.
  const changes = await sanitizeTexts(settings, input.texts ?? {}, (await getPage(db, id)).texts)
  return await db.transaction(async tx => {
    await pages.lockAndCount(tx)
    const before = await getPage(tx, id)
    requireVersion(expected, before.version)
    const after = {
      status: input.status ?? before.status,
      place: input.place ?? before.place,
      order: input.order ?? before.order,
      texts: await mergeTexts(tx, before, changes)
    }
    if (before.kind === null && Object.keys(after.texts).length === 0) throw newMissingTextProblem()
    if (before.kind !== null && after.status !== 'published') throw newAlwaysPublishedProblem()
    if (before.kind !== null && before.kind !== 'about' && after.place === 'none') throw newAlwaysLinkedProblem()
    const fields = listChangedFields(before, after)
    if (fields.length === 0) return before
    await pages.update(tx, id, after, now)
    await saveTexts(tx, id, before.texts, after.texts)
    const name = getName(after.texts) || getName(before.texts) || (before.kind ?? '')
    await record(tx, { by, now }, 'page.updated', { subject: 'page', id, details: { name, fields } })
    return await getPage(tx, id)
  })
}

export async function removePage(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  id: number
): Promise<void> {
  await db.transaction(async tx => {
    await pages.lockAndCount(tx)
    const before = await getPage(tx, id)
    requireVersion(expected, before.version)
    if (before.kind !== null) throw newBuiltInPageProblem()
    await pages.remove(tx, id)
    await record(tx, { by, now }, 'page.deleted', { subject: 'page', id, details: { name: getName(before.texts) } })
  })
}

export async function getPage(db: Database, id: number): Promise<SitePage> {
  const page = await pages.find(db, id)
  if (page === undefined) throw newPageNotFoundProblem(id)
  return page
}

type ChangedTexts = Partial<Record<Language, TextChanges | null>>

async function sanitizeTexts(settings: Settings, changes: ChangedTexts, before: Texts): Promise<ChangedTexts> {
  const total = languages.reduce((sum, language) => sum + countPieces(changes[language]?.content ?? ''), 0)
  const context = { site: { ownHosts: buildOwnHosts(settings) } }
  const entries = languages.flatMap(language => {
    const change = changes[language]
    return change === undefined ? [] : [{ language, change }]
  })
  const [first] = entries
  if (total > piecesMax && first !== undefined) throw newTooMuchMarkupProblem(first.language, total)
  const sanitized: ChangedTexts = {}
  for (const { language, change } of entries) {
    sanitized[language] =
      change?.content === undefined
        ? change
        : { ...change, content: await toRichTextIfChanged(context, change.content, before[language]?.content) }
  }
  return sanitized
}

async function mergeTexts(
  tx: Database,
  page: Pick<SitePage, 'id' | 'kind' | 'texts'>,
  changes: ChangedTexts
): Promise<Texts> {
  const texts: Texts = { ...page.texts }
  for (const language of languages) {
    const change = changes[language]
    if (change === undefined) continue
    if (change === null) {
      delete texts[language]
      continue
    }
    const before = page.texts[language]
    const title = change.title ?? before?.title
    if (title === undefined) throw newMissingTitleProblem(language)
    const slug = await chooseSlug(tx, page, language, { wanted: change.slug ?? before?.slug ?? '', title })
    texts[language] = { title, slug, content: change.content ?? before?.content ?? '' }
  }
  return texts
}

async function chooseSlug(
  tx: Database,
  { id, kind }: Pick<SitePage, 'id' | 'kind'>,
  language: Language,
  { wanted, title }: { wanted: string; title: string }
): Promise<string> {
  if (kind !== null) {
    const fixed = getKindSlug(kind, language)
    if (wanted !== '' && wanted !== fixed) throw newFixedSlugProblem(kind, language)
    return fixed
  }
  const taken = await pages.listSlugs(tx, language, id)
  const isFree = (slug: string) => !taken.has(slug) && !reservedSlugs.has(slug)
  if (wanted !== '') {
    if (!isFree(wanted)) throw newTakenSlugProblem(wanted, language)
    return wanted
  }
  const base = toPlainSlug(title, language)
  let slug = base
  for (let number = 2; !isFree(slug); number += 1) slug = `${base}-${number}`
  return slug
}

const slugMax = 80

/** Letters of other scripts are left out, so that the address can be read and typed. */
function toPlainSlug(title: string, language: Language): string {
  const plain = toSlug(title, language)
    .replace(/%[0-9a-f]{2}|_/g, '-')
    .slice(0, slugMax)
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
  return plain === '' ? 'page' : plain
}

async function saveTexts(tx: Database, id: number, before: Texts, after: Texts): Promise<void> {
  for (const language of languages) {
    const text = after[language]
    if (isDeepStrictEqual(text, before[language])) continue
    if (text === undefined) await pages.removeText(tx, id, language)
    else await pages.saveText(tx, id, language, text)
  }
}

/** Names of what differs: `place`, or `de.content` of a text. */
function listChangedFields(before: SitePage, after: Pick<SitePage, 'status' | 'place' | 'order' | 'texts'>): string[] {
  const own = (['status', 'place', 'order'] as const).filter(name => before[name] !== after[name])
  const texts = languages.flatMap(language =>
    (['title', 'slug', 'content'] as const)
      .filter((name: keyof PageText) => before.texts[language]?.[name] !== after.texts[language]?.[name])
      .map(name => `${language}.${name}`)
  )
  return [...own, ...texts]
}

function getName(texts: Texts): string {
  return languages.map(language => texts[language]?.title ?? '').find(title => title !== '') ?? ''
}
