import type { Language } from '#platform/language.ts'

/** The first page of the console, and the search over everything. */
const en = {
  title: 'Dashboard',
  welcome: 'Your site is set up, and you are signed in. Welcome!',
  numbers: 'In numbers',
  donated: 'Donations, 30 days',
  donations: ['donation', 'donations'] as [string, string],
  pledges: 'Waiting for money',
  pledged: (count: string) => `in ${count}`,
  openCampaigns: 'Open campaigns',
  collected: (amount: string) => `${amount} so far`,
  upcoming: 'Upcoming events',
  upcomingHint: 'that visitors can see',
  nextOn: (day: string) => `next: ${day}`,
  untranslated: 'Missing translations',
  untranslatedHint: 'of upcoming events',
  allTranslated: 'everything is there',
  perDay: 'Donations per day',
  perDayOf: (from: string, to: string) => `Donations per day, ${from} to ${to}`,
  perDayNone: 'No donations in these 30 days.',
  asTable: 'As a table',
  day: 'Day',
  amount: 'Amount',
  waiting: 'Waiting for money',
  waitingNone: 'Nobody has promised anything that has not arrived.',
  allWaiting: 'Show all',
  received: 'Received',
  receivedLabel: (amount: string, name: string) => `Received: ${amount} of ${name}`,
  receivedNotice: (amount: string, name: string, by: string, at: string) =>
    `${amount} of ${name} received: recorded by ${by}, ${at}.`,
  receivedAlready: 'It was recorded as received before.',
  anonymous: 'Anonymous',
  next: 'Next events',
  nextNone: 'No events are planned.',
  allEvents: 'All events',
  newEvent: 'New event',
  missing: { en: 'No English text', de: 'No German text' },
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  allDay: 'all day',
  checklist: {
    title: 'The next steps',
    event: 'Create your first event',
    campaign: 'Create a campaign',
    phone: 'Put the calendar on your phone',
    people: 'Invite somebody',
    done: 'done',
    hide: 'Hide this list'
  },
  sample: {
    title: 'It is still empty here',
    text: 'Look around with sample content first: events and campaigns of an invented town. You can remove all of it again with one click.',
    action: 'Load sample content',
    made: (count: number) => `${count} events and campaigns are there now. Have a look around.`,
    madeNothing: 'The sample content was there already.'
  },
  search: {
    title: 'Search',
    of: (words: string) => `Search for “${words}”`,
    label: 'Search everything',
    action: 'Search',
    start: 'Events, venues, organizers, campaigns and donations: by a word, a name or a payment reference.',
    startWithout: 'Events, venues, organizers and campaigns: by a word or a name.',
    nothing: 'Nothing was found. Try fewer or other words.',
    more: (count: string) => `Show all ${count}`,
    found: ['result', 'results'] as [string, string]
  }
}

export type DashboardWords = typeof en

const de: DashboardWords = {
  title: 'Übersicht',
  welcome: 'Ihre Website ist eingerichtet, und Sie sind angemeldet. Willkommen!',
  numbers: 'In Zahlen',
  donated: 'Spenden in 30 Tagen',
  donations: ['Spende', 'Spenden'],
  pledges: 'Noch nicht eingegangen',
  pledged: count => `aus ${count}`,
  openCampaigns: 'Laufende Spendenaktionen',
  collected: amount => `bisher ${amount}`,
  upcoming: 'Kommende Termine',
  upcomingHint: 'für Besucher sichtbar',
  nextOn: day => `nächster: ${day}`,
  untranslated: 'Fehlende Übersetzungen',
  untranslatedHint: 'bei kommenden Terminen',
  allTranslated: 'alles ist übersetzt',
  perDay: 'Spenden pro Tag',
  perDayOf: (from, to) => `Spenden pro Tag, ${from} bis ${to}`,
  perDayNone: 'In diesen 30 Tagen gab es keine Spenden.',
  asTable: 'Als Tabelle',
  day: 'Tag',
  amount: 'Betrag',
  waiting: 'Noch nicht eingegangen',
  waitingNone: 'Alle zugesagten Spenden sind eingegangen.',
  allWaiting: 'Alle anzeigen',
  received: 'Eingegangen',
  receivedLabel: (amount, name) => `Eingegangen: ${amount} von ${name}`,
  receivedNotice: (amount, name, by, at) => `${amount} von ${name} eingegangen: verbucht von ${by}, ${at}.`,
  receivedAlready: 'Der Eingang war schon verbucht.',
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
    title: 'Die nächsten Schritte',
    event: 'Den ersten Termin anlegen',
    campaign: 'Eine Spendenaktion anlegen',
    phone: 'Den Kalender aufs Telefon holen',
    people: 'Jemanden einladen',
    done: 'erledigt',
    hide: 'Liste ausblenden'
  },
  sample: {
    title: 'Hier ist noch alles leer',
    text: 'Sehen Sie sich zuerst mit Beispielinhalten um: Termine und Spendenaktionen einer erfundenen Stadt. Mit einem Klick ist alles wieder weg.',
    action: 'Beispielinhalte laden',
    made: count => `${count} Termine und Spendenaktionen sind jetzt da. Sehen Sie sich um.`,
    madeNothing: 'Die Beispielinhalte waren schon da.'
  },
  search: {
    title: 'Suche',
    of: words => `Suche nach „${words}“`,
    label: 'Alles durchsuchen',
    action: 'Suchen',
    start:
      'Termine, Orte, Veranstalter, Spendenaktionen und Spenden: nach einem Wort, einem Namen oder einem Verwendungszweck.',
    startWithout: 'Termine, Orte, Veranstalter und Spendenaktionen: nach einem Wort oder Namen.',
    nothing: 'Nichts gefunden. Versuchen Sie es mit weniger oder anderen Wörtern.',
    more: count => `Alle ${count} anzeigen`,
    found: ['Treffer', 'Treffer']
  }
}

export const dashboardWords: Record<Language, DashboardWords> = { en, de }
