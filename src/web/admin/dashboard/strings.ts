import type { Language } from '#platform/language.ts'

/** Start page of the console, and its global search. */
const en = {
  title: 'Dashboard',
  welcome: 'Your site is set up, and you are signed in. Welcome!',
  numbers: 'In numbers',
  receivedMonth: 'Received, 30 days',
  promisedMonth: (amount: string, donations: string) => `${amount} pledged in ${donations}`,
  donations: ['donation', 'donations'] as [string, string],
  pledges: 'Outstanding',
  pledged: (count: string) => `of ${count}`,
  openCampaigns: 'Open campaigns',
  collected: (amount: string) => `${amount} so far`,
  upcoming: 'Upcoming events',
  upcomingHint: 'that visitors can see',
  nextOn: (day: string) => `next: ${day}`,
  untranslated: 'Missing translations',
  untranslatedHint: 'of upcoming events',
  allTranslated: 'all translated',
  perDay: 'Received per day',
  perDayOf: (from: string, to: string) => `Money received per day, ${from} to ${to}`,
  perDayNone: 'No donations in these 30 days.',
  dayOf: (day: string, received: string, promised: string, donations: string) =>
    `${day}: ${received} received, ${promised} pledged in ${donations}`,
  asTable: 'As a table',
  day: 'Day',
  promised: 'Pledged',
  waiting: 'Pending donations',
  waitingNone: 'No outstanding pledges.',
  partReceived: (amount: string) => `${amount} received`,
  donationSums: (promised: string, received: string) => `${promised} pledged, ${received} received`,
  allWaiting: 'Show all',
  received: 'Received',
  markReceived: 'Mark as received',
  receivedLabel: (amount: string, name: string) => `Mark as received: ${amount} from ${name}`,
  anonymous: 'No name',
  next: 'Next events',
  nextNone: 'No events are planned.',
  allEvents: 'All events',
  newEvent: 'New event',
  missing: { en: 'No English text', de: 'No German text' },
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  allDay: 'all day',
  checklist: {
    title: 'Next steps',
    event: 'Create your first event',
    campaign: 'Create a campaign',
    phone: 'Subscribe to the calendar on your phone',
    imprint: 'Write the legal notice',
    exemption: 'Enter the tax exemption for donation receipts',
    backup: 'Create a backup',
    secondFactor: 'Set up a second factor',
    people: 'Invite a colleague',
    done: 'done',
    hide: 'Hide this list'
  },
  tasks: {
    title: 'To do today',
    none: 'Nothing is waiting for you.',
    match: ['transaction to match', 'transactions to match'] as [string, string],
    donors: ['donor', 'donors'] as [string, string],
    receipts: (year: string, donors: string) => `Issue the receipts for ${year}: ${donors}`,
    review: ['donation held for review', 'donations held for review'] as [string, string],
    messages: ['message to review', 'messages to review'] as [string, string],
    suggestions: ['suggestion to review', 'suggestions to review'] as [string, string],
    translations: {
      en: ['upcoming event without English text', 'upcoming events without English text'] as [string, string],
      de: ['upcoming event without German text', 'upcoming events without German text'] as [string, string]
    },
    backupNever: 'Create the first backup',
    backupOld: (ago: string) => `Create a backup; the last one was ${ago}`,
    backupFailed: (reason: string) => `The last backup failed: ${reason}`
  },
  sample: {
    title: 'No content yet',
    text: 'Look around with sample content first: events and campaigns of an invented town. You can remove all of it again with one click.',
    action: 'Load sample content',
    made: (count: number) => `${count} events and campaigns created.`,
    madeNothing: 'The sample content already exists.'
  },
  search: {
    title: 'Search',
    of: (strings: string) => `Search for “${strings}”`,
    label: 'Search everything',
    action: 'Search',
    start:
      'Events, venues, organizers, campaigns, donations and donors: by a word, a name, an email address, an IBAN, part of a reference or an amount.',
    startWithout: 'Events, venues, organizers and campaigns: by a word or a name.',
    nothing: 'Nothing was found. Try fewer or other words.',
    more: (count: string) => `Show all ${count}`,
    found: ['result', 'results'] as [string, string]
  }
}

export type DashboardStrings = typeof en

