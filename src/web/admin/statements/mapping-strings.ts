import type { TableField } from '#fundraising/payments/statements/parsers/table-fields.ts'
import type { Language } from '#platform/language.ts'

/** Which column of a table is which field of an entry. */
const en = {
  mappingTitle: 'Map the columns',
  mappingText: 'The column names of this file were not recognised. Map at least the date and the amount.',
  mappingFileAgain: 'Please choose the file again: it is too large to be kept in this form.',
  mappingSend: 'Import with this mapping',
  leftOut: '– do not import –',
  fields: {
    account: 'Own account (IBAN)',
    bookedOn: 'Booking date',
    valueOn: 'Value date',
    amount: 'Amount, with a sign',
    debit: 'Debit amount',
    credit: 'Credit amount',
    direction: 'Debit or credit',
    currency: 'Currency',
    name: 'Name of the other party',
    payer: 'Name of the payer',
    payee: 'Name of the payee',
    iban: 'IBAN of the other party',
    bic: 'BIC of the other party',
    text: 'Remittance text',
    type: 'Booking type',
    endToEndId: 'End-to-end reference',
    mandateReference: 'Mandate reference',
    bankReference: 'Reference of the bank',
    paymentInformationId: 'Batch reference',
    ordered: 'Original amount of a debit',
    charges: 'Charges of a return',
    status: 'Booked or pending'
  } satisfies Record<TableField, string>
}

const de: typeof en = {
  mappingTitle: 'Spalten zuordnen',
  mappingText: 'Die Spaltennamen dieser Datei wurden nicht erkannt. Ordnen Sie mindestens Tag und Betrag zu.',
  mappingFileAgain: 'Bitte wählen Sie die Datei noch einmal aus: Sie ist zu groß, um in diesem Formular zu bleiben.',
  mappingSend: 'Mit dieser Zuordnung importieren',
  leftOut: '– nicht importieren –',
  fields: {
    account: 'Eigenes Konto (IBAN)',
    bookedOn: 'Buchungstag',
    valueOn: 'Wertstellung',
    amount: 'Betrag mit Vorzeichen',
    debit: 'Soll (Ausgang)',
    credit: 'Haben (Eingang)',
    direction: 'Soll oder Haben',
    currency: 'Währung',
    name: 'Auftraggeber/Empfänger',
    payer: 'Name des Zahlers',
    payee: 'Name des Empfängers',
    iban: 'IBAN Auftraggeber/Empfänger',
    bic: 'BIC Auftraggeber/Empfänger',
    text: 'Verwendungszweck',
    type: 'Buchungstext',
    endToEndId: 'Ende-zu-Ende-Referenz',
    mandateReference: 'Mandatsreferenz',
    bankReference: 'Referenz der Bank',
    paymentInformationId: 'Sammlerreferenz',
    ordered: 'Ursprungsbetrag einer Lastschrift',
    charges: 'Entgelt einer Rücklastschrift',
    status: 'Gebucht oder vorgemerkt'
  }
}

export const statementMappingStrings: Record<Language, typeof en> = { en, de }
