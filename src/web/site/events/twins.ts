import { type Language, otherLanguage } from '#platform/language.ts'
import { Refused } from '../../api.ts'
import { calendarPath } from '../../calendar-api.ts'
import { type Place, pathTo } from '../../paths.ts'
import type { Visit } from '../../visit.ts'

/** What has a text and a slug in one language or in both. */
export interface Translated {
  id: number
  slug: string
  language: Language
  translations: Language[]
}

export interface Addresses {
  own: string
  twins: Record<Language, string>
  /** What is described in the other language only has its home there. */
  canonical: string
}

/** The address of something in both languages. The API is asked only where there is another slug to hear of. */
export async function addressesOf(
  { api, language }: Visit,
  place: Place,
  collection: string,
  item: Translated
): Promise<Addresses> {
  const other = otherLanguage(language)
  const hasOther = item.language !== other && item.translations.includes(other)
  const path = `${calendarPath}/${collection}/${item.id}`
  const found = hasOther
    ? await api.get<{ slug: string }>(path, { language: other, _fields: 'slug' }).catch(unlessBroken)
    : undefined
  const own = pathTo(place, language, item.slug)
  const away = pathTo(place, other, found?.body.slug ?? item.slug)
  const twins = language === 'en' ? { en: own, de: away } : { en: away, de: own }
  return { own, twins, canonical: twins[item.language] }
}

/** A page does without what the API refuses to tell; what breaks, breaks. */
export function unlessBroken(error: unknown): undefined {
  if (error instanceof Refused && error.status < 500) return undefined
  throw error
}
