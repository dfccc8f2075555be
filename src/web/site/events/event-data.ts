import type { Language } from '#platform/language.ts'
import { type CalendarEvent, venuesOf } from '../../calendar-api.ts'
import { pathTo } from '../../paths.ts'

/** What search engines read of an event, with addresses of this site and without those of people's mail. */
export function eventJsonLd(event: CalendarEvent, language: Language, origin: string, address: string): object {
  const data = cleaned(event.json_ld ?? {})
  const [venue] = venuesOf(event)
  const [organizer] = event.organizer
  return {
    ...data,
    '@context': 'https://schema.org',
    inLanguage: event.language,
    url: address,
    ...(isObject(data.location) && venue !== undefined
      ? { location: { ...data.location, url: origin + pathTo('venue', language, venue.slug) } }
      : {}),
    ...(isObject(data.organizer) && organizer !== undefined
      ? {
          organizer: {
            ...data.organizer,
            '@type': 'Organization',
            url: origin + pathTo('organizer', language, organizer.slug)
          }
        }
      : {}),
    ...(isObject(data.offers) ? { offers: { ...data.offers, url: address } } : {})
  }
}

/** Without members that say nothing, and without mail addresses: they would stand there for every collector. */
export function cleaned(data: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data)) {
    if (value === '' || value === null || name === 'email' || name === 'performer') continue
    kept[name] = isObject(value) ? cleaned(value) : value
  }
  return kept
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
