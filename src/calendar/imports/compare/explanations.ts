import type { Reason } from '../sources/reason.ts'

/** Reasons that only a comparison gives. Those of the import itself are in its report. */
export const explanations = {
  imageNotFetched: {
    code: 'image-not-fetched',
    en: 'The image could not be fetched when it was imported.',
    de: 'Das Bild konnte beim Import nicht abgerufen werden.'
  },
  imageShared: {
    code: 'image-shared',
    en: 'The same image was already stored under another URL, and is used.',
    de: 'Dasselbe Bild war schon unter einer anderen URL gespeichert und wird verwendet.'
  },
  inlineImageStayed: {
    code: 'inline-image-stayed',
    en: 'This image in the text could not be copied and is still on the old site.',
    de: 'Dieses Bild im Text konnte nicht kopiert werden und liegt weiter auf der alten Website.'
  },
  fileStayed: {
    code: 'file-stayed',
    en: 'This file could not be copied and is still on the old site.',
    de: 'Diese Datei konnte nicht kopiert werden und liegt weiter auf der alten Website.'
  },
  currency: {
    code: 'currency',
    en: 'The same cost, written with the currency of this site.',
    de: 'Derselbe Eintritt, geschrieben mit der Währung dieser Website.'
  },
  timezoneRenamed: {
    code: 'timezone-renamed',
    en: 'The same times; the time zone has its standard name here.',
    de: 'Dieselben Zeiten; die Zeitzone hat hier ihren Standardnamen.'
  },
  slugChanged: {
    code: 'slug-changed',
    en: 'The slug is different here; the old URL redirects.',
    de: 'Das URL-Kürzel ist hier ein anderes; die alte URL leitet um.'
  },
  slugTaken: {
    code: 'slug-taken',
    en: 'Another item here already has this slug, so the old URL leads to that item.',
    de: 'Dieses URL-Kürzel hat hier schon ein anderer Eintrag; die alte URL führt zu diesem.'
  },
  recognised: {
    code: 'recognised',
    en: 'This item existed here before the import and was not changed.',
    de: 'Dieser Eintrag war vor dem Import hier vorhanden und wurde nicht geändert.'
  },
  editedHere: {
    code: 'edited-here',
    en: 'Edited here since the import.',
    de: 'Seit dem Import hier bearbeitet.'
  },
  removedHere: {
    code: 'removed-here',
    en: 'Deleted here since the import, or in the trash.',
    de: 'Seit dem Import hier gelöscht oder im Papierkorb.'
  },
  changedAtSource: {
    code: 'changed-at-source',
    en: 'Changed at the source since the import. Import again to get the change.',
    de: 'An der Quelle seit dem Import geändert. Importieren Sie noch einmal, um die Änderung zu übernehmen.'
  },
  notImported: {
    code: 'not-imported',
    en: 'At the source, but not imported. Import again to get it.',
    de: 'An der Quelle vorhanden, aber nicht importiert. Importieren Sie noch einmal, um den Eintrag zu übernehmen.'
  },
  gone: {
    code: 'gone',
    en: 'Imported, and no longer at the source; kept here.',
    de: 'Importiert und an der Quelle nicht mehr vorhanden; hier behalten.'
  },
  needsCredentials: {
    code: 'needs-credentials',
    en: 'Not public, so the source does not return it without a user name and application password.',
    de: 'Nicht öffentlich; die Quelle gibt es ohne Benutzername und Anwendungspasswort nicht aus.'
  }
} as const satisfies Record<string, Reason>
