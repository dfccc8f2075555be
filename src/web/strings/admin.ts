import type { Language } from '#platform/language.ts'

/** Layout of the console, and texts that all its pages share. */
const en = {
  console: 'Console',
  menu: 'Console menu',
  openMenu: 'Menu',
  closeMenu: 'Close',
  viewSite: 'View site',
  signOut: 'Sign out',
  signedInAs: 'Signed in as',
  search: 'Search everything',
  nav: {
    dashboard: 'Dashboard',
    events: 'Events',
    suggestions: 'Suggestions',
    venues: 'Venues',
    organizers: 'Organizers',
    categories: 'Categories',
    tags: 'Tags',
    images: 'Images',
    imports: 'Import',
    subscriptions: 'Subscriptions',
    campaigns: 'Campaigns',
    donations: 'Donations',
    donors: 'Donors',
    statements: 'Bank statements',
    collections: 'Direct debits',
    receipts: 'Receipts',
    journal: 'Journal',
    organisation: 'Tax and receipts data',
    keys: 'API keys',
    webhooks: 'Webhooks',
    data: 'Data and backup',
    users: 'Users',
    activity: 'Activity log',
    settings: 'Settings',
    account: 'Your account'
  },
  groups: { calendar: 'Calendar', calendarMore: 'More for the calendar', money: 'Donations', site: 'Site' },
  roles: {
    admin: 'Admin',
    editor: 'Editor',
    treasurer: 'Treasurer',
    viewer: 'Viewer',
    contributor: 'Contributor',
    author: 'Author'
  },
  /** After the number in the menu. */
  waiting: 'waiting',
  /** Unsaved input that the browser has kept; the ellipsis stands for the time. */
  draft: {
    found: 'You have not saved what you typed on …. ',
    restore: 'Restore',
    discard: 'Discard',
    carried: 'Unsaved input is kept. Save each language.'
  },
  undo: 'Undo',
  save: 'Save',
  create: 'Create',
  cancel: 'Cancel',
  filter: 'Filter',
  filters: 'Filters',
  activeFilters: ['active filter', 'active filters'] as [string, string],
  reset: 'Reset',
  all: 'All',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  actions: 'Actions',
  previous: 'Previous',
  next: 'Next',
  csv: 'Download CSV',
  sortedUp: 'sorted ascending',
  sortedDown: 'sorted descending',
  page: (page: number, of: number) => `Page ${page} of ${of}`,
  required: 'required',
  mend: 'Please fix the following:',
  saved: 'Saved.',
  languages: { en: 'English', de: 'German' },
  languageOfText: 'Language of the text',
  written: 'written',
  notWritten: 'not written yet',
  conflict: {
    title: 'Another user saved changes in the meantime',
    text: 'Compare the saved version with yours. If you save again, the saved version is overwritten.',
    theirs: 'Saved version',
    yours: 'Your version'
  },
  refused: 'That was not possible',
  notThere: { title: 'Page not found', text: 'It does not exist or was deleted.' },
  toDashboard: 'To the dashboard',
  notYours: {
    title: 'You don’t have access to this page',
    text: 'It is for other roles. Ask an admin if you need it.'
  },
  notFromHere: {
    title: 'Please send the form again',
    text: 'It was not sent from this console, or it was open since before you signed in. Nothing was changed: go back, reload the page and send it again.'
  }
}

export type AdminStrings = typeof en

const de: AdminStrings = {
  console: 'Verwaltung',
  menu: 'Menü der Verwaltung',
  openMenu: 'Menü',
  closeMenu: 'Schließen',
  viewSite: 'Zur Website',
  signOut: 'Abmelden',
  signedInAs: 'Angemeldet als',
  search: 'Alles durchsuchen',
  nav: {
    dashboard: 'Übersicht',
    events: 'Termine',
    suggestions: 'Vorschläge',
    venues: 'Veranstaltungsorte',
    organizers: 'Veranstalter',
    categories: 'Kategorien',
    tags: 'Schlagwörter',
    images: 'Bilder',
    imports: 'Import',
    subscriptions: 'Abonnierte Kalender',
    campaigns: 'Spendenaktionen',
    donations: 'Spenden',
    donors: 'Spender/-innen',
    statements: 'Kontoauszüge',
    collections: 'Lastschriften',
    receipts: 'Zuwendungsbestätigungen',
    journal: 'Journal',
    organisation: 'Steuer und Bestätigungen',
    keys: 'API-Schlüssel',
    webhooks: 'Webhooks',
    data: 'Daten und Sicherung',
    users: 'Benutzer',
    activity: 'Protokoll',
    settings: 'Einstellungen',
    account: 'Ihr Zugang'
  },
  groups: { calendar: 'Kalender', calendarMore: 'Mehr zum Kalender', money: 'Spenden', site: 'Website' },
  roles: {
    admin: 'Administration',
    editor: 'Redaktion',
    treasurer: 'Kasse',
    viewer: 'Nur lesen',
    contributor: 'Mitarbeit',
    author: 'Autorin oder Autor'
  },
  waiting: 'wartend',
  draft: {
    found: 'Ihre Eingaben vom … sind nicht gespeichert. ',
    restore: 'Wiederherstellen',
    discard: 'Verwerfen',
    carried: 'Nicht gespeicherte Eingaben bleiben erhalten. Speichern Sie jede Sprache.'
  },
  undo: 'Rückgängig',
  save: 'Speichern',
  create: 'Anlegen',
  cancel: 'Abbrechen',
  filter: 'Filtern',
  filters: 'Filter',
  activeFilters: ['aktiver Filter', 'aktive Filter'],
  reset: 'Zurücksetzen',
  all: 'Alle',
  yes: 'Ja',
  no: 'Nein',
  none: 'Keine',
  actions: 'Aktionen',
  previous: 'Zurück',
  next: 'Weiter',
  csv: 'CSV herunterladen',
  sortedUp: 'aufsteigend sortiert',
  sortedDown: 'absteigend sortiert',
  page: (page, of) => `Seite ${page} von ${of}`,
  required: 'Pflichtfeld',
  mend: 'Bitte korrigieren Sie die folgenden Angaben:',
  saved: 'Gespeichert.',
  languages: { en: 'Englisch', de: 'Deutsch' },
  languageOfText: 'Sprache des Textes',
  written: 'geschrieben',
  notWritten: 'noch nicht geschrieben',
  conflict: {
    title: 'Inzwischen wurde eine andere Version gespeichert',
    text: 'Vergleichen Sie die gespeicherte Version mit Ihrer. Wenn Sie erneut speichern, wird die gespeicherte Version überschrieben.',
    theirs: 'Gespeicherte Version',
    yours: 'Ihre Version'
  },
  refused: 'Das war nicht möglich',
  notThere: { title: 'Seite nicht gefunden', text: 'Sie existiert nicht oder wurde gelöscht.' },
  toDashboard: 'Zur Übersicht',
  notYours: {
    title: 'Keine Berechtigung',
    text: 'Diese Seite ist für andere Rollen. Wenden Sie sich an die Administration, wenn Sie sie brauchen.'
  },
  notFromHere: {
    title: 'Bitte senden Sie das Formular noch einmal',
    text: 'Es kam nicht aus dieser Verwaltung, oder es war schon offen, bevor Sie sich angemeldet haben. Nichts wurde geändert: Gehen Sie zurück, laden Sie die Seite neu und senden Sie es noch einmal.'
  }
}

export const adminStrings: Record<Language, AdminStrings> = { en, de }
