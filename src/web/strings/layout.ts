import type { Language } from '#platform/language.ts'

const en = {
  skip: 'Skip to the content',
  menu: 'Main menu',
  calendar: 'Calendar',
  donate: 'Donate',
  about: 'About us',
  otherLanguage: 'Deutsch',
  otherLanguageLabel: 'Diese Seite auf Deutsch',
  imprint: 'Imprint',
  privacy: 'Privacy',
  contact: 'Contact',
  feeds: 'Feeds',
  api: 'API',
  console: 'Sign in',
  footer: 'About this site',
  copy: 'Copy',
  copied: 'Copied',
  free: 'Free',
  setUp: {
    lead: 'This site is new and still empty.',
    action: 'Set it up',
    hint: 'It takes two minutes: name, languages, your account, and sample content if you like.',
    locked:
      'Until then everybody can read and donate here. Changes need the setup link that the program printed when it started.'
  },
  failure: {
    400: { title: 'That did not work', text: 'The request could not be understood. Please go back and try again.' },
    403: {
      title: 'Not from there',
      text: 'This form was sent from another site. Please open the page here and send it again.'
    },
    404: {
      title: 'There is nothing here',
      text: 'The page has moved, or it never was. The search below finds what is there.'
    },
    405: { title: 'Not this way', text: 'This address cannot be used like that. Please open the page and try again.' },
    410: { title: 'No longer here', text: 'What was here has been taken down by its organizers.' },
    413: { title: 'Too large', text: 'What was sent is larger than this page takes.' },
    429: {
      title: 'A little slower, please',
      text: 'Very many requests came from your address. Please wait a minute and try again.'
    },
    500: {
      title: 'Something went wrong',
      text: 'The mistake is ours, and it has been written down. Please try again in a moment.'
    },
    503: {
      title: 'Back in a moment',
      text: 'The site is catching its breath. Please try again in a few seconds. What you sent has arrived whole or not at all.'
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
  copy: 'Kopieren',
  copied: 'Kopiert',
  free: 'Kostenlos',
  setUp: {
    lead: 'Diese Seite ist neu und noch leer.',
    action: 'Jetzt einrichten',
    hint: 'Das dauert zwei Minuten: Name, Sprachen, Ihr Zugang und auf Wunsch Beispielinhalte.',
    locked:
      'Bis dahin können hier alle lesen und spenden. Änderungen brauchen den Einrichtungslink, den das Programm beim Start ausgegeben hat.'
  },
  failure: {
    400: {
      title: 'Das hat nicht geklappt',
      text: 'Die Anfrage war nicht zu verstehen. Bitte gehen Sie zurück und versuchen Sie es noch einmal.'
    },
    403: {
      title: 'Nicht von dort',
      text: 'Dieses Formular kam von einer anderen Seite. Bitte öffnen Sie die Seite hier und senden Sie es noch einmal.'
    },
    404: {
      title: 'Hier ist nichts',
      text: 'Die Seite ist umgezogen, oder es gab sie nie. Die Suche findet, was da ist.'
    },
    405: {
      title: 'So geht es nicht',
      text: 'Diese Adresse lässt sich so nicht benutzen. Bitte öffnen Sie die Seite und versuchen Sie es noch einmal.'
    },
    410: { title: 'Das gibt es nicht mehr', text: 'Was hier war, haben die Veranstalter zurückgezogen.' },
    413: { title: 'Zu groß', text: 'Was gesendet wurde, ist größer, als diese Seite annimmt.' },
    429: {
      title: 'Bitte etwas langsamer',
      text: 'Von Ihrer Adresse kamen sehr viele Anfragen. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.'
    },
    500: {
      title: 'Da ist etwas schiefgegangen',
      text: 'Der Fehler liegt bei uns und ist notiert. Bitte versuchen Sie es gleich noch einmal.'
    },
    503: {
      title: 'Gleich wieder da',
      text: 'Die Seite holt kurz Luft. Bitte versuchen Sie es in ein paar Sekunden noch einmal. Was Sie gesendet haben, kam ganz an oder gar nicht.'
    }
  },
  backHome: 'Zur Startseite',
  toCalendar: 'Zum Kalender',
  searchEvents: 'Termine suchen',
  search: 'Suchen'
}

export const layoutStrings: Record<Language, LayoutStrings> = { en, de }
