import type { Language } from '#platform/language.ts'

/** The form that starts an import. */
const en = {
  newTitle: {
    tec: 'Import from The Events Calendar',
    ical: 'Import from iCalendar',
    csv: 'Import from a table'
  },
  sources: {
    tec: {
      title: 'The Events Calendar',
      text: 'A WordPress site with this plug-in, or another Kalends: events, venues, organizers, categories, tags and images.',
      action: 'Import from a site'
    },
    ical: {
      title: 'iCalendar',
      text: 'A file that ends in .ics, or the address of a calendar: Google, Outlook, Nextcloud, Apple. Recurring events are taken for 12 months.',
      action: 'Import iCalendar'
    },
    csv: {
      title: 'Table (CSV)',
      text: 'A table from Excel, Numbers or LibreOffice, saved as CSV. You say which column means what.',
      action: 'Import a table'
    }
  },
  steps: { label: 'Steps of an import', source: 'Source', check: 'Check', report: 'Report', run: 'Import' },
  address: 'Address of the site',
  addressHint: 'As you open it in a browser, such as https://example.org. The site must be reachable from this server.',
  calendarAddress: 'Address of the calendar',
  calendarAddressHint: 'Begins with https:// or webcal://. Leave it empty if you have a file.',
  file: 'File',
  fileHint: 'At most 10 MB.',
  csvHint: 'At most 10 MB, separated by commas, semicolons or tabs. The first line names the columns.',
  template: 'Download a template',
  language: 'Language of the texts',
  languageHint: 'For what does not say its language.',
  timezone: 'Time zone',
  timezoneHint: 'For times that do not say theirs.',
  policy: 'What is already here from an earlier import',
  already: 'What is here already:',
  policies: {
    keep: 'Bring it up to date, but leave alone what was edited here',
    overwrite: 'Bring everything up to date, also what was edited here',
    skip: 'Leave it as it is, and only add what is new'
  },
  more: 'More settings',
  start: 'Check first',
  startHint: 'Nothing is changed yet: you get a report.',
  oneOfThem: 'Give an address or a file.',
  fileNeeded: 'Choose a file.'
}

const de: typeof en = {
  newTitle: {
    tec: 'Import aus The Events Calendar',
    ical: 'Import aus iCalendar',
    csv: 'Import aus einer Tabelle'
  },
  sources: {
    tec: {
      title: 'The Events Calendar',
      text: 'Eine WordPress-Website mit diesem Plugin oder ein anderes Kalends: Termine, Orte, Veranstalter, Kategorien, Schlagwörter und Bilder.',
      action: 'Von einer Website'
    },
    ical: {
      title: 'iCalendar',
      text: 'Eine Datei, die auf .ics endet, oder die Adresse eines Kalenders: Google, Outlook, Nextcloud, Apple. Serientermine kommen für 12 Monate mit.',
      action: 'Aus iCalendar'
    },
    csv: {
      title: 'Tabelle (CSV)',
      text: 'Eine Tabelle aus Excel, Numbers oder LibreOffice, als CSV gespeichert. Sie sagen, welche Spalte was bedeutet.',
      action: 'Aus einer Tabelle'
    }
  },
  steps: { label: 'Schritte eines Imports', source: 'Quelle', check: 'Prüfen', report: 'Bericht', run: 'Importieren' },
  address: 'Adresse der Website',
  addressHint:
    'So, wie Sie sie im Browser öffnen, etwa https://example.org. Die Website muss von diesem Server aus erreichbar sein.',
  calendarAddress: 'Adresse des Kalenders',
  calendarAddressHint: 'Beginnt mit https:// oder webcal://. Leer lassen, wenn Sie eine Datei haben.',
  file: 'Datei',
  fileHint: 'Höchstens 10 MB.',
  csvHint: 'Höchstens 10 MB, getrennt durch Komma, Semikolon oder Tabulator. Die erste Zeile benennt die Spalten.',
  template: 'Vorlage herunterladen',
  language: 'Sprache der Texte',
  languageHint: 'Für alles, was seine Sprache nicht nennt.',
  timezone: 'Zeitzone',
  timezoneHint: 'Für Zeiten, die ihre nicht nennen.',
  policy: 'Was von einem früheren Import schon da ist',
  already: 'Schon Vorhandenes:',
  policies: {
    keep: 'Auf den neuesten Stand bringen, aber hier Bearbeitetes in Ruhe lassen',
    overwrite: 'Alles auf den neuesten Stand bringen, auch hier Bearbeitetes',
    skip: 'So lassen, wie es ist, und nur Neues hinzufügen'
  },
  more: 'Weitere Einstellungen',
  start: 'Zuerst prüfen',
  startHint: 'Noch wird nichts geändert: Sie bekommen einen Bericht.',
  oneOfThem: 'Geben Sie eine Adresse oder eine Datei an.',
  fileNeeded: 'Wählen Sie eine Datei aus.'
}

export const importFormStrings: Record<Language, typeof en> = { en, de }
