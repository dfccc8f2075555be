import { type Language, languages } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { encodePathSegment } from '../format/path-segment.ts'

/** The names in `messages/en/paths.json`, which has the path of each page without its language. */
export type PageName = keyof Messages<'paths'>

/** All paths of the public site by language, with `:parameters`: `/de/termin/:slug`. */
export const patterns = Object.fromEntries(
  (Object.keys(getMessages('paths', 'en')) as PageName[]).map(place => [
    place,
    buildForLanguages(language => {
      const path = getMessages('paths', language)[place]
      return path === '' ? `/${language}` : `/${language}/${path}`
    })
  ])
) as Record<PageName, Record<Language, string>>

/** The same split at the parameter; `after` is undefined if there is none. */
const patternParts = Object.fromEntries(
  Object.entries(patterns).map(([place, paths]) => [
    place,
    buildForLanguages(language => {
      const [before = '', after] = paths[language].split(/:\w+(.*)/)
      return { before, after }
    })
  ])
) as Record<PageName, Record<Language, { before: string; after: string | undefined }>>

/** A value for each language. */
export function buildForLanguages<Value>(build: (language: Language) => Value): Record<Language, Value> {
  return Object.fromEntries(languages.map(language => [language, build(language)])) as Record<Language, Value>
}

/** Path of a page in a language, such as `getPath('event', 'de', 'sommerfest')`. */
export function getPath(place: PageName, language: Language, part = ''): string {
  const { before, after } = patternParts[place][language]
  return after === undefined ? before : before + encodePathSegment(part) + after
}

/** Paths of a page in all languages. */
export function getPaths(place: PageName, part = ''): Record<Language, string> {
  return buildForLanguages(language => getPath(place, language, part))
}

/** `7-new-roof`: only the id is used for the lookup. */
export function buildCampaignSlug(id: number, name: string): string {
  const strings = name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .slice(0, 60)
    .trim()
  return strings === '' ? String(id) : `${id}-${strings.replaceAll(' ', '-')}`
}