const de: DashboardStrings = {
  title: 'Übersicht',
  welcome: 'Ihre Website ist eingerichtet, und Sie sind angemeldet. Willkommen!',
  numbers: 'In Zahlen',
  receivedMonth: 'Eingegangen in 30 Tagen',
  promisedMonth: (amount, donations) => `${amount} zugesagt in ${donations}`,
  donations: ['Spende', 'Spenden'],
  pledges: 'Noch ausstehend',
  pledged: count => `aus ${count}`,
  openCampaigns: 'Laufende Spendenaktionen',
  collected: amount => `bisher ${amount}`,
  upcoming: 'Kommende Termine',
  upcomingHint: 'öffentlich sichtbar',
  nextOn: day => `nächster: ${day}`,
  untranslated: 'Fehlende Übersetzungen',
  untranslatedHint: 'bei kommenden Terminen',
  allTranslated: 'alles ist übersetzt',
  perDay: 'Eingegangen pro Tag',
  perDayOf: (from, to) => `Eingegangenes Geld pro Tag, ${from} bis ${to}`,
  perDayNone: 'In diesen 30 Tagen gab es keine Spenden.',
  dayOf: (day, received, promised, donations) =>
    `${day}: ${received} eingegangen, ${promised} zugesagt in ${donations}`,
  asTable: 'Als Tabelle',
  day: 'Tag',
  promised: 'Zugesagt',
  waiting: 'Zugesagte Spenden',
  waitingNone: 'Alle zugesagten Spenden sind eingegangen.',
  partReceived: amount => `${amount} eingegangen`,
  donationSums: (promised, received) => `${promised} zugesagt, ${received} eingegangen`,
  allWaiting: 'Alle anzeigen',
  received: 'Eingegangen',
  markReceived: 'Als eingegangen buchen',
  receivedLabel: (amount, name) => `Als eingegangen buchen: ${amount} von ${name}`,
  anonymous: 'Ohne Namen',
  next: 'Nächste Termine',
  nextNone: 'Es sind keine Termine geplant.',
  allEvents: 'Alle Termine',
  newEvent: 'Neuer Termin',
  missing: { en: 'Englisch fehlt', de: 'Deutsch fehlt' },
  cancelled: 'Abgesagt',
  postponed: 'Verschoben',
  allDay: 'ganztägig',
  checklist: {
    title: 'Nächste Schritte',
    event: 'Den ersten Termin anlegen',
    campaign: 'Eine Spendenaktion anlegen',
    phone: 'Kalender auf dem Smartphone abonnieren',
    imprint: 'Impressum schreiben',
    exemption: 'Steuerbegünstigung für Zuwendungsbestätigungen eintragen',
    backup: 'Eine Sicherung erstellen',
    secondFactor: 'Einen zweiten Faktor einrichten',
    people: 'Benutzer einladen',
    done: 'erledigt',
    hide: 'Liste ausblenden'
  },
  tasks: {
    title: 'Heute zu tun',
    none: 'Nichts wartet auf Sie.',
    match: ['Umsatz zuordnen', 'Umsätze zuordnen'],
    donors: ['Spender/-in', 'Spenderinnen und Spender'],
    receipts: (year, donors) => `Zuwendungsbestätigungen für ${year} ausstellen: ${donors}`,
    review: ['Spende wartet auf Freigabe', 'Spenden warten auf Freigabe'],
    messages: ['Nachricht prüfen', 'Nachrichten prüfen'],
    suggestions: ['Vorschlag prüfen', 'Vorschläge prüfen'],
    translations: {
      en: ['kommender Termin ohne englischen Text', 'kommende Termine ohne englischen Text'],
      de: ['kommender Termin ohne deutschen Text', 'kommende Termine ohne deutschen Text']
    },
    backupNever: 'Die erste Sicherung erstellen',
    backupOld: ago => `Eine Sicherung erstellen; die letzte war ${ago}`,
    backupFailed: reason => `Die letzte Sicherung ist fehlgeschlagen: ${reason}`
  },
  sample: {
    title: 'Noch keine Inhalte',
    text: 'Sehen Sie sich zuerst mit Beispielinhalten um: Termine und Spendenaktionen einer erfundenen Stadt. Sie können sie mit einem Klick wieder entfernen.',
    action: 'Beispielinhalte laden',
    made: count => `${count} Termine und Spendenaktionen wurden angelegt.`,
    madeNothing: 'Die Beispielinhalte sind schon vorhanden.'
  },
  search: {
    title: 'Suche',
    of: strings => `Suche nach „${strings}“`,
    label: 'Alles durchsuchen',
    action: 'Suchen',
    start:
      'Termine, Veranstaltungsorte, Veranstalter, Spendenaktionen, Spenden und Personen: nach einem Wort, einem Namen, einer E-Mail-Adresse, einer IBAN, einem Teil der Referenz oder einem Betrag.',
    startWithout: 'Termine, Veranstaltungsorte, Veranstalter und Spendenaktionen: nach einem Wort oder Namen.',
    nothing: 'Nichts gefunden. Versuchen Sie es mit weniger oder anderen Wörtern.',
    more: count => `Alle ${count} anzeigen`,
    found: ['Treffer', 'Treffer']
  }
}

export const dashboardStrings: Record<Language, DashboardStrings> = { en, de }
