import type { Language } from '#platform/language.ts'

/** Where an event of a subscribed calendar comes from. */
const en = {
  fromCalendar: 'From the calendar',
  stays: 'what you change here stays as you write it.'
}

const de: typeof en = {
  fromCalendar: 'Aus dem Kalender',
  stays: 'Was Sie hier ändern, bleibt so, wie Sie es schreiben.'
}

export const eventSourceStrings: Record<Language, typeof en> = { en, de }
