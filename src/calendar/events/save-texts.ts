import type { Database } from '#platform/database/database.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { toMultilineText, toSingleLineText } from '#platform/rich-text/html.ts'
import { toRichTextIfChanged } from '#platform/rich-text/rich-text.ts'
import { toSlug } from '#platform/rich-text/slug.ts'
import { normalizeForSearch } from '../content/search.ts'
import { eventTexts, findFreeSlug } from '../content/texts.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { Site } from '../contract/routing/site.ts'
import type { EventText } from './queries.ts'
import * as events from './queries.ts'
import type { EventChanges } from './schema.ts'

/** The fields of a translation. */
export type Translation = Pick<EventChanges, 'title' | 'description' | 'excerpt' | 'slug'>
export type Translations = Partial<Record<Language, Translation>>

/** Writes the text of one language; a status change updates the slugs of all languages. */
export async function saveTexts(
  tx: Database,
  id: number,
  values: EventChanges,
  {
    site,
    language,
    status,
    changed,
    existing
  }: { site: Site; language: Language; status: string; changed: boolean; existing: EventText[] }
): Promise<void> {
  const live = status !== 'trash'
  const mentioned = [values.title, values.description, values.excerpt, values.slug].some(value => value !== undefined)
  const shown = existing.find(text => text.language === language) ?? existing[0]
  const others = changed ? existing.filter(text => text.language !== language || !mentioned) : []
  for (const text of others) {
    await events.saveText(
      tx,
      id,
      { ...text, slug: await resolveSlug(tx, id, text, { requested: undefined, status }) },
      { live, isNew: false }
    )
  }
  if (!mentioned) return

  // A title that is sent back as it was read stays unchanged byte for byte.
  const { title: known = '' } = shown ?? {}
  const title = values.title === undefined || values.title === known ? known : toSingleLineText(values.title)
  if (title === '') throw newInvalidParamProblem('title', 'empty', buildText('event-problems', 'empty'))
  const own = existing.find(text => text.language === language)
  const text = {
    language,
    title,
    description: await toRichTextIfChanged({ site }, values.description, own?.description),
    excerpt: await toRichTextIfChanged({ site }, values.excerpt, own?.excerpt),
    slug: own?.slug ?? ''
  }
  const search = buildSearchText(text)
  await events.saveText(
    tx,
    id,
    { ...text, search, slug: await resolveSlug(tx, id, text, { requested: values.slug, status }) },
    { live, isNew: own === undefined }
  )
}

/** Joined by line breaks, so that no search phrase matches across two fields. */
export function buildSearchText({ title, excerpt, description }: Pick<EventText, 'title' | 'excerpt' | 'description'>) {
  return [title, toMultilineText(excerpt), toMultilineText(description)].map(normalizeForSearch).join('\n')
}

export async function saveTranslations(
  tx: Database,
  id: number,
  translations: Translations,
  { site, status, existing }: { site: Site; status: string; existing: EventText[] }
): Promise<void> {
  for (const [language, values] of Object.entries(translations)) {
    await saveTexts(tx, id, values, { site, language: language as Language, status, changed: false, existing })
  }
}

/** Uses the requested slug, or the title at first publication; otherwise keeps the slug unless it is taken by now. */
async function resolveSlug(
  tx: Database,
  id: number,
  text: Pick<EventText, 'language' | 'title' | 'slug'>,
  { requested, status }: { requested: string | undefined; status: string }
): Promise<string> {
  if (status === 'trash' && requested === undefined) return text.slug
  const waits = status === 'draft' || status === 'pending'
  const words = requested === undefined ? text.slug : cleanSlugInput(requested, text.language)
  if (words === '' && waits) return ''
  return await findFreeSlug(tx, eventTexts, { words: words === '' ? text.title : words, language: text.language, id })
}

/** The words of the requested slug, without the suffix that a slug in the trash is shown with; '' if none remain. */
function cleanSlugInput(requested: string, language: Language): string {
  const words = requested.trim().replace(/__trashed$/, '')
  return toSlug(words, language) === '' ? '' : words
}
