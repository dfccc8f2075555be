export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** One text in every language: a missing one does not compile. */
export type Text = Record<Language, string>

export function getOtherLanguage(language: Language): Language {
  return language === 'en' ? 'de' : 'en'
}

/** The language an `Accept-Language` header asks for: the best of ours, else the fallback. */
export function negotiateLanguage(header: string | undefined, fallback: Language): Language {
  if (header === undefined || header === '') return fallback
  let best: Language | undefined
  let bestWeight = 0
  for (const range of header.slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = range
      .toLowerCase()
      .split(';')
      .map(part => part.trim())
    const weight = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
    const language = tag === '*' ? fallback : languages.find(known => tag === known || tag.startsWith(`${known}-`))
    if (language !== undefined && weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best ?? fallback
}
