import { type Language, languages } from '#platform/language.ts'

/** A text of the API by language; one language is enough. */
export type Texts = Partial<Record<Language, string>>

/** The text in the page's language, else the one there is. */
export function getText(texts: Texts, language: Language): { text: string; lang: Language | undefined } {
  const own = texts[language]
  if (own !== undefined) return { text: own, lang: undefined }
  const other = languages.find(one => texts[one] !== undefined)
  return other === undefined ? { text: '', lang: undefined } : { text: texts[other] ?? '', lang: other }
}
