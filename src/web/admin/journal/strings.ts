import type { Language } from '#platform/language.ts'

/** Journal of payments and refunds, for bookkeeping. */
const en = {
  title: 'Journal',
  lead: 'Every payment with its day, amount and account, for the bookkeeping and the tax adviser.',
  year: 'Year',
  show: 'Show',
  accounts: 'Payments by account',
  account: 'Account',
  cash: 'Cash',
  noAccount: 'Gifts in kind and waived expenses',
  count: 'Payments',
  received: 'Received',
  returned: 'Refunded',
  balance: 'Balance',
  file: 'Table',
  csv: 'CSV',
  csvOf: (account: string) => `Journal of ${account} as CSV`,
  none: (year: string) => `No payments in ${year}.`,
  all: (year: string) => `The whole year ${year}`,
  allHint:
    'With day, received and pledged amount, payment, name and address, campaign, account and receipt number; for Excel and LibreOffice.',
  download: 'Download the journal (CSV)',
  datev: 'Download for DATEV',
  datevTitle: 'DATEV',
  datevHint:
    'A batch of bookings (EXTF) that DATEV and most bookkeeping programs import. The accounts are those of SKR 49 unless you change them; ask your tax adviser which ones you use.',
  consultantNumber: 'Consultant number (Beraternummer)',
  clientNumber: 'Client number (Mandantennummer)',
  bank: 'Bank',
  cashAccount: 'Cash',
  donationsWithReceipt: 'Donations with a receipt',
  donationsWithoutReceipt: 'Donations without a receipt',
  membershipFees: 'Membership fees',
  ownAccount: (iban: string) => `Bank account ${iban}`,
  ownAccountHint: 'Empty: as Bank.',
  save: 'Save the accounts',
  saved: 'Accounts saved.',
  conflict: 'Another user changed the accounts in the meantime. Review them, then save again.',
  mend: 'Please correct this'
}

export type JournalStrings = typeof en

const de: JournalStrings = {
  title: 'Journal',
  lead: 'Jede Zahlung mit Tag, Betrag und Konto, für die Buchführung und die Steuerberatung.',
  year: 'Jahr',
  show: 'Anzeigen',
  accounts: 'Zahlungen nach Konto',
  account: 'Konto',
  cash: 'Kasse',
  noAccount: 'Sachspenden und Aufwandsverzicht',
  count: 'Zahlungen',
  received: 'Eingegangen',
  returned: 'Zurückgezahlt',
  balance: 'Saldo',
  file: 'Tabelle',
  csv: 'CSV',
  csvOf: account => `Journal von ${account} als CSV`,
  none: year => `Keine Zahlungen im Jahr ${year}.`,
  all: year => `Das ganze Jahr ${year}`,
  allHint:
    'Mit Tag, eingegangenem und zugesagtem Betrag, Zahlungsart, Name und Anschrift, Spendenaktion, Konto und Nummer der Zuwendungsbestätigung; für Excel und LibreOffice.',
  download: 'Journal herunterladen (CSV)',
  datev: 'Für DATEV herunterladen',
  datevTitle: 'DATEV',
  datevHint:
    'Ein Buchungsstapel (EXTF), den DATEV und die meisten Buchhaltungsprogramme einlesen. Die Konten sind die des SKR 49, wenn Sie sie nicht ändern; welche Sie verwenden, weiß Ihre Steuerberatung.',
  consultantNumber: 'Beraternummer',
  clientNumber: 'Mandantennummer',
  bank: 'Bank',
  cashAccount: 'Kasse',
  donationsWithReceipt: 'Spenden mit Zuwendungsbestätigung',
  donationsWithoutReceipt: 'Spenden ohne Zuwendungsbestätigung',
  membershipFees: 'Mitgliedsbeiträge',
  ownAccount: iban => `Bankkonto ${iban}`,
  ownAccountHint: 'Leer: wie Bank.',
  save: 'Konten speichern',
  saved: 'Konten gespeichert.',
  conflict: 'Die Konten wurden inzwischen geändert. Prüfen Sie sie und speichern Sie dann erneut.',
  mend: 'Bitte korrigieren Sie das'
}

export const journalStrings: Record<Language, JournalStrings> = { en, de }
