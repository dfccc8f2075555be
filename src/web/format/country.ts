import { getLocale, type Language, languages } from '#platform/language.ts'

/** The name of a country in a language. Venues store it as text: what is no country of either language stays as it is. */
export function formatCountry(language: Language, country: string): string {
  const code = getCodes().get(toKey(country))
  return code === undefined ? country : (getNames(language).of(code) ?? country)
}

const names = new Map<Language, Intl.DisplayNames>()

function getNames(language: Language): Intl.DisplayNames {
  let found = names.get(language)
  if (found === undefined) {
    found = new Intl.DisplayNames(getLocale(language), { type: 'region', fallback: 'none' })
    names.set(language, found)
  }
  return found
}

let codes: Map<string, string> | undefined

/** Codes by name, in all languages. Built on first use: it takes some milliseconds. */
function getCodes(): Map<string, string> {
  if (codes !== undefined) return codes
  codes = new Map()
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const code of letters.flatMap(first => letters.map(second => first + second))) {
    for (const language of languages) {
      const name = getNames(language).of(code)
      if (name !== undefined && !codes.has(toKey(name))) codes.set(toKey(name), code)
    }
  }
  return codes
}

const toKey = (name: string) => name.trim().toLowerCase()
