import type { Text } from '#platform/language.ts'
import type { ItemKind } from '../sources/source.ts'

/** Reasons in the report, in both languages: others than the caller who ran the import read it, too. */
export const reasons = {
  removed: {
    en: 'It was imported before and has been removed here since.',
    de: 'Wurde schon einmal importiert und ist hier seither gelöscht worden.'
  },
  inTrash: {
    en: 'It was imported before and is in the trash.',
    de: 'Wurde schon einmal importiert und liegt im Papierkorb.'
  },
  isHere: {
    en: 'It is here already, and what is here was to be left alone.',
    de: 'Gibt es hier schon, und was es gibt, sollte unberührt bleiben.'
  },
  edited: {
    en: 'It has changed at its source, but was edited here since.',
    de: 'Hat sich an der Quelle geändert, wurde aber hier seither bearbeitet.'
  },
  wasHere: {
    en: 'It has changed at its source, but was here before the import.',
    de: 'Hat sich an der Quelle geändert, war hier aber schon vor dem Import.'
  },
  recognised: {
    en: 'There is one with the same details already, which is used.',
    de: 'Mit denselben Angaben gibt es das schon; es wird verwendet.'
  },
  withoutImage: {
    en: 'Without its image, which could not be fetched.',
    de: 'Ohne das Bild, denn es ließ sich nicht abrufen.'
  },
  imageFailed: {
    en: 'The address does not answer with an image of at most 10 MB.',
    de: 'Unter der Adresse kommt kein Bild von höchstens 10 MB.'
  },
  refused: { en: 'The database does not take these values.', de: 'Die Datenbank nimmt diese Werte nicht.' },
  tooOften: {
    en: 'It was begun several times and never got any further.',
    de: 'Wurde mehrmals begonnen und kam nie weiter.'
  },
  keptEdited: {
    en: 'Kept when the import was undone: it was edited here since.',
    de: 'Beim Rückgängigmachen behalten: Es wurde hier seither bearbeitet.'
  },
  keptUsed: {
    en: 'Kept when the import was undone: something else uses it.',
    de: 'Beim Rückgängigmachen behalten: Es wird anderswo verwendet.'
  },
  keptImpossible: {
    en: 'Kept when the import was undone: what it was before does not fit any more.',
    de: 'Beim Rückgängigmachen behalten: Was es vorher war, passt nicht mehr.'
  },
  missing: (kind: ItemKind, sourceId: string): Text => ({
    en: `Without its ${kind} ${truncateId(sourceId)}, which did not come or was refused.`,
    de: `Ohne ${kindNames[kind]} ${truncateId(sourceId)}: kam nicht mit oder wurde abgelehnt.`
  })
} as const

const kindNames: Record<ItemKind, string> = {
  event: 'die Veranstaltung',
  venue: 'den Ort',
  organizer: 'den Veranstalter',
  category: 'die Kategorie',
  tag: 'das Schlagwort'
}

/** The id of a source may have any length. */
const truncateId = (sourceId: string) => sourceId.slice(0, 100).toWellFormed()
