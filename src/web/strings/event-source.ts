import type { Language } from '#platform/language.ts'

/** Where an event of a subscribed calendar comes from. */
const en = {
  fromCalendar: 'From the calendar',
  stays: 'your changes here are kept.'
}

const de: typeof en = {
  fromCalendar: 'Aus dem Kalender',
  stays: 'Ihre Änderungen hier bleiben erhalten.'
}

export const eventSourceStrings: Record<Language, typeof en> = { en, de }
