import type { Language } from '#platform/language.ts'
import { formatCount } from '../../format/format.ts'

const en = {
  title: 'Feeds and embeds',
  description:
    'The calendar for your own program, news for feed readers, and events or a campaign for your own website.',
  lead: 'Take it with you, or show it on your own website. Choose and copy what you need. It stays up to date.',
  build: {
    title: 'What would you like?',
    filters: 'Only some events?',
    language: 'Language of the texts',
    action: 'Show it'
  },
  kinds: {
    calendar: ['A calendar', 'for your phone or computer'],
    news: ['News', 'for your feed reader'],
    events: ['Events on your website', 'a list that stays up to date'],
    campaign: ['A campaign on your website', 'with a link to donate']
  } as Record<'calendar' | 'news' | 'events' | 'campaign', [string, string]>,
  look: {
    view: 'Layout',
    views: { list: 'With venue and text', compact: 'Short lines' },
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
    title: 'Your feed URL',
    ofCampaigns: 'Campaigns',
    hint: 'Add one of them to your feed reader. Both have the same content; Atom also has the time of changes.',
    label: (format: string, what: string) => `${format}, ${what}`,
    ofEvents: 'Events'
  },
  embed: {
    title: 'For your website',
    preview: 'Preview',
    previewOf: (what: string) => `Preview: ${what}`,
    element: 'As an element of your page',
    elementText: 'Uses your page’s fonts and colours. Put this where it should appear:',
    frame: 'In a frame of its own',
    frameText: 'Where scripts are not allowed, such as in some site builders:',
    elementLabel: 'Code of the element',
    frameLabel: 'Code of the frame',
    notes:
      'No cookies, nothing is stored with your readers. Paste the URL of an event, a campaign or the calendar into WordPress or other systems with oEmbed to embed it as a frame.',
    allEvents: (organisation: string) => `All events: ${organisation}`
  },
  languages: { en: 'English', de: 'German' },
  address: {
    title: 'Your calendar URL',
    all: 'All events',
    only: (names: string) => `Only: ${names}`,
    count: (count: number) =>
      count === 0
        ? 'No upcoming events at the moment. New events will appear.'
        : `${formatCount('en', count, 'event', 'events')} from today on.`,
    label: 'URL of the calendar',
    open: 'Open in my calendar program',
    download: 'Download as a file'
  },
  programs: {
    title: 'How to subscribe',
    list: [
      ['Google Calendar', 'On a computer, choose + beside “Other calendars”, then “From URL”, and paste the URL.'],
      ['Outlook', 'Choose “Add calendar”, then “Subscribe from web”, and paste the URL.'],
      ['Apple', 'The button above is enough; otherwise File, then “New Calendar Subscription”, and paste the URL.'],
      ['Thunderbird', 'Choose “New Calendar”, then “On the Network”, and paste the URL.']
    ] as [string, string][]
  },
  refresh: {
    title: 'How up to date is it?',
    text: 'The feed is always current and covers today to two years ahead. How often it is fetched depends on your program: every hour is recommended; Apple and Thunderbird let you choose, Outlook takes some hours, Google up to a day. Cancelled events stay and are marked as cancelled. A downloaded file is a copy and does not change.'
  },
  one: {
    title: 'A single event',
    text: 'Every event page has “Add to calendar”. The name of the file contains the number of the event:',
    example: 'For example:'
  },
  programmers: {
    title: 'For developers',
    lead: 'Read access without a key, CORS for all origins.',
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
  lead: 'Nehmen Sie alles mit oder zeigen Sie es auf Ihrer Website. Wählen und kopieren Sie, was Sie brauchen. Es bleibt aktuell.',
  build: {
    title: 'Was möchten Sie?',
    filters: 'Nur bestimmte Termine?',
    language: 'Sprache der Texte',
    action: 'Anzeigen'
  },
  kinds: {
    calendar: ['Einen Kalender', 'für Handy oder Computer'],
    news: ['Neuigkeiten', 'für Ihren Feedreader'],
    events: ['Termine auf Ihrer Website', 'eine Liste, die aktuell bleibt'],
    campaign: ['Eine Spendenaktion auf Ihrer Website', 'mit Link zum Spenden']
  },
  look: {
    view: 'Darstellung',
    views: { list: 'Mit Veranstaltungsort und Text', compact: 'Kurze Zeilen' },
    max: 'Höchstens',
    events: count => formatCount('de', count, 'Termin', 'Termine'),
    theme: 'Farben',
    themes: { auto: 'Je nach Gerät', light: 'Hell', dark: 'Dunkel' },
    campaign: 'Spendenaktion',
    noCampaign: 'Es gibt noch keine Spendenaktion. Sobald es eine gibt, kann sie hier angezeigt werden.'
  },
  news: {
    events: organisation => `Termine: ${organisation}`,
    eventsText: 'Neue Termine, die zuletzt veröffentlichten oben.',
    campaigns: organisation => `Spendenaktionen: ${organisation}`,
    goal: sum => `Ziel: ${sum}`,
    until: day => `Bis ${day}`,
    title: 'Ihre Feed-URL',
    ofCampaigns: 'Spendenaktionen',
    hint: 'Fügen Sie eine davon Ihrem Feedreader hinzu. Beide haben denselben Inhalt; Atom enthält auch die Zeit von Änderungen.',
    label: (format, what) => `${format}, ${what}`,
    ofEvents: 'Termine'
  },
  embed: {
    title: 'Für Ihre Website',
    preview: 'Vorschau',
    previewOf: what => `Vorschau: ${what}`,
    element: 'Als Element Ihrer Seite',
    elementText: 'Übernimmt Schrift und Farben Ihrer Seite. Dorthin setzen, wo es erscheinen soll:',
    frame: 'In einem eigenen Rahmen',
    frameText: 'Wo keine Skripte erlaubt sind, etwa in manchen Baukästen:',
    elementLabel: 'Code des Elements',
    frameLabel: 'Code des Rahmens',
    notes:
      'Keine Cookies, bei Ihren Leserinnen und Lesern wird nichts gespeichert. Fügen Sie die URL eines Termins, einer Spendenaktion oder des Kalenders in WordPress oder ein anderes System mit oEmbed ein, um sie als Rahmen einzubetten.',
    allEvents: organisation => `Alle Termine: ${organisation}`
  },
  languages: { en: 'Englisch', de: 'Deutsch' },
  address: {
    title: 'Ihre Kalender-URL',
    all: 'Alle Termine',
    only: names => `Nur: ${names}`,
    count: count =>
      count === 0
        ? 'Zurzeit keine kommenden Termine. Neue Termine erscheinen automatisch.'
        : `${formatCount('de', count, 'Termin', 'Termine')} ab heute.`,
    label: 'URL des Kalenders',
    open: 'Im Kalenderprogramm öffnen',
    download: 'Als Datei herunterladen'
  },
  programs: {
    title: 'So abonnieren Sie',
    list: [
      ['Google Kalender', 'Am Computer neben „Weitere Kalender“ auf + und „Per URL“ gehen und die URL einfügen.'],
      ['Outlook', '„Kalender hinzufügen“ und „Aus dem Internet abonnieren“ wählen und die URL einfügen.'],
      ['Apple', 'Die Schaltfläche oben genügt; sonst Ablage, „Neues Kalenderabonnement“ und die URL einfügen.'],
      ['Thunderbird', '„Neuer Kalender“ und „Im Netzwerk“ wählen und die URL einfügen.']
    ]
  },
  refresh: {
    title: 'Wie aktuell ist das?',
    text: 'Der Feed ist immer aktuell und umfasst die nächsten zwei Jahre. Wie oft er abgerufen wird, entscheidet Ihr Programm: Empfohlen ist jede Stunde; bei Apple und Thunderbird kann man es einstellen, Outlook braucht einige Stunden, Google bis zu einem Tag. Abgesagte Termine bleiben enthalten und sind als abgesagt gekennzeichnet. Eine heruntergeladene Datei ist eine Kopie und ändert sich nicht.'
  },
  one: {
    title: 'Ein einzelner Termin',
    text: 'Auf jeder Terminseite gibt es „In den Kalender eintragen“. Die Datei trägt die Nummer des Termins im Namen:',
    example: 'Zum Beispiel:'
  },
  programmers: {
    title: 'Für Entwicklerinnen und Entwickler',
    lead: 'Lesezugriff ohne Schlüssel, CORS für alle Ursprünge.',
    json: 'Termine als JSON',
    jsonText: 'mit denselben Filtern, dazu Veranstaltungsorte, Veranstalter, Kategorien und Schlagwörter',
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
