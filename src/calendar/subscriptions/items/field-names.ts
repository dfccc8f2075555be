import type { Text } from '#platform/language.ts'
import { findTextField } from './field-values.ts'

const names: Record<string, Text> = {
  title: { en: 'title', de: 'Titel' },
  description: { en: 'description', de: 'Beschreibung' },
  excerpt: { en: 'short description', de: 'Kurzbeschreibung' },
  when: { en: 'date and time', de: 'Datum und Uhrzeit' },
  venue: { en: 'venue', de: 'Veranstaltungsort' },
  organizer: { en: 'organizer', de: 'Veranstalter' },
  categories: { en: 'categories', de: 'Kategorien' },
  tags: { en: 'tags', de: 'Schlagwörter' },
  image: { en: 'image', de: 'Bild' },
  cost: { en: 'cost', de: 'Preis' },
  website: { en: 'website', de: 'Website' },
  event_status: { en: 'event status', de: 'Durchführung' },
  show_map: { en: 'map', de: 'Karte' },
  show_map_link: { en: 'link to a map', de: 'Link zur Karte' },
  hide_from_listings: { en: 'hidden from listings', de: 'ausgeblendet' },
  sticky: { en: 'pinned', de: 'angeheftet' },
  featured: { en: 'featured', de: 'hervorgehoben' },
  ticketed: { en: 'tickets', de: 'Karten' },
  is_virtual: { en: 'online', de: 'online' },
  post_parent: { en: 'parent event', de: 'übergeordneter Termin' }
}

/** The field in words; a text with its language. */
export function getFieldName(name: string): Text {
  const text = findTextField(name)
  const { en, de } = names[text?.field ?? name] ?? { en: name, de: name }
  return text === undefined ? { en, de } : { en: `${en} (${text.language})`, de: `${de} (${text.language})` }
}

export function listFieldNames(fields: string[]): Text {
  const listed = fields.map(getFieldName)
  return { en: listed.map(({ en }) => en).join(', '), de: listed.map(({ de }) => de).join(', ') }
}
