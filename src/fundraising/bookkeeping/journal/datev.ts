import { neutralizeFormula } from '#platform/csv/csv.ts'
import type { Bookkeeping } from '../schema.ts'
import type { JournalRow } from './queries.ts'
import { cashAccount } from './schema.ts'

/** No program imports more lines in one file. */
export const datevLinesMax = 99_999

const repeat = (count: number, names: (number: number) => string[]) =>
  Array.from({ length: count }, (_, index) => names(index + 1)).flat()

/** The columns of a batch of bookings (category 21, format version 13), in the order that DATEV prescribes. */
export const datevColumns = [
  'Umsatz (ohne Soll/Haben-Kz)',
  'Soll/Haben-Kennzeichen',
  'WKZ Umsatz',
  'Kurs',
  'Basis-Umsatz',
  'WKZ Basis-Umsatz',
  'Konto',
  'Gegenkonto (ohne BU-Schlüssel)',
  'BU-Schlüssel',
  'Belegdatum',
  'Belegfeld 1',
  'Belegfeld 2',
  'Skonto',
  'Buchungstext',
  'Postensperre',
  'Diverse Adressnummer',
  'Geschäftspartnerbank',
  'Sachverhalt',
  'Zinssperre',
  'Beleglink',
  ...repeat(8, number => [`Beleginfo - Art ${number}`, `Beleginfo - Inhalt ${number}`]),
  'KOST1 - Kostenstelle',
  'KOST2 - Kostenstelle',
  'Kost-Menge',
  'EU-Land u. UStID (Bestimmung)',
  'EU-Steuersatz (Bestimmung)',
  'Abw. Versteuerungsart',
  'Sachverhalt L+L',
  'Funktionsergänzung L+L',
  'BU 49 Hauptfunktionstyp',
  'BU 49 Hauptfunktionsnummer',
  'BU 49 Funktionsergänzung',
  ...repeat(20, number => [`Zusatzinformation - Art ${number}`, `Zusatzinformation- Inhalt ${number}`]),
  'Stück',
  'Gewicht',
  'Zahlweise',
  'Forderungsart',
  'Veranlagungsjahr',
  'Zugeordnete Fälligkeit',
  'Skontotyp',
  'Auftragsnummer',
  'Buchungstyp',
  'USt-Schlüssel (Anzahlungen)',
  'EU-Land (Anzahlungen)',
  'Sachverhalt L+L (Anzahlungen)',
  'EU-Steuersatz (Anzahlungen)',
  'Erlöskonto (Anzahlungen)',
  'Herkunft-Kz',
  'Buchungs GUID',
  'KOST-Datum',
  'SEPA-Mandatsreferenz',
  'Skontosperre',
  'Gesellschaftername',
  'Beteiligtennummer',
  'Identifikationsnummer',
  'Zeichnernummer',
  'Postensperre bis',
  'Bezeichnung SoBil-Sachverhalt',
  'Kennzeichen SoBil-Buchung',
  'Festschreibung',
  'Leistungsdatum',
  'Datum Zuord. Steuerperiode',
  'Fälligkeit',
  'Generalumkehr (GU)',
  'Steuersatz',
  'Land',
  'Abrechnungsreferenz',
  'BVV-Position',
  'EU-Land u. UStID (Ursprung)',
  'EU-Steuersatz (Ursprung)',
  'Abw. Skontokonto'
]

const columnIndex = new Map(datevColumns.map((name, place) => [name, place]))

interface Batch {
  year: number
  accountLength: number
  now: Date
}

/** The first two lines: file metadata and column names. UTF-8 needs the byte order mark in front. */
export function buildDatevHead(settings: Bookkeeping, { year, accountLength, now }: Batch): string {
  const first = [
    ...[quote('EXTF'), '700', '21', quote('Buchungsstapel'), '13'],
    now.toISOString().replace(/\D/g, '').slice(0, 17),
    ...['', quote('RE'), quote('Kalends'), quote('')],
    settings.consultantNumber,
    settings.clientNumber,
    ...[`${year}0101`, accountLength, `${year}0101`, `${year}1231`],
    ...[quote(`Spenden ${year}`), quote(''), '1', '0', '0', quote('EUR')],
    ...['', quote(''), '', '', quote('49'), '', '', quote(''), quote('')]
  ]
  return `\ufeff${first.join(';')}\r\n${datevColumns.join(';')}\r\n`
}

/** A payment as a booking: money accounts are debited for incoming money and credited for returned money. */
export function buildDatevLine(settings: Bookkeeping, row: JournalRow): string {
  const cells = datevColumns.map(() => '')
  const set = (column: string, value: string) => {
    const place = columnIndex.get(column)
    if (place === undefined) throw new Error(`DATEV has no column ${column}.`)
    cells[place] = value
  }
  const [, month = '', day = ''] = row.receivedOn.split('-')
  set('Umsatz (ohne Soll/Haben-Kz)', (Math.abs(row.amountCents) / 100).toFixed(2).replace('.', ','))
  set('Soll/Haben-Kennzeichen', quote(row.amountCents > 0 ? 'S' : 'H'))
  set('WKZ Umsatz', quote(row.currency))
  set('Konto', getMoneyAccount(settings, row))
  set('Gegenkonto (ohne BU-Schlüssel)', getIncomeAccount(settings, row))
  set('Belegdatum', `${day}${month}`)
  set('Belegfeld 1', quote(row.reference))
  set('Buchungstext', quote(truncate(neutralizeFormula(`${row.donorName ?? ''} ${row.campaignName}`.trim()), 60)))
  if (row.receiptNumber !== null) {
    set('Beleginfo - Art 1', quote('Zuwendungsbestätigung'))
    set('Beleginfo - Inhalt 1', quote(row.receiptNumber))
  }
  set('Festschreibung', '0')
  return `${cells.join(';')}\r\n`
}

function getMoneyAccount(settings: Bookkeeping, row: JournalRow): string {
  if (row.account === cashAccount) return settings.cash
  return settings.bankAccounts.find(({ iban }) => iban === row.account)?.account ?? settings.bank
}

function getIncomeAccount(settings: Bookkeeping, row: JournalRow): string {
  if (row.kind === 'membership_fee') return settings.membershipFees
  return row.receiptNumber === null ? settings.donationsWithoutReceipt : settings.donationsWithReceipt
}

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Collapses the text to one line and cuts it to the column's maximum length. */
function truncate(text: string, most: number): string {
  return [...text.replace(/[\p{Cc}\s]+/gu, ' ').trim()].slice(0, most).join('')
}
