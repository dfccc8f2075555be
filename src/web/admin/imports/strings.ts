import type { Language } from '#platform/language.ts'
import { importFormStrings } from './form-strings.ts'
import { importMappingStrings } from './mapping-strings.ts'

/** Imports of calendars from other systems. */
const en = {
  ...importFormStrings.en,
  ...importMappingStrings.en,
  title: 'Import',
  lead: 'Brings events from elsewhere into this calendar. First you see what would happen, and nothing is changed. An import can be repeated without doubles, and undone within 30 days.',
  earlier: 'Earlier imports',
  none: 'Nothing has been imported yet.',
  source: 'Source',
  when: 'When',
  by: 'By',
  what: 'What',
  state: 'State',
  result: 'Result',
  isCheck: 'check',
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
    waiting: 'It begins in a moment',
    check: 'Looking at what is there',
    run: 'Importing',
    undoing: 'Taking everything back'
  },
  progressHint: 'You may leave this page: it goes on by itself.',
  refresh: 'Refresh',
  cancel: 'Cancel',
  cancelled: 'The import has been cancelled.',
  counts: {
    all: 'All',
    new: 'New',
    changed: 'Changed',
    same: 'Unchanged',
    skipped: 'Skipped',
    problem: 'Problems'
  },
  outcomes: { new: 'new', changed: 'changed', same: 'unchanged', skipped: 'skipped', problem: 'problem' },
  /** 12 new, 2 with a problem. */
  tally: { new: 'new', changed: 'changed', same: 'unchanged', skipped: 'skipped', problem: 'with a problem' },
  kinds: {
    event: 'Event',
    venue: 'Venue',
    organizer: 'Organizer',
    category: 'Category',
    tag: 'Tag',
    image: 'Image'
  },
  kept: (count: string) => `${count} keep what was edited here.`,
  checkTitle: 'What would happen',
  runTitle: 'What happened',
  sentence: {
    check: (fresh: string, changed: string) =>
      `To be added: ${fresh}. To be changed: ${changed}. Nothing has been done yet.`,
    run: (fresh: string, changed: string) => `Added: ${fresh}. Changed: ${changed}.`
  },
  nothing: 'There is nothing to add or to change: it is here already.',
  unreadable: 'Nothing of it can be imported as it is. The report says why.',
  problems: ['has a problem and is left out', 'have a problem and are left out'] as [string, string],
  rows: 'Report',
  rowsNone: 'There is nothing of this kind.',
  item: 'Title',
  kind: 'Kind',
  outcome: 'Outcome',
  reasons: 'Remarks',
  noTitle: '(no title)',
  run: 'Import now',
  runHint: 'Visitors see published events at once. You can undo the import within 30 days.',
  another: 'Another import',
  toEvents: 'To the events',
  undo: 'Undo this import',
  undoHint: 'Within 30 days.',
  undoTitle: 'Undo this import?',
  undoText:
    'What it added is removed, and what it changed becomes what it was. What was edited here afterwards stays as it is now.',
  undoKeep: 'Do not undo',
  failedTitle: 'It did not work',
  failedCheck: 'Nothing has been changed.',
  failedText: 'Nothing was imported, or only part of it. You can try again: nothing is imported twice.',
  tryAgain: 'Try again',
  cancelledText:
    'It was stopped. What had been imported until then is here; importing again continues without doubles.',
  cancelledCheck: 'The check was stopped. Nothing has been changed.',
  undoneText: 'This import has been undone: everything is as it was before.',
  basedOn: 'To its check, to import once more'
}

export type ImportStrings = typeof en

