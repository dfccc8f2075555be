import type { Language } from '#platform/language.ts'
import { importFormStrings } from './form-strings.ts'
import { importMappingStrings } from './mapping-strings.ts'

/** Imports of calendars from other systems. */
const en = {
  ...importFormStrings.en,
  ...importMappingStrings.en,
  title: 'Import',
  lead: 'Imports events from other sources. A dry run shows the result first and changes nothing. An import can be repeated without duplicates, and undone within 30 days.',
  earlier: 'Earlier imports',
  none: 'No imports yet.',
  source: 'Source',
  when: 'When',
  by: 'By',
  what: 'What',
  state: 'Status',
  result: 'Result',
  isCheck: 'dry run',
  isRun: 'import',
  statuses: {
    waiting: 'waiting',
    running: 'running',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
    undoing: 'being undone',
    undone: 'undone'
  },
  progress: 'Progress',
  progressOf: (done: string, total: string) => `${done} of ${total}`,
  progressSoFar: (done: string) => `${done} so far`,
  progressTitle: {
    waiting: 'Starting',
    check: 'Checking the source',
    run: 'Importing',
    undoing: 'Undoing the import'
  },
  progressHint: 'You can leave this page. The import continues in the background.',
  refresh: 'Refresh',
  cancel: 'Cancel',
  cancelled: 'Import cancelled.',
  counts: {
    all: 'All',
    new: 'New',
    changed: 'Changed',
    same: 'Unchanged',
    skipped: 'Skipped',
    problem: 'Problems',
    gone: 'Gone at the source'
  },
  outcomes: {
    new: 'new',
    changed: 'changed',
    same: 'unchanged',
    skipped: 'skipped',
    problem: 'problem',
    gone: 'gone at the source'
  },
  /** 12 new, 2 with a problem. */
  tally: {
    new: 'new',
    changed: 'changed',
    same: 'unchanged',
    skipped: 'skipped',
    problem: 'with a problem',
    gone: 'gone at the source'
  },
  kinds: {
    event: 'Event',
    series: 'Series',
    venue: 'Venue',
    organizer: 'Organizer',
    category: 'Category',
    tag: 'Tag',
    image: 'Image',
    file: 'File'
  },
  kept: (count: string) => `${count} edited items kept.`,
  checkTitle: 'Result of the dry run',
  runTitle: 'Result of the import',
  sentence: {
    check: (fresh: string, changed: string) =>
      `To be added: ${fresh}. To be changed: ${changed}. Nothing has been written yet.`,
    run: (fresh: string, changed: string) => `Added: ${fresh}. Changed: ${changed}.`
  },
  nothing: 'Nothing to add or change. All items are up to date.',
  unreadable: 'Nothing can be imported. See the report for the reasons.',
  problems: ['has a problem and is skipped', 'have a problem and are skipped'] as [string, string],
  rows: 'Report',
  rowsNone: 'No items.',
  item: 'Title',
  kind: 'Kind',
  outcome: 'Outcome',
  reasons: 'Remarks',
  noTitle: '(no title)',
  run: 'Import now',
  runHint: 'Published events are public at once. You can undo the import within 30 days.',
  another: 'Another import',
  toEvents: 'To the events',
  undo: 'Undo this import',
  undoHint: 'Within 30 days.',
  undoTitle: 'Undo this import?',
  undoText: 'Added items are deleted and changed items are reverted. Items edited here afterwards are kept.',
  undoKeep: 'Do not undo',
  failedTitle: 'Import failed',
  failedCheck: 'Nothing has been changed.',
  failedText: 'Nothing was imported, or only part of it. You can try again: nothing is imported twice.',
  tryAgain: 'Try again',
  cancelledText: 'Cancelled. Items imported so far are kept; another import continues without duplicates.',
  cancelledCheck: 'Dry run cancelled. Nothing was changed.',
  undoneText: 'This import was undone.',
  basedOn: 'To its dry run, to import again'
}

export type ImportStrings = typeof en

