import { type Cell, newCsvWriter } from '#platform/csv/csv.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'

/**
 * A CSV template with two sample events to replace. Starts with a byte order mark in both languages, without which
 * Excel misreads umlauts, and uses the separator of the language's spreadsheets.
 */
export function buildCsvTemplate(language: Language): string {
  const { formatHeader, formatRow } = newCsvWriter(language)
  const [names = [], ...events] = pickByLanguage(rows, language)
  return `\ufeff${formatHeader(names.map(String)).replace('\ufeff', '')}${events.map(formatRow).join('')}`
}

const rows: Record<Language, Cell[][]> = {
  en: [
    [
      ...['ID', 'Title', 'Title (de)', 'Start date', 'Start time', 'End date', 'End time', 'All day', 'Time zone'],
      ...['Description', 'Description (de)', 'Venue', 'Venue address', 'Venue zip', 'Venue city', 'Venue country'],
      ...['Organizer', 'Organizer email', 'Categories', 'Tags', 'Cost', 'Website', 'Image', 'Status']
    ],
    [
      ...['1', 'Summer concert', 'Sommerkonzert', '2027-06-19', '19:30', '2027-06-19', '22:00', 'no', 'Europe/Berlin'],
      ...[
        'Bring a blanket.',
        'Bringt eine Decke mit.',
        'Town Hall',
        'Main Street 1',
        '12345',
        'Springfield',
        'Germany'
      ],
      ...[
        'Music Society',
        'music@example.org',
        'Music, Outdoors',
        'family',
        '12 €',
        'https://example.org',
        '',
        'scheduled'
      ]
    ],
    [
      ...['2', 'Open day', 'Tag der offenen Tür', '2027-09-25', '', '2027-09-26', '', 'yes', ''],
      ...['', '', 'Town Hall', 'Main Street 1', '12345', 'Springfield', 'Germany', '', '', '', '', '', '', '', '']
    ]
  ],
  de: [
    [
      ...['ID', 'Titel', 'Titel (en)', 'Startdatum', 'Startzeit', 'Enddatum', 'Endzeit', 'Ganztägig', 'Zeitzone'],
      ...['Beschreibung', 'Beschreibung (en)', 'Veranstaltungsort', 'Adresse', 'PLZ', 'Stadt', 'Land'],
      ...['Veranstalter', 'Veranstalter E-Mail', 'Kategorien', 'Schlagwörter', 'Preis', 'Website', 'Bild', 'Status']
    ],
    [
      ...[
        '1',
        'Sommerkonzert',
        'Summer concert',
        '19.06.2027',
        '19:30',
        '19.06.2027',
        '22:00',
        'nein',
        'Europe/Berlin'
      ],
      ...[
        'Bringt eine Decke mit.',
        'Bring a blanket.',
        'Bürgerhaus',
        'Hauptstraße 1',
        '12345',
        'Musterstadt',
        'Deutschland'
      ],
      ...['Musikverein', 'musik@example.org', 'Musik, Draußen', 'Familie', '12 €', 'https://example.org', '', 'geplant']
    ],
    [
      ...['2', 'Tag der offenen Tür', 'Open day', '25.09.2027', '', '26.09.2027', '', 'ja', ''],
      ...['', '', 'Bürgerhaus', 'Hauptstraße 1', '12345', 'Musterstadt', 'Deutschland', '', '', '', '', '', '', '', '']
    ]
  ]
}
