import type { Language } from '#platform/language.ts'
import { type CalendarEvent, getVenues } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'

/** Structured data of an event for search engines, with URLs of this site and without e-mail addresses. */
export function buildEventJsonLd(event: CalendarEvent, language: Language, origin: string, address: string): object {
  const data = cleanJsonLd(event.json_ld ?? {})
  const [venue] = getVenues(event)
  const [organizer] = event.organizer
  return {
    ...data,
    '@context': 'https://schema.org',
    inLanguage: event.language,
    url: address,
    ...(isObject(data.location) && venue !== undefined
      ? { location: { ...data.location, url: origin + getPath('venue', language, venue.slug) } }
      : {}),
    ...(isObject(data.organizer) && organizer !== undefined
      ? {
          organizer: {
            ...data.organizer,
            '@type': 'Organization',
            url: origin + getPath('organizer', language, organizer.slug)
          }
        }
      : {}),
    ...(isObject(data.offers) ? { offers: { ...data.offers, url: address } } : {})
  }
}

/** Removes empty members, and e-mail addresses, which harvesters would collect. */
export function cleanJsonLd(data: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data)) {
    if (value === '' || value === null || name === 'email' || name === 'performer') continue
    kept[name] = isObject(value) ? cleanJsonLd(value) : value
  }
  return kept
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
