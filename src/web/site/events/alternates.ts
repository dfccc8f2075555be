import { getOtherLanguage, type Language } from '#platform/language.ts'
import { ApiError } from '../../server/api-client.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath, type PageName } from '../../server/paths.ts'

/** An item with text and slug in one or both languages. */
export interface Translated {
  id: number
  slug: string
  language: Language
  translations: Language[]
}

export interface PageAddresses {
  own: string
  alternates: Record<Language, string>
  /** An item without text in this language has its canonical URL in the other. */
  canonical: string
}

/** Paths of an item in both languages. Calls the API only if the other language has its own slug. */
export async function findPageAddresses(
  { api, language }: PageContext,
  place: PageName,
  collection: string,
  item: Translated
): Promise<PageAddresses> {
  const other = getOtherLanguage(language)
  const hasOther = item.language !== other && item.translations.includes(other)
  const path = `${calendarPath}/${collection}/${item.id}`
  const found = hasOther
    ? await api.get<{ slug: string }>(path, { language: other, _fields: 'slug' }).catch(ignoreRefusal)
    : undefined
  const own = getPath(place, language, item.slug)
  const away = getPath(place, other, found?.body.slug ?? item.slug)
  const alternates = language === 'en' ? { en: own, de: away } : { en: away, de: own }
  return { own, alternates: alternates, canonical: alternates[item.language] }
}

/** Ignores 4xx errors, as the page works without the data; rethrows all others. */
export function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ApiError && error.status < 500) return undefined
  throw error
}
