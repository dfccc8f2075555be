import type { Language } from '#platform/language.ts'

/** Words of the frame and of everything that all pages of the console share. */
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
    venues: 'Venues',
    organizers: 'Organizers',
    categories: 'Categories',
    tags: 'Tags',
    images: 'Images',
    imports: 'Import',
    campaigns: 'Campaigns',
    donations: 'Donations',
    keys: 'API keys',
    webhooks: 'Webhooks',
    data: 'Data and backup',
    users: 'People',
    activity: 'Activity',
    settings: 'Settings',
    account: 'Your account'
  },
  groups: { calendar: 'Calendar', money: 'Donations', site: 'Site' },
  roles: {
    admin: 'Admin',
    editor: 'Editor',
    treasurer: 'Treasurer',
    viewer: 'Viewer',
    contributor: 'Contributor',
    author: 'Author'
  },
  undo: 'Undo',
  save: 'Save',
  create: 'Create',
  cancel: 'Cancel',
  filter: 'Filter',
  reset: 'Reset',
  all: 'All',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  actions: 'Actions',
  previous: 'Previous',
  next: 'Next',
  csv: 'Download CSV',
  sortedUp: 'sorted upwards',
  sortedDown: 'sorted downwards',
  page: (page: number, of: number) => `Page ${page} of ${of}`,
  required: 'required',
  mend: 'Please mend the following:',
  saved: 'Saved.',
  languages: { en: 'English', de: 'German' },
  languageOfText: 'Language of the text',
  written: 'written',
  notWritten: 'not written yet',
  conflict: {
    title: 'Somebody else has saved this meanwhile',
    text: 'Compare what is saved now with what you have entered. Saving again replaces it with yours.',
    theirs: 'Saved meanwhile',
    yours: 'Yours'
  },
  refused: 'That was not possible',
  notThere: { title: 'There is nothing here', text: 'It is not there, or not there any more.' },
  toDashboard: 'To the dashboard',
  notYours: { title: 'Not for your role', text: 'This page is for other roles. Ask an admin if you need it.' },
  notFromHere: {
    title: 'Please send the form again',
    text: 'It was not sent from this console, or it was open since before you signed in. Nothing was changed: go back, reload the page and send it again.'
  }
}

export type ConsoleWords = typeof en

const de: ConsoleWords = {
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
    venues: 'Orte',
    organizers: 'Veranstalter',
    categories: 'Kategorien',
    tags: 'Schlagwörter',
    images: 'Bilder',
    imports: 'Import',
    campaigns: 'Spendenaktionen',
    donations: 'Spenden',
    keys: 'API-Schlüssel',
    webhooks: 'Webhooks',
    data: 'Daten und Sicherung',
    users: 'Personen',
    activity: 'Protokoll',
    settings: 'Einstellungen',
    account: 'Ihr Zugang'
  },
  groups: { calendar: 'Kalender', money: 'Spenden', site: 'Website' },
  roles: {
    admin: 'Verwaltung',
    editor: 'Redaktion',
    treasurer: 'Kasse',
    viewer: 'Lesend',
    contributor: 'Mitarbeit',
    author: 'Autorin oder Autor'
  },
  undo: 'Rückgängig',
  save: 'Speichern',
  create: 'Anlegen',
  cancel: 'Abbrechen',
  filter: 'Filtern',
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
  mend: 'Bitte berichtigen Sie Folgendes:',
  saved: 'Gespeichert.',
  languages: { en: 'Englisch', de: 'Deutsch' },
  languageOfText: 'Sprache des Textes',
  written: 'geschrieben',
  notWritten: 'noch nicht geschrieben',
  conflict: {
    title: 'Inzwischen hat jemand anderes gespeichert',
    text: 'Vergleichen Sie, was jetzt gespeichert ist, mit dem, was Sie eingegeben haben. Noch einmal speichern ersetzt es durch Ihres.',
    theirs: 'Inzwischen gespeichert',
    yours: 'Ihres'
  },
  refused: 'Das war nicht möglich',
  notThere: { title: 'Hier ist nichts', text: 'Das gibt es nicht oder nicht mehr.' },
  toDashboard: 'Zur Übersicht',
  notYours: {
    title: 'Nicht für Ihre Rolle',
    text: 'Diese Seite ist für andere Rollen. Fragen Sie die Verwaltung, wenn Sie sie brauchen.'
  },
  notFromHere: {
    title: 'Bitte senden Sie das Formular noch einmal',
    text: 'Es kam nicht aus dieser Verwaltung, oder es war schon offen, bevor Sie sich angemeldet haben. Nichts wurde geändert: Gehen Sie zurück, laden Sie die Seite neu und senden Sie es noch einmal.'
  }
}

export const consoleWords: Record<Language, ConsoleWords> = { en, de }
