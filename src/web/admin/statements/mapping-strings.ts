import type { TableField } from '#fundraising/payments/statements/parsers/table-fields.ts'
import type { Language } from '#platform/language.ts'

/** Which column of a table is which field of an entry. */
const en = {
  mappingTitle: 'Which column is which?',
  mappingText:
    'The bank calls its columns by names that are not known here. Say at least which is the day and which the amount.',
  mappingFileAgain: 'Please choose the file again: it is too large to be kept in this form.',
  mappingSend: 'Read with these columns',
  leftOut: '– leave out –',
  fields: {
    account: 'Own account (IBAN)',
    bookedOn: 'Day of booking',
    valueOn: 'Value date',
    amount: 'Amount, with a sign',
    debit: 'Amount that went out',
    credit: 'Amount that came in',
    direction: 'Debit or credit',
    currency: 'Currency',
    name: 'Name of the other party',
    payer: 'Name of the payer',
    payee: 'Name of the payee',
    iban: 'IBAN of the other party',
    bic: 'BIC of the other party',
    text: 'Text of the transfer',
    type: 'Kind of booking',
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
  mappingTitle: 'Welche Spalte ist was?',
  mappingText:
    'Die Bank nennt ihre Spalten anders, als hier bekannt ist. Sagen Sie wenigstens, welche der Tag ist und welche der Betrag.',
  mappingFileAgain: 'Bitte wählen Sie die Datei noch einmal aus: Sie ist zu groß, um in diesem Formular zu bleiben.',
  mappingSend: 'Mit diesen Spalten lesen',
  leftOut: '– auslassen –',
  fields: {
    account: 'Eigenes Konto (IBAN)',
    bookedOn: 'Buchungstag',
    valueOn: 'Wertstellung',
    amount: 'Betrag mit Vorzeichen',
    debit: 'Betrag, der abging',
    credit: 'Betrag, der einging',
    direction: 'Soll oder Haben',
    currency: 'Währung',
    name: 'Name der anderen Seite',
    payer: 'Name des Zahlers',
    payee: 'Name des Empfängers',
    iban: 'IBAN der anderen Seite',
    bic: 'BIC der anderen Seite',
    text: 'Verwendungszweck',
    type: 'Art der Buchung',
    endToEndId: 'Ende-zu-Ende-Referenz',
    mandateReference: 'Mandatsreferenz',
    bankReference: 'Referenz der Bank',
    paymentInformationId: 'Sammlerreferenz',
    ordered: 'Ursprungsbetrag einer Lastschrift',
    charges: 'Entgelt einer Rückgabe',
    status: 'Gebucht oder vorgemerkt'
  }
}

export const statementMappingStrings: Record<Language, typeof en> = { en, de }
