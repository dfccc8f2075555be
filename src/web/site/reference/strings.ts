import type { Language } from '#platform/language.ts'
import { formatNumber } from '../../format/format.ts'

const en = {
  title: 'API',
  description: 'The REST API of this site: campaigns, donations and the events calendar.',
  lead: 'Two REST APIs (JSON): read everything public without a key, write with an API key.',
  start: 'Overview',
  contents: 'Contents',
  operations: 'Operations',
  groupTitle: (name: string) => `API: ${name}`,
  services: { campaigns: 'Donations', calendar: 'Calendar', platform: 'Site and access' } as Record<string, string>,
  /** Names and descriptions of groups, by key, where they differ from the English ones of the documents. */
  groups: {} as Record<string, [name: string, description: string]>,
  anybody: 'Public; no key needed.',
  needsKey: 'Requires a key with one of these roles:',
  sameBy: (methods: string[]) => `${methods.join(' and ')} ${methods.length === 1 ? 'does' : 'do'} the same.`,
  parameters: 'Parameters',
  body: 'Body',
  further: 'Also',
  columns: { name: 'Name and type', meaning: 'Meaning' },
  required: 'required',
  places: { path: 'in the path', query: '', header: 'header', body: '' },
  answer: 'Response',
  noContent: 'without content',
  fileOf: (type: string) => `a document of the type ${type}`,
  asAbove: 'the same as under',
  oneOfList: 'one like those in the list under',
  fieldsAs: 'the fields are those of',
  allRequired: (names: string[]) =>
    names.length === 0 ? 'none of them is required.' : `required: ${names.join(', ')}.`,
  copyLine: 'Copy this line',
  copyAnswer: 'Copy this response',
  refusals: 'Errors are described in the overview.',
  rules: {
    length: (min: number | undefined, max: number | undefined) => between('en', min, max, 'characters'),
    items: (min: number | undefined, max: number | undefined) => between('en', min, max, 'entries'),
    range: (min: number | undefined, max: number | undefined) => between('en', min, max, ''),
    oneOf: 'One of',
    default: 'Default:',
    format: 'Format'
  },
  atLeast: 'at least',
  atMost: 'at most',
  to: 'to'
}

export type ReferenceStrings = typeof en

