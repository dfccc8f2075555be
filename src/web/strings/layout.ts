import type { Language } from '#platform/language.ts'

const en = {
  skip: 'Skip to the content',
  menu: 'Main menu',
  calendar: 'Calendar',
  donate: 'Donate',
  about: 'About us',
  otherLanguage: 'Deutsch',
  otherLanguageLabel: 'Diese Seite auf Deutsch',
  imprint: 'Legal notice',
  privacy: 'Privacy',
  contact: 'Contact',
  feeds: 'Feeds',
  api: 'API',
  console: 'Sign in',
  footer: 'About this site',
  social: 'Social networks',
  copy: 'Copy',
  copied: 'Copied',
  free: 'Free',
  setUp: {
    lead: 'This site is new and still empty.',
    action: 'Set it up',
    hint: 'It takes two minutes: name, languages, your user account, and sample content if you like.',
    locked: 'Until then reading and donating are public. Changes need the setup link from the server log.'
  },
  failure: {
    400: { title: 'That did not work', text: 'The request could not be understood. Please go back and try again.' },
    403: {
      title: 'Request blocked',
      text: 'This form was sent from another site. Please open the page here and send it again.'
    },
    404: {
      title: 'Page not found',
      text: 'The page does not exist or has moved. Use the search below.'
    },
    405: { title: 'Not allowed', text: 'This URL does not support the request. Please open the page and try again.' },
    410: { title: 'No longer available', text: 'This content was removed by its organizers.' },
    413: { title: 'Too large', text: 'The request is too large.' },
    429: {
      title: 'Too many requests',
      text: 'Too many requests from your network. Please wait a minute and try again.'
    },
    500: {
      title: 'Something went wrong',
      text: 'Something went wrong on our side. It has been logged. Please try again in a moment.'
    },
    503: {
      title: 'Back in a moment',
      text: 'The site is temporarily overloaded. Please try again in a few seconds. Your request was processed completely or not at all.'
    }
  },
  backHome: 'To the home page',
  toCalendar: 'To the calendar',
  searchEvents: 'Search events',
  search: 'Search'
}

export type LayoutStrings = typeof en

const de: LayoutStrings = {
  skip: 'Zum Inhalt springen',
  menu: 'Hauptmenü',
  calendar: 'Kalender',
  donate: 'Spenden',
  about: 'Über uns',
  otherLanguage: 'English',
  otherLanguageLabel: 'This page in English',
  imprint: 'Impressum',
  privacy: 'Datenschutz',
  contact: 'Kontakt',
  feeds: 'Feeds',
  api: 'API',
  console: 'Anmelden',
  footer: 'Über diese Seite',
  social: 'Soziale Netzwerke',
  copy: 'Kopieren',
  copied: 'Kopiert',
  free: 'Kostenlos',
  setUp: {
    lead: 'Diese Seite ist neu und noch leer.',
    action: 'Jetzt einrichten',
    hint: 'Das dauert zwei Minuten: Name, Sprachen, Ihr Zugang und auf Wunsch Beispielinhalte.',
    locked: 'Bis dahin können hier alle lesen und spenden. Änderungen brauchen den Einrichtungslink aus dem Server-Log.'
  },
  failure: {
    400: {
      title: 'Das hat nicht geklappt',
      text: 'Die Anfrage war nicht zu verstehen. Bitte gehen Sie zurück und versuchen Sie es noch einmal.'
    },
    403: {
      title: 'Anfrage abgelehnt',
      text: 'Dieses Formular kam von einer anderen Seite. Bitte öffnen Sie die Seite hier und senden Sie es noch einmal.'
    },
    404: {
      title: 'Seite nicht gefunden',
      text: 'Die Seite gibt es nicht, oder sie ist umgezogen. Bitte nutzen Sie die Suche.'
    },
    405: {
      title: 'Nicht erlaubt',
      text: 'Diese Anfrage ist hier nicht möglich. Bitte öffnen Sie die Seite und versuchen Sie es noch einmal.'
    },
    410: { title: 'Nicht mehr verfügbar', text: 'Dieser Inhalt wurde von den Veranstaltern entfernt.' },
    413: { title: 'Zu groß', text: 'Die Anfrage ist zu groß.' },
    429: {
      title: 'Zu viele Anfragen',
      text: 'Zu viele Anfragen aus Ihrem Netz. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.'
    },
    500: {
      title: 'Da ist etwas schiefgegangen',
      text: 'Der Fehler liegt bei uns und wurde protokolliert. Bitte versuchen Sie es gleich noch einmal.'
    },
    503: {
      title: 'Gleich wieder da',
      text: 'Die Seite ist kurzzeitig überlastet. Bitte versuchen Sie es in ein paar Sekunden noch einmal. Ihre Anfrage wurde vollständig oder gar nicht verarbeitet.'
    }
  },
  backHome: 'Zur Startseite',
  toCalendar: 'Zum Kalender',
  searchEvents: 'Termine suchen',
  search: 'Suchen'
}

export const layoutStrings: Record<Language, LayoutStrings> = { en, de }