const de: ImportStrings = {
  ...importFormStrings.de,
  ...importMappingStrings.de,
  title: 'Import',
  lead: 'Holt Termine von anderswo in diesen Kalender. Zuerst sehen Sie, was geschehen würde, und nichts wird geändert. Ein Import lässt sich ohne Doppelte wiederholen und 30 Tage lang rückgängig machen.',
  earlier: 'Frühere Importe',
  none: 'Noch wurde nichts importiert.',
  source: 'Quelle',
  when: 'Wann',
  by: 'Von',
  what: 'Was',
  state: 'Zustand',
  result: 'Ergebnis',
  isCheck: 'Prüfung',
  isRun: 'Import',
  statuses: {
    waiting: 'wartet',
    running: 'läuft',
    done: 'fertig',
    failed: 'gescheitert',
    cancelled: 'abgebrochen',
    undoing: 'wird rückgängig gemacht',
    undone: 'rückgängig gemacht'
  },
  progress: 'Fortschritt',
  progressOf: (done, total) => `${done} von ${total}`,
  progressSoFar: done => `bisher ${done}`,
  progressTitle: {
    waiting: 'Gleich geht es los',
    check: 'Wir sehen nach, was da ist',
    run: 'Der Import läuft',
    undoing: 'Alles wird zurückgenommen'
  },
  progressHint: 'Sie können diese Seite verlassen: Es geht von selbst weiter.',
  refresh: 'Aktualisieren',
  cancel: 'Abbrechen',
  cancelled: 'Der Import ist abgebrochen.',
  counts: {
    all: 'Alle',
    new: 'Neu',
    changed: 'Geändert',
    same: 'Unverändert',
    skipped: 'Übergangen',
    problem: 'Probleme'
  },
  outcomes: { new: 'neu', changed: 'geändert', same: 'unverändert', skipped: 'übergangen', problem: 'Problem' },
  tally: { new: 'neu', changed: 'geändert', same: 'unverändert', skipped: 'übergangen', problem: 'mit Problem' },
  kinds: {
    event: 'Termin',
    venue: 'Ort',
    organizer: 'Veranstalter',
    category: 'Kategorie',
    tag: 'Schlagwort',
    image: 'Bild'
  },
  kept: count => `${count} behalten, was hier bearbeitet wurde.`,
  checkTitle: 'Was geschehen würde',
  runTitle: 'Was geschehen ist',
  sentence: {
    check: (fresh, changed) => `Neu: ${fresh}. Zu ändern: ${changed}. Noch ist nichts geschehen.`,
    run: (fresh, changed) => `Hinzugekommen: ${fresh}. Geändert: ${changed}.`
  },
  nothing: 'Es gibt nichts hinzuzufügen oder zu ändern: Alles ist schon da.',
  unreadable: 'So lässt sich nichts davon importieren. Der Bericht sagt, warum.',
  problems: ['hat ein Problem und bleibt weg', 'haben ein Problem und bleiben weg'],
  rows: 'Bericht',
  rowsNone: 'Davon gibt es nichts.',
  item: 'Titel',
  kind: 'Art',
  outcome: 'Ergebnis',
  reasons: 'Anmerkungen',
  noTitle: '(ohne Titel)',
  run: 'Jetzt importieren',
  runHint: 'Besucher sehen veröffentlichte Termine sofort. Der Import lässt sich 30 Tage lang rückgängig machen.',
  another: 'Weiterer Import',
  toEvents: 'Zu den Terminen',
  undo: 'Diesen Import rückgängig machen',
  undoHint: '30 Tage lang möglich.',
  undoTitle: 'Diesen Import rückgängig machen?',
  undoText:
    'Was hinzukam, wird entfernt, und was geändert wurde, wird wieder, was es war. Was hier danach bearbeitet wurde, bleibt, wie es jetzt ist.',
  undoKeep: 'Nicht rückgängig machen',
  failedTitle: 'Das hat nicht geklappt',
  failedCheck: 'Nichts ist geändert.',
  failedText:
    'Nichts wurde importiert oder nur ein Teil. Sie können es noch einmal versuchen: Nichts wird doppelt importiert.',
  tryAgain: 'Noch einmal versuchen',
  cancelledText:
    'Der Import wurde angehalten. Was bis dahin importiert war, ist da; ein neuer Import macht ohne Doppelte weiter.',
  cancelledCheck: 'Die Prüfung wurde angehalten. Nichts ist geändert.',
  undoneText: 'Dieser Import ist rückgängig gemacht: Alles ist wie zuvor.',
  basedOn: 'Zur Prüfung, für einen neuen Import'
}

export const importStrings: Record<Language, ImportStrings> = { en, de }
