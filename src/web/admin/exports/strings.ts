import type { Language } from '#platform/language.ts'

/** Data: exports and backups. */
const en = {
  title: 'Data and backup',
  lead: 'Everything here belongs to you. Take it along in forms that other programs read, and keep a copy in another place.',
  downloads: 'Downloads',
  downloadsHint: 'With everything that admins may see, also drafts and the names of donors. Keep such files safe.',
  kinds: {
    events: 'Events',
    venues: 'Venues',
    organizers: 'Organizers',
    categories: 'Categories',
    tags: 'Tags',
    campaigns: 'Campaigns',
    donations: 'Donations'
  },
  formats: { csv: 'CSV', jsonl: 'JSON lines', ics: 'iCalendar' },
  formatHints: {
    csv: 'for Excel, Numbers and LibreOffice',
    jsonl: 'for programs, with every field',
    ics: 'for calendars'
  },
  download: (kind: string, format: string) => `${kind} as ${format}`,
  backup: 'Backup',
  last: (ago: string, moment: string) => `The last backup was taken ${ago}, on ${moment}.`,
  lastOld: (ago: string) =>
    `The last backup was taken ${ago}. If nothing else looks after that, now is a good moment for another.`,
  never:
    'No backup has been taken with this program yet. If your server is not backed up in another way, take one today.',
  backupText:
    'A backup is one file with everything: events, images, donations, accounts, settings. It is taken on the server while the site goes on running. Copy it to another place afterwards.',
  backupCommand: 'Take a backup',
  checkCommand: 'See if a backup is whole',
  restoreCommand: 'Put a backup back into an empty installation',
  exportCommand: 'The same downloads on the command line, for everything at once',
  passwords:
    'A backup holds account numbers of donors and what your passwords are checked with. Treat it like a key to the house.',
  size: (rows: string, megabytes: string) => `${rows} rows, ${megabytes} MB`,
  importTitle: 'Bring data in',
  importText: 'Events from another website, a calendar or a table come in under Import.',
  toImport: 'To the import'
}

export type ExportStrings = typeof en

const de: ExportStrings = {
  title: 'Daten und Sicherung',
  lead: 'Alles hier gehört Ihnen. Nehmen Sie es mit, in Formen, die andere Programme lesen, und bewahren Sie eine Kopie an einem anderen Ort auf.',
  downloads: 'Herunterladen',
  downloadsHint:
    'Mit allem, was die Administration sehen darf, auch Entwürfen und den Namen von Spendern. Bewahren Sie solche Dateien sicher auf.',
  kinds: {
    events: 'Termine',
    venues: 'Orte',
    organizers: 'Veranstalter',
    categories: 'Kategorien',
    tags: 'Schlagwörter',
    campaigns: 'Spendenaktionen',
    donations: 'Spenden'
  },
  formats: { csv: 'CSV', jsonl: 'JSON Lines', ics: 'iCalendar' },
  formatHints: {
    csv: 'für Excel, Numbers und LibreOffice',
    jsonl: 'für Programme, mit jedem Feld',
    ics: 'für Kalender'
  },
  download: (kind, format) => `${kind} als ${format}`,
  backup: 'Sicherung',
  last: (ago, moment) => `Zuletzt gesichert: ${ago}, am ${moment}.`,
  lastOld: ago =>
    `Zuletzt gesichert: ${ago}. Wenn sich niemand sonst darum kümmert, ist jetzt ein guter Moment für die nächste Sicherung.`,
  never:
    'Mit diesem Programm wurde noch nie gesichert. Wenn Ihr Server nicht auf andere Weise gesichert wird, tun Sie es am besten heute.',
  backupText:
    'Eine Sicherung ist eine einzige Datei mit allem: Terminen, Bildern, Spenden, Zugängen, Einstellungen. Sie entsteht auf dem Server, während die Website weiterläuft. Kopieren Sie sie danach an einen anderen Ort.',
  backupCommand: 'Sichern',
  checkCommand: 'Prüfen, ob eine Sicherung vollständig ist',
  restoreCommand: 'Eine Sicherung in eine leere Installation zurückspielen',
  exportCommand: 'Dieselben Dateien auf der Kommandozeile, alle auf einmal',
  passwords:
    'Eine Sicherung enthält Kontonummern von Spendern und das, womit Ihre Passwörter geprüft werden. Behandeln Sie sie wie einen Hausschlüssel.',
  size: (rows, megabytes) => `${rows} Zeilen, ${megabytes} MB`,
  importTitle: 'Daten hereinholen',
  importText: 'Termine von einer anderen Website, aus einem Kalender oder einer Tabelle kommen über den Import herein.',
  toImport: 'Zum Import'
}

export const exportStrings: Record<Language, ExportStrings> = { en, de }