const de: ReferenceStrings = {
  title: 'API',
  description: 'Die REST-API dieser Website: Spendenaktionen, Spenden und Terminkalender.',
  lead: 'Zwei REST-APIs (JSON): öffentliche Daten ohne Schlüssel lesen, mit API-Schlüssel schreiben.',
  start: 'Überblick',
  contents: 'Inhalt',
  operations: 'Operationen',
  groupTitle: name => `API: ${name}`,
  services: { campaigns: 'Spenden', calendar: 'Kalender', platform: 'Website und Zugang' },
  groups: {
    campaigns: ['Spendenaktionen', 'Spendenaktionen mit Zielen und Summen.'],
    donations: ['Spenden', 'Spenden an eine Spendenaktion, Zahlungen und Status.'],
    'own-donation': ['Eigene Spende', 'Spenden ansehen und ändern mit dem Token der Spenderin oder des Spenders.'],
    'all-donations': [
      'Alle Spenden',
      'Spenden an alle Spendenaktionen: Listen, Summen und Änderungen an mehreren auf einmal.'
    ],
    'updates-and-news': ['Neuigkeiten', 'Neuigkeiten einer Spendenaktion, und wer sie per E-Mail bekommt.'],
    presentation: [
      'Darstellung',
      'Wer für Spendenaktionen verantwortlich ist, ihre Termine, und die Namen, denen gedankt wird.'
    ],
    'annual-letters': ['Jahresbriefe', 'Dankesbriefe für ein Jahr an Spenderinnen und Spender, und ihre Texte.'],
    donors: [
      'Spenderinnen und Spender',
      'Spenderinnen und Spender mit Spenden und Notizen; doppelte zusammenführen; Personendaten exportieren und löschen (DSGVO).'
    ],
    bookkeeping: ['Buchführung', 'Die Zahlungen eines Jahres, für die Buchführung und für DATEV.'],
    'bank-statements': ['Kontoauszüge', 'Kontoauszüge importieren und ihre Umsätze Spenden zuordnen.'],
    'girocodes-and-ibans': ['GiroCodes und IBANs', 'QR-Codes für Überweisungen und Prüfung von IBANs.'],
    'direct-debit': ['Lastschriften', 'SEPA-Lastschriftmandate und Lastschrifteinzüge.'],
    receipts: ['Zuwendungsbestätigungen', 'Zuwendungsbestätigungen, einzeln und für ein ganzes Jahr.'],
    organisation: ['Organisation', 'Rechtliche Angaben, die Bestätigungen und Lastschriften brauchen.'],
    'account-changes': [
      'Kontoänderungen',
      'Änderungen der Spendenkonten, und Änderungen, die auf eine zweite Person warten.'
    ],
    events: ['Termine', 'Termine mit Zeit, Veranstaltungsort und Veranstaltern.'],
    'versions-and-bulk-actions': [
      'Versionen und Sammelaktionen',
      'Frühere Versionen eines Termins, und Aktionen für mehrere Termine, die rückgängig gemacht werden können.'
    ],
    series: ['Reihen', 'Termine, die sich wiederholen: die Regel einer Reihe, und alle ihre Termine auf einmal.'],
    feeds: ['Tage und Feeds', 'iCalendar-Feeds und Termine nach Tagen.'],
    venues: ['Veranstaltungsorte', 'Veranstaltungsorte von Terminen.'],
    organizers: ['Veranstalter', 'Veranstalter von Terminen.'],
    categories: ['Kategorien', 'Hierarchische Kategorien von Terminen.'],
    tags: ['Schlagwörter', 'Schlagwörter von Terminen.'],
    'images-and-files': [
      'Bilder und Dateien',
      'Bilder für Termine, Veranstaltungsorte und Veranstalter, und Dokumente, auf die Texte verweisen.'
    ],
    imports: ['Importe', 'Importe aus anderen Websites, iCalendar und CSV, mit Prüflauf und Rückgängigmachen.'],
    subscriptions: ['Abonnierte Kalender', 'Kalender anderer Websites, die regelmäßig abgerufen werden.'],
    suggestions: [
      'Vorschläge',
      'Termine, die Besucherinnen und Besucher vorschlagen, und die Liste für die Redaktion.'
    ],
    exports: ['Exporte', 'Alle Einträge einer Art als CSV oder JSON Lines.'],
    discovery: ['Discovery', 'Discovery für Clients von The Events Calendar.'],
    site: ['Website', 'Name, Texte und Einstellungen dieser Website, der erste Start und Beispielinhalte.'],
    users: [
      'Benutzer',
      'Zugänge, Einladungen und das Zurücksetzen von Passwörtern. Operationen am eigenen Zugang brauchen ein Sitzungstoken statt eines API-Schlüssels.'
    ],
    'sign-in': ['Anmeldung', 'Sitzungen, mit Passwort, Passkey oder über einen Anbieter.'],
    'second-factors': [
      'Zweite Faktoren',
      'Authenticator-Apps, Passkeys und Wiederherstellungscodes, und welche Rollen einen brauchen.'
    ],
    'webhooks-and-stream': ['Webhooks und Stream', 'Webhooks und Server-sent Events.'],
    'keys-and-activity': ['Schlüssel und Protokoll', 'API-Schlüssel und das Protokoll.'],
    backups: ['Sicherungen', 'Sicherungen erstellen, herunterladen und wiederherstellen.'],
    operation: ['Betrieb', 'Health Checks, Metriken und die OpenAPI-Dokumente.']
  },
  anybody: 'Öffentlich; kein Schlüssel nötig.',
  needsKey: 'Braucht einen Schlüssel mit einer dieser Rollen:',
  sameBy: methods => `${methods.join(' und ')} ${methods.length === 1 ? 'bewirkt' : 'bewirken'} dasselbe.`,
  parameters: 'Parameter',
  body: 'Inhalt der Anfrage',
  further: 'Außerdem',
  columns: { name: 'Name und Typ', meaning: 'Bedeutung' },
  required: 'erforderlich',
  places: { path: 'im Pfad', query: '', header: 'Kopfzeile', body: '' },
  answer: 'Antwort',
  noContent: 'ohne Inhalt',
  fileOf: type => `ein Dokument vom Typ ${type}`,
  asAbove: 'dasselbe wie unter',
  oneOfList: 'wie ein Eintrag der Liste unter',
  fieldsAs: 'dieselben Felder wie unter',
  allRequired: names => (names.length === 0 ? 'keines davon ist erforderlich.' : `erforderlich: ${names.join(', ')}.`),
  copyLine: 'Diese Zeile kopieren',
  copyAnswer: 'Diese Antwort kopieren',
  refusals: 'Fehler sind im Überblick beschrieben.',
  rules: {
    length: (min, max) => between('de', min, max, 'Zeichen'),
    items: (min, max) => between('de', min, max, 'Einträge'),
    range: (min, max) => between('de', min, max, ''),
    oneOf: 'Eines von',
    default: 'Standard:',
    format: 'Format'
  },
  atLeast: 'mindestens',
  atMost: 'höchstens',
  to: 'bis'
}

export const referenceStrings: Record<Language, ReferenceStrings> = { en, de }

/** At least 1, at most 200, 1 to 200. */
function between(language: Language, min: number | undefined, max: number | undefined, unit: string): string {
  const { atLeast, atMost, to } = referenceStrings[language]
  const shown = (value: number) => formatNumber(language, value)
  const parts =
    min !== undefined && max !== undefined
      ? [shown(min), to, shown(max)]
      : min !== undefined
        ? [atLeast, shown(min)]
        : [atMost, shown(max ?? 0)]
  return [...parts, unit].filter(part => part !== '').join(' ')
}
