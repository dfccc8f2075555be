import type { Language } from '#platform/language.ts'

/** Data: exports and backups. */
const en = {
  title: 'Data and backup',
  lead: 'All data belongs to you. Download it in common file formats, and keep a copy in another place.',
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
  formats: { csv: 'CSV', jsonl: 'JSON Lines', ics: 'iCalendar' },
  formatHints: {
    csv: 'for Excel, Numbers and LibreOffice',
    jsonl: 'for programs, with every field',
    ics: 'for calendars'
  },
  download: (kind: string, format: string) => `${kind} as ${format}`,
  backup: 'Backup',
  last: (ago: string, moment: string) => `Last backup: ${ago}, on ${moment}.`,
  lastOld: (ago: string) =>
    `Last backup: ${ago}. Create another one now, unless your server is backed up in another way.`,
  never: 'No backup yet. If your server is not backed up in another way, create one today.',
  backupText:
    'A backup is one file with all data: events, images, donations, users, settings. It is created on the server while the site is running. Copy it to another place afterwards.',
  scheduleText:
    'The server creates one every night if its operator sets BACKUP_SCHEDULE, and copies it to another place if there is one.',
  failed: (moment: string, reason: string) => `The scheduled backup of ${moment} failed: ${reason}`,
  backupCommand: 'Create a backup',
  checkCommand: 'Verify a backup',
  restoreCommand: 'Restore a backup into an empty installation',
  exportCommand: 'The same downloads on the command line, for everything at once',
  passwords: 'A backup contains account numbers of donors and password hashes. Store it securely.',
  size: (rows: string, megabytes: string) => `${rows} rows, ${megabytes} MB`,
  importTitle: 'Import data',
  importText: 'Import events from another website, a calendar or a CSV file under Import.',
  toImport: 'To the import'
}

export type ExportStrings = typeof en

const de: ExportStrings = {
  title: 'Daten und Sicherung',
  lead: 'Alle Daten gehören Ihnen. Laden Sie sie in gängigen Dateiformaten herunter und bewahren Sie eine Kopie an einem anderen Ort auf.',
  downloads: 'Herunterladen',
  downloadsHint:
    'Mit allem, was die Administration sehen darf, auch Entwürfen und den Namen von Spenderinnen und Spendern. Bewahren Sie solche Dateien sicher auf.',
  kinds: {
    events: 'Termine',
    venues: 'Veranstaltungsorte',
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
    `Zuletzt gesichert: ${ago}. Erstellen Sie jetzt eine neue Sicherung, wenn Ihr Server nicht auf andere Weise gesichert wird.`,
  never:
    'Noch keine Sicherung. Wenn Ihr Server nicht auf andere Weise gesichert wird, erstellen Sie am besten heute eine Sicherung.',
  backupText:
    'Eine Sicherung ist eine einzige Datei mit allem: Terminen, Bildern, Spenden, Zugängen, Einstellungen. Sie entsteht auf dem Server, während die Website weiterläuft. Kopieren Sie sie danach an einen anderen Ort.',
  scheduleText:
    'Der Server erstellt jede Nacht eine, wenn BACKUP_SCHEDULE gesetzt ist, und kopiert sie an einen anderen Ort, falls es einen gibt.',
  failed: (moment, reason) => `Die geplante Sicherung vom ${moment} ist fehlgeschlagen: ${reason}`,
  backupCommand: 'Sicherung erstellen',
  checkCommand: 'Sicherung prüfen',
  restoreCommand: 'Sicherung in einer leeren Installation wiederherstellen',
  exportCommand: 'Dieselben Dateien auf der Kommandozeile, alle auf einmal',
  passwords:
    'Eine Sicherung enthält Kontonummern von Spenderinnen und Spendern sowie Passwort-Hashes. Bewahren Sie sie geschützt auf.',
  size: (rows, megabytes) => `${rows} Zeilen, ${megabytes} MB`,
  importTitle: 'Daten importieren',
  importText:
    'Termine von einer anderen Website, aus einem Kalender oder einer CSV-Datei importieren Sie unter Import.',
  toImport: 'Zum Import'
}

export const exportStrings: Record<Language, ExportStrings> = { en, de }
