import { getLocale, type Language } from '../language.ts'

const styles = {
  numeric: { year: 'numeric', month: '2-digit', day: '2-digit' },
  long: { dateStyle: 'long' },
  moment: { dateStyle: 'long', timeStyle: 'short' }
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Formats are slow to create, and an export has 100,000 days. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-12-01` as `01.12.2026`; in English as it is, as in the API and in spreadsheets. */
export function formatNumericDay(day: string, language: Language): string {
  return language === 'en' ? day : format(`${day}T00:00:00Z`, language, 'numeric')
}

/** `2026-12-01` as `1. Dezember 2026`; in English as it is. */
export function formatLongDay(day: string, language: Language): string {
  return language === 'en' ? day : format(`${day}T00:00:00Z`, language, 'long')
}

/** An instant in UTC, for problems, which do not know the time zone of the site; in English as it is. */
export function formatMoment(instant: string, language: Language): string {
  return language === 'en' ? instant : format(instant, language, 'moment')
}

function format(instant: string, language: Language, style: keyof typeof styles): string {
  const key = `${language} ${style}`
  let known = formats.get(key)
  if (known === undefined) {
    known = new Intl.DateTimeFormat(getLocale(language), { ...styles[style], timeZone: 'UTC' })
    formats.set(key, known)
  }
  return known.format(new Date(instant))
}
