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
      text: 'A WordPress site with this plugin, or another Kalends: events, venues, organizers, categories, tags and images.',
      action: 'Import from a site'
    },
    ical: {
      title: 'iCalendar',
      text: 'A file that ends in .ics, or the URL of a calendar: Google, Outlook, Nextcloud, Apple. Recurring events are imported for 12 months.',
      action: 'Import iCalendar'
    },
    csv: {
      title: 'Table (Excel, CSV)',
      text: 'A table from Excel (.xlsx), Numbers or LibreOffice, or a CSV file. You map the columns in the next step.',
      action: 'Import a table'
    }
  },
  steps: { label: 'Steps of an import', source: 'Source', check: 'Check', report: 'Report', run: 'Import' },
  address: 'URL of the site',
  addressHint: 'As you open it in a browser, such as https://example.org. The site must be reachable from this server.',
  login: 'Drafts, private, hidden and protected events',
  loginHint:
    'These come with an application password. In WordPress: Users → Profile → Application Passwords. It is stored encrypted and deleted when the import ends. Revoke it in WordPress afterwards.',
  username: 'User name in WordPress',
  password: 'Application password',
  passwordAgain: 'Enter it again: it was deleted after the dry run.',
  calendarAddress: 'URL of the calendar',
  calendarAddressHint: 'Begins with https:// or webcal://. Leave it empty if you have a file.',
  file: 'File',
  fileHint: 'At most 10 MB.',
  csvHint: 'Excel (.xlsx) or CSV, at most 10 MB. A row must name the columns.',
  template: 'Download a template',
  language: 'Language of the texts',
  languageHint: 'For texts without a language.',
  timezone: 'Time zone',
  timezoneHint: 'For times without a time zone.',
  policy: 'Items of earlier imports',
  already: 'Existing items:',
  policies: {
    keep: 'Update, but keep items that were edited here',
    overwrite: 'Update all, including items that were edited here',
    skip: 'Skip existing items, only add new ones'
  },
  more: 'More settings',
  start: 'Start dry run',
  startHint: 'Nothing is changed; you get a report.',
  oneOfThem: 'Enter a URL or choose a file.',
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
      text: 'Eine WordPress-Website mit diesem Plugin oder ein anderes Kalends: Termine, Veranstaltungsorte, Veranstalter, Kategorien, Schlagwörter und Bilder.',
      action: 'Von einer Website importieren'
    },
    ical: {
      title: 'iCalendar',
      text: 'Eine Datei, die auf .ics endet, oder die URL eines Kalenders: Google, Outlook, Nextcloud, Apple. Serientermine werden für 12 Monate importiert.',
      action: 'iCalendar importieren'
    },
    csv: {
      title: 'Tabelle (Excel, CSV)',
      text: 'Eine Tabelle aus Excel (.xlsx), Numbers oder LibreOffice oder eine CSV-Datei. Die Spalten ordnen Sie im nächsten Schritt zu.',
      action: 'Tabelle importieren'
    }
  },
  steps: { label: 'Schritte eines Imports', source: 'Quelle', check: 'Prüfen', report: 'Bericht', run: 'Importieren' },
  address: 'URL der Website',
  addressHint:
    'So, wie Sie sie im Browser öffnen, etwa https://example.org. Die Website muss von diesem Server aus erreichbar sein.',
  login: 'Entwürfe, private, ausgeblendete und geschützte Termine',
  loginHint:
    'Mit einem Anwendungspasswort werden auch diese importiert. In WordPress: Benutzer → Profil → Anwendungspasswörter. Es wird verschlüsselt gespeichert und nach dem Import gelöscht. Widerrufen Sie es danach in WordPress.',
  username: 'Benutzername in WordPress',
  password: 'Anwendungspasswort',
  passwordAgain: 'Bitte noch einmal eingeben: Es wurde nach dem Prüflauf gelöscht.',
  calendarAddress: 'URL des Kalenders',
  calendarAddressHint: 'Beginnt mit https:// oder webcal://. Leer lassen, wenn Sie eine Datei haben.',
  file: 'Datei',
  fileHint: 'Höchstens 10 MB.',
  csvHint: 'Excel (.xlsx) oder CSV, höchstens 10 MB. Eine Zeile muss die Spalten benennen.',
  template: 'Vorlage herunterladen',
  language: 'Sprache der Texte',
  languageHint: 'Für Texte ohne Sprachangabe.',
  timezone: 'Zeitzone',
  timezoneHint: 'Für Zeiten ohne Zeitzone.',
  policy: 'Einträge aus früheren Importen',
  already: 'Vorhandene Einträge:',
  policies: {
    keep: 'Aktualisieren, aber hier bearbeitete Einträge behalten',
    overwrite: 'Alle aktualisieren, auch hier bearbeitete',
    skip: 'Vorhandene überspringen, nur neue hinzufügen'
  },
  more: 'Weitere Einstellungen',
  start: 'Prüflauf starten',
  startHint: 'Es wird nichts geändert; Sie erhalten einen Bericht.',
  oneOfThem: 'Geben Sie eine URL oder eine Datei an.',
  fileNeeded: 'Wählen Sie eine Datei aus.'
}

export const importFormStrings: Record<Language, typeof en> = { en, de }
