import { type Language, listOtherLanguages } from '#platform/language.ts'
import { ApiError } from '../../server/api-client.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { buildForLanguages, getPath, type PageName } from '../../server/paths.ts'

/** An item with text and slug in one or several languages. */
export interface Translated {
  id: number
  slug: string
  language: Language
  translations: Language[]
}

export interface PageAddresses {
  own: string
  alternates: Record<Language, string>
  /** An item without text in this language has its canonical URL in its own. */
  canonical: string
}

/** Paths of an item in all languages. Calls the API only for other languages that have their own slug. */
export async function findPageAddresses(
  { api, language }: PageContext,
  place: PageName,
  collection: string,
  item: Translated
): Promise<PageAddresses> {
  const path = `${calendarPath}/${collection}/${item.id}`
  const slugs = new Map<Language, string>()
  await Promise.all(
    listOtherLanguages(language, item.translations)
      .filter(other => other !== item.language)
      .map(async other => {
        const found = await api.get<{ slug: string }>(path, { language: other, _fields: 'slug' }).catch(ignoreRefusal)
        if (found !== undefined) slugs.set(other, found.body.slug)
      })
  )
  const alternates = buildForLanguages(one => getPath(place, one, slugs.get(one) ?? item.slug))
  return { own: alternates[language], alternates, canonical: alternates[item.language] }
}

/** Ignores 4xx errors, as the page works without the data; rethrows all others. */
export function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ApiError && error.status < 500) return undefined
  throw error
}
