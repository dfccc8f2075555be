/** The fields of a bank's table, with the column names that German and other banks use. */
const names = {
  account: `auftragskonto, iban auftragskonto, iban auftraggeberkonto, iban kontoinhaber, account, account number, own iban, konto`,
  bookedOn: `buchungstag, buchungsdatum, buchung, datum, booking date, date, transaction date, buchungstag datum, posting date,
    booked on, completed date, date completed utc`,
  valueOn: `valuta, valutadatum, wertstellung, wertstellungsdatum, wertstellungstag, wertstellung valuta, wert, value date, valued on`,
  amount: `betrag, betrag in eur, betrag eur, betrag €, umsatz, umsatz in eur, umsatz eur, amount, amount eur, betrag in €, buchungsbetrag,
    transaction amount`,
  debit: `soll, belastung, ausgang, debit, debit amount, paid out, ausgaben`,
  credit: `haben, gutschrift, eingang, credit, credit amount, paid in, einnahmen`,
  direction: `soll haben, soll haben kennzeichen, s h, sh, s h kennzeichen, debit credit, credit debit, haben soll, umsatzart soll haben`,
  currency: `währung, waehrung, currency, währung betrag`,
  name: `beguenstigter zahlungspflichtiger, begünstigter zahlungspflichtiger, auftraggeber begünstigter, auftraggeber empfänger,
    auftraggeber empfaenger, empfänger auftraggeber, begünstigter auftraggeber, beguenstigter auftraggeber, name zahlungsbeteiligter,
    name, partner name, counterpart, counterparty, counterpart name, empfänger zahlungspflichtiger, sender empfänger, sender empfaenger,
    empfaenger 1, payer payee, zahlungsbeteiligter, name des partners, auftraggeber, payer name`,
  payer: `zahlungspflichtige r, zahlungspflichtiger, payer, sender`,
  payee: `zahlungsempfänger in, zahlungsempfänger, zahlungsempfaenger, empfänger, empfaenger, payee, recipient`,
  iban: `iban, kontonummer iban, iban kontonummer, iban konto nr, iban zahlungsbeteiligter, partner iban, kontonummer, konto nr,
    counterpart iban, iban des partners, counterparty iban, account of the counterpart`,
  bic: `bic, bic swift code, bic swift code zahlungsbeteiligter, bic zahlungsbeteiligter, bic blz, partner bic, counterpart bic, blz bic, blz`,
  text: `verwendungszweck, vorgang verwendungszweck, payment reference, purpose, remittance information, remittance, description,
    details, text, zahlungsreferenz, reference text, memo, payment details, reference`,
  type: `buchungstext, umsatzart, umsatztyp, vorgang, type, transaction type, booking text`,
  endToEndId: `kundenreferenz end to end, kundenreferenz, end to end id, end to end referenz, end to end reference, e2e id, customer reference,
    endtoendid`,
  mandateReference: 'mandatsreferenz, mandate reference, mandat, mandate id, mandate',
  paymentInformationId: 'sammlerreferenz, batch reference',
  bankReference:
    'bankreferenz, transaktions id, transaction id, buchungs id, umsatz id, bank reference, referenznummer',
  ordered: 'lastschrift ursprungsbetrag, ursprungsbetrag',
  charges: 'auslagenersatz ruecklastschrift, auslagenersatz rücklastschrift, fremde gebühren, entgelt, charges, fee',
  status: 'status, info, state, buchungsstatus'
}

export type TableField = keyof typeof names

/** The field names allowed in a mapping. */
export const tableFields = Object.keys(names) as TableField[]

interface Known {
  field: TableField
  /** If several columns match one field, the name that comes first in the list wins. */
  rank: number
}

const fieldsByName = new Map<string, Known>(
  Object.entries(names).flatMap(([field, list]) =>
    list.split(',').map((name, rank): [string, Known] => [normalizeName(name), { field: field as TableField, rank }])
  )
)

export function isTableField(name: string): name is TableField {
  return Object.hasOwn(names, name)
}

/** The field of each column by its name; undefined for unknown columns. */
export function guessFields(columns: string[]): (TableField | undefined)[] {
  const found = useBookingText(
    columns,
    columns.map((column, place) => fieldsByName.get(normalizeName(column)) ?? detectUnnamedDirection(columns, place))
  )
  const best = new Map<TableField, Known>()
  for (const known of found) {
    const other = known === undefined ? undefined : best.get(known.field)
    if (known !== undefined && (other === undefined || known.rank < other.rank)) best.set(known.field, known)
  }
  const taken = new Set<TableField>()
  const fields = found.map(known => {
    if (known === undefined || best.get(known.field)?.rank !== known.rank || taken.has(known.field)) return undefined
    taken.add(known.field)
    return known.field
  })
  // Without a text column, the booking type column contains the text.
  return taken.has('text') ? fields : fields.map(field => (field === 'type' ? 'text' : field))
}

/** Commerzbank has a separate booking type column, and the text in the column that other banks use for the type. */
function useBookingText(columns: string[], found: (Known | undefined)[]): (Known | undefined)[] {
  const names = columns.map(normalizeName)
  const hasText = found.some(known => known?.field === 'text')
  if (hasText || !names.includes('umsatzart') || !names.includes('buchungstext')) return found
  return found.map((known, place) => (names[place] === 'buchungstext' ? { field: 'text', rank: 0 } : known))
}

/** Some banks leave the header of the debit/credit column empty. */
function detectUnnamedDirection(columns: string[], place: number): Known | undefined {
  const isNameless = (columns[place] ?? '') === '' && place > 0
  const isBeside = isNameless && fieldsByName.get(normalizeName(columns[place - 1] ?? ''))?.field === 'amount'
  return isBeside ? { field: 'direction', rank: 0 } : undefined
}

/** A statement needs at least a day and an amount. */
export function hasRequiredFields(fields: (TableField | undefined)[]): boolean {
  const has = (field: TableField) => fields.includes(field)
  return (has('bookedOn') || has('valueOn')) && (has('amount') || has('credit') || has('debit'))
}

/** Lower-case letters and digits, with one space between words. */
function normalizeName(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}€]+/gu, ' ')
    .trim()
}
