import type { Language } from '#platform/language.ts'

const en = {
  events: (organisation: string) => `Upcoming events: ${organisation}`,
  event: (title: string, organisation: string) => `${title}: ${organisation}`,
  allEvents: 'All events',
  more: 'More about this',
  nothing: 'Nothing is planned at the moment.',
  missing: { title: 'Not here any more', text: 'What was shown here has moved or was taken down.' },
  locked: { title: 'Not for everybody', text: 'What is shown here needs a password. Please open the page itself.' },
  toSite: (organisation: string) => `To ${organisation}`
}

export type EmbedStrings = typeof en

const de: EmbedStrings = {
  events: organisation => `Nächste Termine: ${organisation}`,
  event: (title, organisation) => `${title}: ${organisation}`,
  allEvents: 'Alle Termine',
  more: 'Mehr dazu',
  nothing: 'Zurzeit ist nichts geplant.',
  missing: { title: 'Nicht mehr da', text: 'Was hier gezeigt wurde, ist umgezogen oder wurde zurückgezogen.' },
  locked: {
    title: 'Nicht für alle',
    text: 'Was hier gezeigt wird, ist mit einem Passwort geschützt. Bitte öffnen Sie die Seite selbst.'
  },
  toSite: organisation => `Zu ${organisation}`
}

export const embedStrings: Record<Language, EmbedStrings> = { en, de }