const de: ImportStrings = {
  ...importFormStrings.de,
  ...importMappingStrings.de,
  title: 'Import',
  lead: 'Importiert Termine aus anderen Quellen. Ein Prüflauf zeigt zuerst das Ergebnis und ändert nichts. Ein Import kann ohne Dubletten wiederholt und 30 Tage lang rückgängig gemacht werden.',
  earlier: 'Frühere Importe',
  none: 'Noch keine Importe.',
  source: 'Quelle',
  when: 'Wann',
  by: 'Von',
  what: 'Was',
  state: 'Status',
  result: 'Ergebnis',
  isCheck: 'Prüflauf',
  isRun: 'Import',
  statuses: {
    waiting: 'wartet',
    running: 'läuft',
    done: 'abgeschlossen',
    failed: 'fehlgeschlagen',
    cancelled: 'abgebrochen',
    undoing: 'wird rückgängig gemacht',
    undone: 'rückgängig gemacht'
  },
  progress: 'Fortschritt',
  progressOf: (done, total) => `${done} von ${total}`,
  progressSoFar: done => `bisher ${done}`,
  progressTitle: {
    waiting: 'Wird gestartet',
    check: 'Daten werden geprüft',
    run: 'Der Import läuft',
    undoing: 'Der Import wird rückgängig gemacht'
  },
  progressHint: 'Sie können diese Seite verlassen. Der Import läuft im Hintergrund weiter.',
  refresh: 'Aktualisieren',
  cancel: 'Abbrechen',
  cancelled: 'Import abgebrochen.',
  counts: {
    all: 'Alle',
    new: 'Neu',
    changed: 'Geändert',
    same: 'Unverändert',
    skipped: 'Übersprungen',
    problem: 'Probleme',
    gone: 'Nicht mehr an der Quelle'
  },
  outcomes: {
    new: 'neu',
    changed: 'geändert',
    same: 'unverändert',
    skipped: 'übersprungen',
    problem: 'Problem',
    gone: 'nicht mehr an der Quelle'
  },
  tally: {
    new: 'neu',
    changed: 'geändert',
    same: 'unverändert',
    skipped: 'übersprungen',
    problem: 'mit Problem',
    gone: 'nicht mehr an der Quelle'
  },
  kinds: {
    event: 'Termin',
    series: 'Reihe',
    venue: 'Veranstaltungsort',
    organizer: 'Veranstalter',
    category: 'Kategorie',
    tag: 'Schlagwort',
    image: 'Bild',
    file: 'Datei'
  },
  kept: count => `${count} bearbeitete Einträge behalten.`,
  checkTitle: 'Ergebnis des Prüflaufs',
  runTitle: 'Ergebnis des Imports',
  sentence: {
    check: (fresh, changed) => `Neu: ${fresh}. Zu ändern: ${changed}. Noch wurde nichts geschrieben.`,
    run: (fresh, changed) => `Hinzugekommen: ${fresh}. Geändert: ${changed}.`
  },
  nothing: 'Nichts hinzuzufügen oder zu ändern. Alle Einträge sind aktuell.',
  unreadable: 'Nichts kann importiert werden. Die Gründe finden Sie im Bericht.',
  problems: ['hat ein Problem und wird übersprungen', 'haben ein Problem und werden übersprungen'],
  rows: 'Bericht',
  rowsNone: 'Keine Einträge.',
  item: 'Titel',
  kind: 'Art',
  outcome: 'Ergebnis',
  reasons: 'Anmerkungen',
  noTitle: '(ohne Titel)',
  run: 'Jetzt importieren',
  runHint: 'Veröffentlichte Termine sind sofort öffentlich. Der Import kann 30 Tage lang rückgängig gemacht werden.',
  another: 'Weiterer Import',
  toEvents: 'Zu den Terminen',
  undo: 'Diesen Import rückgängig machen',
  undoHint: '30 Tage lang möglich.',
  undoTitle: 'Diesen Import rückgängig machen?',
  undoText:
    'Hinzugefügte Einträge werden gelöscht, geänderte zurückgesetzt. Danach hier bearbeitete Einträge bleiben erhalten.',
  undoKeep: 'Nicht rückgängig machen',
  failedTitle: 'Import fehlgeschlagen',
  failedCheck: 'Nichts wurde geändert.',
  failedText:
    'Nichts wurde importiert oder nur ein Teil. Sie können es noch einmal versuchen: Nichts wird doppelt importiert.',
  tryAgain: 'Noch einmal versuchen',
  cancelledText:
    'Der Import wurde abgebrochen. Bis dahin importierte Einträge bleiben erhalten; ein neuer Import macht ohne Dubletten weiter.',
  cancelledCheck: 'Prüflauf abgebrochen. Nichts wurde geändert.',
  undoneText: 'Dieser Import wurde rückgängig gemacht.',
  basedOn: 'Zum Prüflauf, für einen neuen Import'
}

export const importStrings: Record<Language, ImportStrings> = { en, de }
