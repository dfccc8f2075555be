import type { Language } from '#platform/language.ts'
import { counted } from '../format.ts'

const en = {
  title: 'Feeds',
  description: 'The calendar for your own calendar program, and everything else that programs can read here.',
  lead: 'Take the calendar with you: subscribe once, and new events appear in your own calendar by themselves.',
  build: {
    title: 'Not everything?',
    lead: 'Choose what interests you, and the address will have only that.',
    language: 'Language of the texts',
    action: 'Make the address'
  },
  languages: { en: 'English', de: 'German' },
  address: {
    title: 'Your calendar address',
    all: 'All events',
    only: (names: string) => `Only: ${names}`,
    count: (count: number) =>
      count === 0
        ? 'At the moment there is nothing in it. New events will appear.'
        : `${counted('en', count, 'event', 'events')} from today on.`,
    label: 'Address of the calendar',
    open: 'Open in my calendar program',
    download: 'Download as a file'
  },
  programs: {
    title: 'Where does the address go?',
    list: [
      ['Google Calendar', 'On a computer, choose + beside “Other calendars”, then “From URL”, and paste the address.'],
      ['Outlook', 'Choose “Add calendar”, then “Subscribe from web”, and paste the address.'],
      ['Apple', 'The button above is enough; otherwise File, then “New Calendar Subscription”, and paste the address.'],
      ['Thunderbird', 'Choose “New Calendar”, then “On the Network”, and paste the address.']
    ] as [string, string][]
  },
  refresh: {
    title: 'How fresh is it?',
    text: 'The address always answers with what is true at that moment, from today to two years ahead. How often it is asked is up to your program: we propose every hour; Apple and Thunderbird can be told, Outlook takes some hours, Google up to a day. Cancelled events stay and are marked as cancelled. A downloaded file is a copy and does not change.'
  },
  one: {
    title: 'A single event',
    text: 'Every event page has “Add to calendar”. The file behind it has the number of the event as its name:',
    example: 'For example:'
  },
  programmers: {
    title: 'For those who build things',
    lead: 'No key is needed for reading, and web pages of any origin may ask.',
    json: 'Events as JSON',
    jsonText: 'with the same filters, venues, organizers, categories and tags',
    campaigns: 'Campaigns as JSON',
    campaignsText: 'with goal and what has been donated so far',
    peer: 'For clients of The Events Calendar',
    peerText: 'the same events under the path that these clients know',
    documents: 'OpenAPI documents',
    documentsText: 'for code generators and API tools:',
    reference: 'Read the API reference'
  }
}

export type FeedWords = typeof en

const de: FeedWords = {
  title: 'Feeds',
  description: 'Der Kalender für Ihr eigenes Kalenderprogramm und alles andere, was Programme hier lesen können.',
  lead: 'Nehmen Sie den Kalender mit: einmal abonnieren, und neue Termine erscheinen von selbst bei Ihnen.',
  build: {
    title: 'Nicht alles?',
    lead: 'Wählen Sie aus, was Sie interessiert: Die Adresse enthält dann nur das.',
    language: 'Sprache der Texte',
    action: 'Adresse erstellen'
  },
  languages: { en: 'Englisch', de: 'Deutsch' },
  address: {
    title: 'Ihre Kalenderadresse',
    all: 'Alle Termine',
    only: names => `Nur: ${names}`,
    count: count =>
      count === 0
        ? 'Zurzeit steht nichts darin. Neue Termine erscheinen von selbst.'
        : `${counted('de', count, 'Termin', 'Termine')} ab heute.`,
    label: 'Adresse des Kalenders',
    open: 'Im Kalenderprogramm öffnen',
    download: 'Als Datei herunterladen'
  },
  programs: {
    title: 'Wohin mit der Adresse?',
    list: [
      ['Google Kalender', 'Am Computer neben „Weitere Kalender“ auf + und „Per URL“ gehen und die Adresse einfügen.'],
      ['Outlook', '„Kalender hinzufügen“ und „Aus dem Internet abonnieren“ wählen und die Adresse einfügen.'],
      ['Apple', 'Der Knopf oben genügt; sonst Ablage, „Neues Kalenderabonnement“ und die Adresse einfügen.'],
      ['Thunderbird', '„Neuer Kalender“ und „Im Netzwerk“ wählen und die Adresse einfügen.']
    ]
  },
  refresh: {
    title: 'Wie aktuell ist das?',
    text: 'Unter der Adresse steht immer, was in diesem Augenblick gilt, von heute bis in zwei Jahren. Wie oft nachgesehen wird, entscheidet Ihr Programm: Wir schlagen jede Stunde vor; bei Apple und Thunderbird lässt es sich einstellen, Outlook braucht einige Stunden, Google bis zu einem Tag. Abgesagte Termine bleiben stehen und sind als abgesagt gekennzeichnet. Eine heruntergeladene Datei ist eine Kopie und ändert sich nicht.'
  },
  one: {
    title: 'Ein einzelner Termin',
    text: 'Auf jeder Terminseite gibt es „Zum Kalender hinzufügen“. Die Datei dahinter trägt die Nummer des Termins im Namen:',
    example: 'Zum Beispiel:'
  },
  programmers: {
    title: 'Für alle, die etwas bauen',
    lead: 'Zum Lesen braucht es keinen Schlüssel, und Webseiten jeder Herkunft dürfen fragen.',
    json: 'Termine als JSON',
    jsonText: 'mit denselben Filtern, dazu Orte, Veranstalter, Kategorien und Schlagwörter',
    campaigns: 'Spendenaktionen als JSON',
    campaignsText: 'mit Ziel und bisherigem Spendenstand',
    peer: 'Für Clients von The Events Calendar',
    peerText: 'dieselben Termine unter dem Pfad, den diese Clients kennen',
    documents: 'OpenAPI-Dokumente',
    documentsText: 'für Codegeneratoren und API-Werkzeuge:',
    reference: 'Zur API-Referenz'
  }
}

export const feedWords: Record<Language, FeedWords> = { en, de }
