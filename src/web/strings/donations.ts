import type { Language } from '#platform/language.ts'
import { endSentence } from '#platform/sentence.ts'
import { donationPageStrings } from './donation-page.ts'

/** Donations in the console, and amount fields. */
const en = {
  page: donationPageStrings.en,
  statuses: {
    IN_PROCESS: 'Pending',
    TRANSFERRED: 'Received',
    CANCELLED: 'Cancelled',
    FAILED: 'Failed',
    REFUNDED: 'Refunded'
  },
  /** Labels of buttons that change a donation's status. */
  steps: {
    IN_PROCESS: 'Mark as pending',
    TRANSFERRED: 'Mark as received',
    CANCELLED: 'Cancel',
    FAILED: 'Mark as failed',
    REFUNDED: 'Mark as refunded'
  },
  stepOf: (step: string, amount: string, name: string, reference: string) =>
    `${step}: ${amount} from ${name}, ${reference}`,
  moved: {
    IN_PROCESS: (count: string) => `${count} pending`,
    TRANSFERRED: (count: string) => `${count} received`,
    CANCELLED: (count: string) => `${count} cancelled`,
    FAILED: (count: string) => `${count} failed`,
    REFUNDED: (count: string) => `${count} refunded`
  },
  /** Donations that could not be changed, by their status. */
  already: {
    IN_PROCESS: ['is still pending', 'are still pending'],
    TRANSFERRED: ['was already received', 'were already received'],
    CANCELLED: ['was already cancelled', 'were already cancelled'],
    FAILED: ['had already failed', 'had already failed'],
    REFUNDED: ['was already refunded', 'were already refunded'],
    gone: ['cannot be changed', 'cannot be changed']
  } as Record<string, [string, string]>,
  movedOne: (status: string, amount: string, name: string, reference: string) =>
    `${status}: ${amount} from ${name} (${reference}).`,
  chooseSome: 'Nothing was changed: no donation was selected.',
  anonymous: 'No name',

  list: {
    caption: 'Donations',
    record: 'Record a donation',
    totals: 'Sums of the donations shown below',
    donated: 'Pledged',
    received: 'Received',
    waiting: 'Outstanding',
    receivedInPart: (amount: string) => `${amount} of it for pending donations`,
    lost: 'Cancelled, failed or refunded',
    donations: ['donation', 'donations'] as [string, string],
    search: 'Name, reference, email, amount, IBAN',
    campaign: 'Campaign',
    status: 'Status',
    from: 'From',
    to: 'Until',
    receipt: 'Donation receipt',
    receiptShort: 'wants receipt',
    receiptYes: 'Wanted',
    receiptNo: 'Not wanted',
    min: 'Pledged from',
    max: 'Pledged up to',
    more: 'More filters',
    made: 'Reference, time',
    donor: 'Donor, campaign',
    step: 'Next step',
    cash: 'No account given',
    tick: (reference: string, name: string, amount: string) => `Select ${reference}, ${name}, ${amount}`,
    tickAll: 'Select all donations on this page',
    tickColumn: 'Select',
    withTicked: 'Selected donations:',
    bulkDay: 'Received on',
    campaignDeleted: 'Campaign deleted',
    unknownCampaign: (id: string) => `Campaign ${id}`,
    empty: 'No donations match these filters.',
    emptyAll: 'No donations yet.',
    pastEnd: 'This page is empty.',
    toStart: 'First page'
  },
  wrong: {
    amountMissing: 'Please enter an amount.',
    amountForm: (typed: string, example: string) =>
      `“${typed}” is not an amount. Please use digits, such as ${example}.`,
    amountAmbiguous: (typed: string, large: string, small: string) =>
      `“${typed}” can mean two amounts. Please type ${large} or ${small}.`,
    amountDecimals: (typed: string) => `“${typed}” has too many decimals: an amount has at most two.`,
    amountLarge: (typed: string) => `“${typed}” is too large: at most 999,999,999.99 is possible.`,
    amountZero: 'The amount must be more than 0.',
    date: 'This is not a date.',
    time: 'This is not a time of day.',
    timeWithoutDate: 'A time needs a date.',
    dateInFuture: 'The day must not be in the future.'
  },

  record: {
    title: 'Record a donation',
    lead: 'For money that has already been received: cash from the box, or a transfer that you have seen on the account. It counts as received at once.',
    campaign: 'Campaign',
    choose: 'Please choose',
    campaignMissing: 'Please choose a campaign.',
    amount: 'Amount',
    amountHint: (currency: string) => `In ${currency}.`,
    name: 'Donor',
    nameHint: 'The name of the donor, or a description such as “Collection box, summer fair”.',
    nameMissing: 'Please enter the donor.',
    how: 'Payment method',
    cash: 'Cash',
    transfer: 'Bank transfer',
    date: 'Received on',
    dateHint: 'This day counts in sums and on the donation receipt.',
    receipt: 'Email, postal address and receipt (optional)',
    note: 'Note (optional)',
    submit: 'Record',
    done: (amount: string, name: string) => endSentence(`Recorded: ${amount} from ${name}`),
    noCampaign: 'No campaign accepts donations at the moment. Open one first.',
    toCampaigns: 'To the campaigns'
  }
}

export type DonationStrings = typeof en

