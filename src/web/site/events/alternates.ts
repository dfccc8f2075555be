import { getOtherLanguage, type Language } from '#platform/language.ts'
import { ApiError } from '../../server/api-client.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath, type PageName } from '../../server/paths.ts'

/** What has a text and a slug in one language or in both. */
export interface Translated {
  id: number
  slug: string
  language: Language
  translations: Language[]
}

export interface PageAddresses {
  own: string
  alternates: Record<Language, string>
  /** What is described in the other language only has its home there. */
  canonical: string
}

/** The address of something in both languages. The API is asked only where there is another slug to hear of. */
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

/** A page does without what the API refuses to tell; what breaks, breaks. */
export function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ApiError && error.status < 500) return undefined
  throw error
}
