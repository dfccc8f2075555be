import type { Text } from '#platform/language.ts'
import type { SubscriptionProblem } from './schema.ts'

/** Texts in reports and states of subscriptions, in both languages: several editors read them. */
export const reasons = {
  own: {
    en: 'An event of this calendar itself.',
    de: 'Ein Termin dieses Kalenders selbst.'
  },
  inSeries: {
    en: 'Belongs to a series that was imported. To have it from the subscription, delete the series.',
    de: 'Gehört zu einer Reihe, die importiert wurde. Damit er aus dem Abo kommt, löschen Sie die Reihe.'
  },
  ofAnother: {
    en: 'Comes from another subscription already.',
    de: 'Kommt schon aus einem anderen abonnierten Kalender.'
  },
  removed: {
    en: 'Deleted here.',
    de: 'Hier gelöscht.'
  },
  inTrash: {
    en: 'In the trash here.',
    de: 'Hier im Papierkorb.'
  },
  conflict: ({ en, de }: Text): Text => ({
    en: `Changed at the source, but edited here: ${en}. Kept as it is here.`,
    de: `An der Quelle geändert, aber hier bearbeitet: ${de}. Hier so belassen.`
  }),
  changed: ({ en, de }: Text): Text => ({ en: `Changed: ${en}.`, de: `Geändert: ${de}.` }),
  goneKept: {
    en: 'No longer at the source; kept here.',
    de: 'An der Quelle nicht mehr vorhanden; hier behalten.'
  },
  goneCancelled: {
    en: 'No longer at the source; cancelled here.',
    de: 'An der Quelle nicht mehr vorhanden; hier abgesagt.'
  },
  goneTrashed: {
    en: 'No longer at the source; moved to the trash.',
    de: 'An der Quelle nicht mehr vorhanden; in den Papierkorb gelegt.'
  },
  goneEdited: {
    en: 'No longer at the source; its status was edited here, so it is kept.',
    de: 'An der Quelle nicht mehr vorhanden; der Status wurde hier bearbeitet, daher behalten.'
  },
  restored: {
    en: 'At the source again.',
    de: 'An der Quelle wieder vorhanden.'
  },
  tooOften: {
    en: 'The fetch was interrupted several times.',
    de: 'Der Abruf wurde mehrmals unterbrochen.'
  }
} as const

/** Why a calendar that was read is not applied. */
export const stopReasons: Record<Exclude<SubscriptionProblem, 'failing'>, Text> = {
  empty: {
    en: 'The calendar no longer has events. Nothing was changed.',
    de: 'Der Kalender enthält keine Termine mehr. Nichts wurde geändert.'
  },
  'many-gone': {
    en: 'More than half of the upcoming events are missing in the calendar. Nothing was changed.',
    de: 'Mehr als die Hälfte der kommenden Termine fehlt im Kalender. Nichts wurde geändert.'
  },
  'ids-changed': {
    en: 'The events of the calendar have new identifiers (UID). Applied as it is, most events would be here twice. Nothing was changed.',
    de: 'Die Termine des Kalenders haben neue Kennungen (UID). So übernommen, wären die meisten Termine doppelt. Nichts wurde geändert.'
  },
  'own-calendar': {
    en: 'Most events of the calendar are from this calendar itself.',
    de: 'Die meisten Termine des Kalenders stammen aus diesem Kalender selbst.'
  }
}