const de: DonationStrings = {
  page: donationPageStrings.de,
  statuses: {
    IN_PROCESS: 'Zugesagt',
    TRANSFERRED: 'Eingegangen',
    CANCELLED: 'Storniert',
    FAILED: 'Fehlgeschlagen',
    REFUNDED: 'Erstattet'
  },
  steps: {
    IN_PROCESS: 'Als zugesagt buchen',
    TRANSFERRED: 'Als eingegangen buchen',
    CANCELLED: 'Stornieren',
    FAILED: 'Als fehlgeschlagen buchen',
    REFUNDED: 'Als erstattet buchen'
  },
  stepOf: (step, amount, name, reference) => `${step}: ${amount} von ${name}, ${reference}`,
  moved: {
    IN_PROCESS: count => `${count} zugesagt`,
    TRANSFERRED: count => `${count} eingegangen`,
    CANCELLED: count => `${count} storniert`,
    FAILED: count => `${count} fehlgeschlagen`,
    REFUNDED: count => `${count} erstattet`
  },
  already: {
    IN_PROCESS: ['ist noch zugesagt', 'sind noch zugesagt'],
    TRANSFERRED: ['war schon eingegangen', 'waren schon eingegangen'],
    CANCELLED: ['war schon storniert', 'waren schon storniert'],
    FAILED: ['war schon fehlgeschlagen', 'waren schon fehlgeschlagen'],
    REFUNDED: ['war schon erstattet', 'waren schon erstattet'],
    gone: ['kann nicht geändert werden', 'können nicht geändert werden']
  },
  movedOne: (status, amount, name, reference) => `${status}: ${amount} von ${name} (${reference}).`,
  chooseSome: 'Nichts wurde geändert: Keine Spende war ausgewählt.',
  anonymous: 'Ohne Namen',

  list: {
    caption: 'Spenden',
    record: 'Spende eintragen',
    totals: 'Summen der Spenden in dieser Liste',
    donated: 'Zugesagt',
    received: 'Eingegangen',
    waiting: 'Noch ausstehend',
    receivedInPart: amount => `davon ${amount} für zugesagte Spenden`,
    lost: 'Storniert, fehlgeschlagen, erstattet',
    donations: ['Spende', 'Spenden'],
    search: 'Name, Referenz, E-Mail',
    campaign: 'Spendenaktion',
    status: 'Status',
    from: 'Von',
    to: 'Bis',
    receipt: 'Zuwendungsbestätigung',
    receiptShort: 'wünscht Bestätigung',
    receiptYes: 'gewünscht',
    receiptNo: 'nicht gewünscht',
    min: 'Zugesagt ab',
    max: 'Zugesagt bis',
    more: 'Weitere Filter',
    made: 'Referenz, Zeit',
    donor: 'Spender/-in, Spendenaktion',
    step: 'Nächster Schritt',
    cash: 'Ohne Konto',
    tick: (reference, name, amount) => `${reference}, ${name}, ${amount} auswählen`,
    tickAll: 'Alle Spenden auf dieser Seite auswählen',
    tickColumn: 'Auswahl',
    withTicked: 'Ausgewählte Spenden:',
    bulkDay: 'Eingegangen am',
    campaignDeleted: 'Spendenaktion gelöscht',
    unknownCampaign: id => `Spendenaktion ${id}`,
    empty: 'Keine Spende passt zu diesen Filtern.',
    emptyAll: 'Noch keine Spenden.',
    pastEnd: 'Diese Seite ist leer.',
    toStart: 'Erste Seite'
  },
  wrong: {
    amountMissing: 'Bitte geben Sie einen Betrag ein.',
    amountForm: (typed, example) => `„${typed}“ ist kein Betrag. Bitte schreiben Sie ihn in Ziffern, etwa ${example}.`,
    amountAmbiguous: (typed, large, small) =>
      `„${typed}“ kann zwei Beträge bedeuten. Bitte schreiben Sie ${large} oder ${small}.`,
    amountDecimals: typed => `„${typed}“ hat zu viele Nachkommastellen: Ein Betrag hat höchstens zwei.`,
    amountLarge: typed => `„${typed}“ ist zu groß: Möglich sind höchstens 999.999.999,99.`,
    amountZero: 'Der Betrag muss größer als 0 sein.',
    date: 'Das ist kein Datum.',
    time: 'Das ist keine Uhrzeit.',
    timeWithoutDate: 'Zu einer Uhrzeit gehört ein Datum.',
    dateInFuture: 'Der Tag darf nicht in der Zukunft liegen.'
  },

  record: {
    title: 'Spende eintragen',
    lead: 'Für Geld, das schon eingegangen ist: bar aus der Spendendose oder eine Überweisung, die Sie auf dem Konto gesehen haben. Es gilt sofort als eingegangen.',
    campaign: 'Spendenaktion',
    choose: 'Bitte wählen',
    campaignMissing: 'Bitte wählen Sie eine Spendenaktion.',
    amount: 'Betrag',
    amountHint: currency => `In ${currency}.`,
    name: 'Spender/-in',
    nameHint: 'Der Name oder eine Bezeichnung, etwa „Spendendose Sommerfest“.',
    nameMissing: 'Bitte geben Sie die Spenderin oder den Spender an.',
    how: 'Zahlungsart',
    cash: 'Bar',
    transfer: 'Überweisung',
    date: 'Eingegangen am',
    dateHint: 'Dieser Tag zählt in Summen und auf der Zuwendungsbestätigung.',
    receipt: 'E-Mail, Anschrift und Zuwendungsbestätigung (freiwillig)',
    note: 'Notiz (freiwillig)',
    submit: 'Eintragen',
    done: (amount, name) => endSentence(`Eingetragen: ${amount} von ${name}`),
    noCampaign: 'Zurzeit nimmt keine Spendenaktion Spenden an. Öffnen Sie zuerst eine.',
    toCampaigns: 'Zu den Spendenaktionen'
  }
}

export const donationStrings: Record<Language, DonationStrings> = { en, de }
