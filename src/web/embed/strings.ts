import type { Language } from '#platform/language.ts'

const en = {
  events: (organisation: string) => `Upcoming events: ${organisation}`,
  event: (title: string, organisation: string) => `${title}: ${organisation}`,
  allEvents: 'All events',
  more: 'More about this',
  nothing: 'No upcoming events.',
  missing: { title: 'Not available', text: 'This content is no longer available.' },
  locked: { title: 'Password required', text: 'This content is password-protected. Please open the page itself.' },
  toSite: (organisation: string) => `To ${organisation}`
}

export type EmbedStrings = typeof en

const de: EmbedStrings = {
  events: organisation => `Nächste Termine: ${organisation}`,
  event: (title, organisation) => `${title}: ${organisation}`,
  allEvents: 'Alle Termine',
  more: 'Mehr dazu',
  nothing: 'Keine kommenden Termine.',
  missing: { title: 'Nicht verfügbar', text: 'Dieser Inhalt ist nicht mehr verfügbar.' },
  locked: {
    title: 'Passwort erforderlich',
    text: 'Dieser Inhalt ist mit einem Passwort geschützt. Bitte öffnen Sie die Seite selbst.'
  },
  toSite: organisation => `Zu ${organisation}`
}

export const embedStrings: Record<Language, EmbedStrings> = { en, de }
