import type { Language } from '#platform/language.ts'
import { formatCount } from '../../format/format.ts'

const en = {
  title: 'Feeds and embeds',
  description:
    'The calendar for your own program, news for feed readers, and events or a campaign for your own website.',
  lead: 'Take it with you, or show it on your own website. Choose, and copy what you need: it keeps itself up to date.',
  build: {
    title: 'What would you like?',
    filters: 'Only some events?',
    language: 'Language of the texts',
    action: 'Show it'
  },
  kinds: {
    calendar: ['A calendar', 'for your phone or computer'],
    news: ['News', 'for your feed reader'],
    events: ['Events on your website', 'a list that renews itself'],
    campaign: ['A campaign on your website', 'with the way to donate']
  } as Record<'calendar' | 'news' | 'events' | 'campaign', [string, string]>,
  look: {
    view: 'Form',
    views: { list: 'With place and text', compact: 'Short lines' },
    max: 'At most',
    events: (count: number) => formatCount('en', count, 'event', 'events'),
    theme: 'Colours',
    themes: { auto: 'By device', light: 'Light', dark: 'Dark' },
    campaign: 'Campaign',
    noCampaign: 'There is no campaign yet. Once there is one, it can be shown here.'
  },
  news: {
    events: (organisation: string) => `Events: ${organisation}`,
    eventsText: 'New events, those published last on top.',
    campaigns: (organisation: string) => `Donation campaigns: ${organisation}`,
    goal: (sum: string) => `Goal: ${sum}`,
    until: (day: string) => `Until ${day}`,
    title: 'Your news address',
    ofCampaigns: 'Campaigns',
    hint: 'Give one of them to your feed reader. Both say the same; Atom also tells when something was changed.',
    label: (format: string, what: string) => `${format}, ${what}`,
    ofEvents: 'Events'
  },
  embed: {
    title: 'For your website',
    preview: 'Preview',
    previewOf: (what: string) => `Preview: ${what}`,
    element: 'As part of your page',
    elementText: 'Takes over the letters and colours of your page. Put this where it should stand:',
    frame: 'In a frame of its own',
    frameText: 'Where scripts are not allowed, such as in some site builders:',
    elementLabel: 'Code of the element',
    frameLabel: 'Code of the frame',
    notes:
      'No cookies, nothing is stored with your readers. Whoever pastes the address of an event, a campaign or the calendar into WordPress and others gets a frame by itself (oEmbed).',
    allEvents: (organisation: string) => `All events: ${organisation}`
  },
  languages: { en: 'English', de: 'German' },
  address: {
    title: 'Your calendar address',
    all: 'All events',
    only: (names: string) => `Only: ${names}`,
    count: (count: number) =>
      count === 0
        ? 'At the moment there is nothing in it. New events will appear.'
        : `${formatCount('en', count, 'event', 'events')} from today on.`,
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

export type FeedStrings = typeof en

const de: FeedStrings = {
  title: 'Feeds und Einbetten',
  description:
    'Der Kalender für Ihr eigenes Programm, Neues für Feedreader und Termine oder eine Spendenaktion für Ihre Website.',
  lead: 'Nehmen Sie alles mit oder zeigen Sie es auf Ihrer Website. Auswählen, kopieren, fertig: Es bleibt von selbst aktuell.',
  build: {
    title: 'Was möchten Sie?',
    filters: 'Nur bestimmte Termine?',
    language: 'Sprache der Texte',
    action: 'Anzeigen'
  },
  kinds: {
    calendar: ['Einen Kalender', 'für Handy oder Computer'],
    news: ['Neuigkeiten', 'für Ihren Feedreader'],
    events: ['Termine auf Ihrer Website', 'eine Liste, die sich erneuert'],
    campaign: ['Eine Spendenaktion auf Ihrer Website', 'mit dem Weg zum Spenden']
  },
  look: {
    view: 'Form',
    views: { list: 'Mit Ort und Text', compact: 'Kurze Zeilen' },
    max: 'Höchstens',
    events: count => formatCount('de', count, 'Termin', 'Termine'),
    theme: 'Farben',
    themes: { auto: 'Je nach Gerät', light: 'Hell', dark: 'Dunkel' },
    campaign: 'Spendenaktion',
    noCampaign: 'Es gibt noch keine Spendenaktion. Sobald es eine gibt, lässt sie sich hier zeigen.'
  },
  news: {
    events: organisation => `Termine: ${organisation}`,
    eventsText: 'Neue Termine, die zuletzt veröffentlichten oben.',
    campaigns: organisation => `Spendenaktionen: ${organisation}`,
    goal: sum => `Ziel: ${sum}`,
    until: day => `Bis ${day}`,
    title: 'Ihre Adresse für Neuigkeiten',
    ofCampaigns: 'Spendenaktionen',
    hint: 'Geben Sie eine davon Ihrem Feedreader. Beide sagen dasselbe; Atom verrät auch, wann etwas geändert wurde.',
    label: (format, what) => `${format}, ${what}`,
    ofEvents: 'Termine'
  },
  embed: {
    title: 'Für Ihre Website',
    preview: 'Vorschau',
    previewOf: what => `Vorschau: ${what}`,
    element: 'Als Teil Ihrer Seite',
    elementText: 'Übernimmt Schrift und Farben Ihrer Seite. Dorthin setzen, wo es stehen soll:',
    frame: 'In einem eigenen Rahmen',
    frameText: 'Wo keine Skripte erlaubt sind, etwa in manchen Baukästen:',
    elementLabel: 'Code des Elements',
    frameLabel: 'Code des Rahmens',
    notes:
      'Keine Cookies, bei Ihren Lesern wird nichts gespeichert. Wer die Adresse eines Termins, einer Spendenaktion oder des Kalenders in WordPress und anderswo einfügt, bekommt den Rahmen von selbst (oEmbed).',
    allEvents: organisation => `Alle Termine: ${organisation}`
  },
  languages: { en: 'Englisch', de: 'Deutsch' },
  address: {
    title: 'Ihre Kalenderadresse',
    all: 'Alle Termine',
    only: names => `Nur: ${names}`,
    count: count =>
      count === 0
        ? 'Zurzeit steht nichts darin. Neue Termine erscheinen von selbst.'
        : `${formatCount('de', count, 'Termin', 'Termine')} ab heute.`,
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

export const feedStrings: Record<Language, FeedStrings> = { en, de }
