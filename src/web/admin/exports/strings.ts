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
  exportCommand: 'The same downloads on the command line, for everything at once',
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
  exportCommand: 'Dieselben Dateien auf der Kommandozeile, alle auf einmal',
  importTitle: 'Daten importieren',
  importText:
    'Termine von einer anderen Website, aus einem Kalender oder einer CSV-Datei importieren Sie unter Import.',
  toImport: 'Zum Import'
}

export const exportStrings: Record<Language, ExportStrings> = { en, de }
