import type { Reason } from '../sources/reason.ts'
import type { ItemKind } from '../sources/source.ts'

/** Reasons in the report, in both languages: others than the caller who ran the import read it, too. */
export const reasons = {
  removed: {
    code: 'removed-here',
    en: 'Imported before, and deleted here since.',
    de: 'Wurde schon einmal importiert und ist hier seither gelöscht worden.'
  },
  inTrash: {
    code: 'removed-here',
    en: 'Imported before, and in the trash.',
    de: 'Wurde schon einmal importiert und liegt im Papierkorb.'
  },
  isHere: {
    en: 'Already exists; existing items are skipped.',
    de: 'Bereits vorhanden; vorhandene Einträge werden übersprungen.'
  },
  edited: {
    code: 'edited-here',
    en: 'Changed at the source, but edited here since.',
    de: 'An der Quelle geändert, aber seither hier bearbeitet.'
  },
  wasHere: {
    code: 'recognised',
    en: 'Changed at the source, but existed here before the import.',
    de: 'An der Quelle geändert, aber schon vor dem Import hier vorhanden.'
  },
  gone: {
    code: 'gone',
    en: 'Imported before, and no longer at the source; kept here.',
    de: 'Früher importiert und an der Quelle nicht mehr vorhanden; hier behalten.'
  },
  recognised: {
    code: 'recognised',
    en: 'Duplicate: the existing item with the same details is used.',
    de: 'Dublette: Der vorhandene Eintrag mit denselben Angaben wird verwendet.'
  },
  withoutImage: {
    code: 'image-not-fetched',
    en: 'Imported without the image, which could not be fetched.',
    de: 'Ohne Bild importiert: Es konnte nicht abgerufen werden.'
  },
  inlineImageLost: (url: string): Reason => ({
    code: 'inline-image-stayed',
    en: `An image in the text could not be copied and is still on the old site: ${url.slice(0, 300)}`,
    de: `Ein Bild im Text konnte nicht kopiert werden und liegt weiter auf der alten Website: ${url.slice(0, 300)}`
  }),
  imageFailed: {
    code: 'image-not-fetched',
    en: 'The URL does not return an image of at most 10 MB.',
    de: 'Die URL liefert kein Bild von höchstens 10 MB.'
  },
  refused: { en: 'The database rejected these values.', de: 'Die Datenbank hat diese Werte abgelehnt.' },
  tooOften: {
    en: 'Failed after several attempts.',
    de: 'Nach mehreren Versuchen fehlgeschlagen.'
  },
  keptEdited: {
    en: 'Kept when the import was undone: edited here since.',
    de: 'Beim Rückgängigmachen behalten: Es wurde hier seither bearbeitet.'
  },
  keptUsed: {
    en: 'Kept when the import was undone: used elsewhere.',
    de: 'Beim Rückgängigmachen behalten: Es wird anderswo verwendet.'
  },
  keptImpossible: {
    en: 'Kept when the import was undone: the previous version is no longer valid.',
    de: 'Beim Rückgängigmachen behalten: Die vorherige Version ist nicht mehr gültig.'
  },
  missing: (kind: ItemKind, sourceId: string): Reason => ({
    code: 'linked-item-missing',
    en: `Without its ${kind} ${truncateId(sourceId)}, which is missing in the source or was rejected.`,
    de: `Ohne ${kindNames[kind]} ${truncateId(sourceId)}: fehlt in der Quelle oder wurde abgelehnt.`
  })
} as const

const kindNames: Record<ItemKind, string> = {
  event: 'den Termin',
  series: 'die Reihe',
  venue: 'den Veranstaltungsort',
  organizer: 'den Veranstalter',
  category: 'die Kategorie',
  tag: 'das Schlagwort'
}

/** The id of a source may have any length. */
const truncateId = (sourceId: string) => sourceId.slice(0, 100).toWellFormed()
