import type { Language } from '#platform/language.ts'

/** Formatted figures. */
interface SaidProgress {
  percent: string
  received: string
  promised: string
  target: string
}

const en = {
  title: 'Donate',
  lead: 'Every amount helps. Choose a campaign.',
  empty: 'No campaign is open at the moment. Thank you for your support!',
  running: 'Campaigns that need you',
  ended: 'What we achieved together',
  showAllEnded: (count: string) => `Show all ${count} campaigns that have ended`,

  donate: 'Donate',
  donateTo: (name: string) => `Donate to ${name}`,
  donation: 'donation',
  donations: 'donations',
  received: 'received',
  promised: (sum: string) => `${sum} pledged`,
  percentOf: ({ percent, target }: SaidProgress) => `${percent}% of ${target} received`,
  progressLabel: 'Received so far',
  progressText: ({ percent, received, target }: SaidProgress) => `${percent}%: ${received} of ${target} received`,
  progressTextPromised: ({ percent, received, promised, target }: SaidProgress) =>
    `${percent}%: ${received} of ${target} received, ${promised} pledged`,
  thankYouSum: (received: string) => `Thank you: ${received} received`,
  thankYou: 'Closed. Thank you to everyone who helped!',
  daysLeft: (days: number) => (days <= 1 ? 'Last day' : `${days} days left`),
  startsOn: (day: string) => `Begins on ${day}`,

  campaign: 'Donation campaign',
  byHolder: (holder: string) => `For ${holder}`,
  figures: 'How far we have come',
  closedTitle: 'Thank you!',
  closed: 'This campaign is closed and no longer accepts donations. Thanks to everyone who donated.',
  endedOn: (day: string) => `This campaign ended on ${day}. Thanks to everyone who donated.`,
  soonTitle: 'Not long now',
  soon: (day: string) => `This campaign accepts donations from ${day}.`,
  otherCampaigns: 'See the other campaigns',
  recent: 'Recent donations',
  recentReceived: 'Received',
  recentPromised: 'Pledged, not received yet',
  noneYet: 'No donations yet. Be the first!',
  anonymous: 'Anonymous',
  share: 'Tell others',
  shareLead: 'A word from you is worth more than any poster.',
  shareMail: 'By email',
  shareAddress: 'URL of this page',
  shareSubject: (name: string) => `Will you help? ${name}`,
  shareBody: (name: string, address: string) => `Have a look at this campaign: ${name}\n\n${address}`,

  self: {
    title: 'Rather transfer it yourself?',
    lead: 'That is just as welcome. We won’t be able to identify you, though. For a receipt, please use the form above.',
    codeOf: (name: string) =>
      `GiroCode for a transfer to ${name}, to scan with a banking app. All details are also shown as text.`
  },

  form: {
    title: 'Your donation',
    errors: 'Please check your details:',
    amount: 'How much would you like to give?',
    own: (currency: string) => `Other amount in ${currency}`,
    least: (amount: string) => `At least ${amount}`,
    anyAmount: 'Any amount is welcome',
    details: 'About you',
    name: 'Name',
    email: 'Email (optional)',
    emailHint: 'So that we can reach you about your donation.',
    iban: 'IBAN',
    ownIban: 'Your IBAN',
    ibanDebitHint: 'We collect the amount from this account, once.',
    bank: 'Name of your bank (optional)',
    payment: 'How would you like to pay?',
    byTransfer: 'You pay by bank transfer',
    transferNext: 'After this you get a reference and all details for the transfer to this account:',
    payee: 'Account holder',
    transfer: 'I transfer it myself',
    directDebit: 'Pay by SEPA direct debit',
    mandate: 'I give this mandate',
    debitNext: (days: number) =>
      `We tell you the collection date at least ${days === 1 ? 'one day' : `${days} days`} before. There is nothing to transfer.`,
    choices: 'Further details',
    receipt: 'I would like a donation receipt',
    receiptHint: 'We need your postal address for it.',
    street: 'Street and number',
    postalCode: 'Postal code',
    city: 'Town or city',
    showName: 'Show my name on this page',
    showNameHint:
      'It appears once the donation is received. You can withdraw this consent at any time. Otherwise we list your donation as “Anonymous”.',
    message: 'Message (optional)',
    messageHint: 'Shown publicly on this page after we have read it.',
    dataUse: (organisation: string) => `${organisation} processes your details in order to handle your donation.`,
    privacy: 'How we treat your data (opens in a new tab)',
    donate: 'Donate',
    donateAmount: (amount: string) => `Donate ${amount}`,
    sending: 'One moment …',
    next: 'Nothing is debited. On the next page you get all details for your transfer.'
  },
  wrong: {
    amountMissing: 'Please choose an amount, or type your own.',
    amountForm: (example: string) => `Please type the amount in digits, such as ${example}.`,
    amountAmbiguous: (typed: string, large: string, small: string) =>
      `“${typed}” can mean two amounts. Please type ${large} or ${small}.`,
    amountDecimals: 'An amount has at most two digits for the cents.',
    amountLarge: 'This amount is larger than we can accept here. Please get in touch with us.',
    amountSmall: (amount: string) => `The minimum for this campaign is ${amount}.`,
    amountTwice: (preset: string, typed: string) =>
      `You chose ${preset} and typed “${typed}”. Please keep only one of them.`,
    name: 'Please tell us your name.',
    nameLong: 'Please use at most 140 characters for your name.',
    email: 'This does not look like an email address. Please check it, or leave it empty.',
    ibanMissing: 'Please enter your IBAN.',
    ibanForm: 'An IBAN begins with two letters and two digits, such as DE89. Please check the IBAN.',
    ibanCountry: (country: string) => `There is no IBAN that begins with ${country}. Please check it.`,
    ibanLength: (country: string, length: number | string, given: number | string) =>
      `An IBAN with ${country} has ${length} characters, this one has ${given}. Please check the IBAN.`,
    ibanDigits: 'The check digits are wrong. Please check the IBAN.',
    ibanDebit: 'We cannot collect from this account. Please use another one, or choose “I transfer it myself”.',
    mandateMissing: 'Please give the mandate, or choose “I transfer it myself”.',
    mandateChanged: 'The text of the mandate has changed. Please read it again, and give it if you agree.',
    noDirectDebit: 'Direct debit is no longer available. Please send the form again to pay by bank transfer.',
    bankLong: 'Please use at most 140 characters for the name of the bank.',
    street: 'Please enter street and number: the receipt needs them.',
    postalCode: 'Please enter the postal code: the receipt needs it.',
    city: 'Please enter the town or city: the receipt needs it.',
    addressLong: 'This is too long. Please shorten it.',
    message: 'Please use at most 1000 characters for the message.',
    characters: 'This contains characters that cannot be shown. Please re-enter it.',
    again: 'Your donation has not been sent yet. Please check your details and send it once more.',
    usedBefore:
      'You have already donated with this form, and we have recorded it. If you would like to give once more, send it again.',
    tooMany: 'Too many donations from your network. Please wait a minute and send it again. Your entries are kept.',
    tooManyFromAccount: 'Too many donations with this account. Please wait a while before the next one.',
    arrivedElsewhere:
      'Your donation was already recorded, before your network connection changed. We sent its page only to the first connection. If you gave an email address, you will find the link there. If you want to donate once more, send the form again.',
    closedMeanwhile: 'The campaign closed in the meantime, so your donation was not recorded.',
    refused: 'We could not save your donation. Please try again in a moment. Your entries are kept.'
  },
  ibanValid: 'IBAN is valid',
  ibanOf: (bank: string) => `IBAN is valid: ${bank}`
}

export type DonateStrings = typeof en

const de: DonateStrings = {
  title: 'Spenden',
  lead: 'Jeder Betrag hilft. Wählen Sie eine Spendenaktion.',
  empty: 'Zurzeit läuft keine Spendenaktion. Schön, dass Sie helfen möchten!',
  running: 'Hier können Sie helfen',
  ended: 'Gemeinsam geschafft',
  showAllEnded: count => `Alle ${count} beendeten Spendenaktionen zeigen`,

  donate: 'Spenden',
  donateTo: name => `Spenden für ${name}`,
  donation: 'Spende',
  donations: 'Spenden',
  received: 'eingegangen',
  promised: sum => `${sum} zugesagt`,
  percentOf: ({ percent, target }) => `${percent} % von ${target} eingegangen`,
  progressLabel: 'Bisher eingegangen',
  progressText: ({ percent, received, target }) => `${percent} %: ${received} von ${target} eingegangen`,
  progressTextPromised: ({ percent, received, promised, target }) =>
    `${percent} %: ${received} von ${target} eingegangen, ${promised} zugesagt`,
  thankYouSum: received => `Danke: ${received} eingegangen`,
  thankYou: 'Abgeschlossen. Danke an alle, die geholfen haben!',
  daysLeft: days => (days <= 1 ? 'Letzter Tag' : `Noch ${days} Tage`),
  startsOn: day => `Beginnt am ${day}`,

  campaign: 'Spendenaktion',
  byHolder: holder => `Für ${holder}`,
  figures: 'So weit sind wir',
  closedTitle: 'Vielen Dank!',
  closed:
    'Diese Spendenaktion ist abgeschlossen und nimmt keine Spenden mehr an. Wir danken allen Spenderinnen und Spendern.',
  endedOn: day => `Diese Spendenaktion endete am ${day}. Wir danken allen Spenderinnen und Spendern.`,
  soonTitle: 'Bald geht es los',
  soon: day => `Diese Spendenaktion nimmt ab dem ${day} Spenden an. Schauen Sie gern wieder vorbei.`,
  otherCampaigns: 'Zu den anderen Spendenaktionen',
  recent: 'Die letzten Spenden',
  recentReceived: 'Eingegangen',
  recentPromised: 'Zugesagt, noch nicht eingegangen',
  noneYet: 'Noch keine Spenden. Machen Sie den Anfang!',
  anonymous: 'Anonym',
  share: 'Weitersagen',
  shareLead: 'Ein Wort von Ihnen wirkt mehr als jedes Plakat.',
  shareMail: 'Per E-Mail',
  shareAddress: 'Webadresse dieser Seite',
  shareSubject: name => `Helfen Sie mit? ${name}`,
  shareBody: (name, address) => `Schauen Sie sich diese Spendenaktion an: ${name}\n\n${address}`,

  self: {
    title: 'Lieber selbst überweisen?',
    lead: 'Auch das ist willkommen. Wir können Ihnen die Spende dann aber nicht zuordnen. Für eine Zuwendungsbestätigung nutzen Sie bitte das Formular.',
    codeOf: name =>
      `GiroCode für eine Überweisung an ${name}, zum Scannen mit einer Banking-App. Alle Angaben finden Sie auch im Text.`
  },

  form: {
    title: 'Ihre Spende',
    errors: 'Bitte prüfen Sie Ihre Angaben:',
    amount: 'Wie viel möchten Sie geben?',
    own: currency => `Anderer Betrag in ${currency}`,
    least: amount => `Mindestens ${amount}`,
    anyAmount: 'Jeder Betrag ist willkommen',
    details: 'Ihre Angaben',
    name: 'Name',
    email: 'E-Mail (freiwillig)',
    emailHint: 'Damit wir Sie zu Ihrer Spende erreichen.',
    iban: 'IBAN',
    ownIban: 'Ihre IBAN',
    ibanDebitHint: 'Wir ziehen den Betrag einmalig von diesem Konto ein.',
    bank: 'Name Ihrer Bank (freiwillig)',
    payment: 'Wie möchten Sie zahlen?',
    byTransfer: 'Sie zahlen per Überweisung',
    transferNext: 'Danach erhalten Sie eine Referenz und alle Angaben für die Überweisung auf dieses Konto:',
    payee: 'Kontoinhaber',
    transfer: 'Ich überweise selbst',
    directDebit: 'Per SEPA-Lastschrift zahlen',
    mandate: 'Ich erteile dieses Mandat',
    debitNext: days =>
      `Das Einzugsdatum nennen wir Ihnen mindestens ${days === 1 ? 'einen Tag' : `${days} Tage`} vorher. Sie müssen nichts überweisen.`,
    choices: 'Weitere Angaben',
    receipt: 'Ich möchte eine Zuwendungsbestätigung (Spendenbescheinigung)',
    receiptHint: 'Dafür brauchen wir Ihre Anschrift.',
    street: 'Straße und Hausnummer',
    postalCode: 'Postleitzahl',
    city: 'Ort',
    showName: 'Meinen Namen auf dieser Seite zeigen',
    showNameHint:
      'Er erscheint, wenn das Geld eingegangen ist. Diese Einwilligung können Sie jederzeit widerrufen. Sonst erscheint Ihre Spende als „Anonym“ in der Liste.',
    message: 'Nachricht (freiwillig)',
    messageHint: 'Erscheint öffentlich auf dieser Seite, nachdem wir sie gelesen haben.',
    dataUse: organisation => `${organisation} verarbeitet Ihre Angaben, um Ihre Spende abzuwickeln.`,
    privacy: 'So gehen wir mit Ihren Daten um (öffnet einen neuen Tab)',
    donate: 'Spenden',
    donateAmount: amount => `${amount} spenden`,
    sending: 'Einen Moment …',
    next: 'Es wird nichts abgebucht. Auf der nächsten Seite finden Sie alle Angaben für Ihre Überweisung.'
  },
  wrong: {
    amountMissing: 'Bitte wählen Sie einen Betrag oder geben Sie einen eigenen ein.',
    amountForm: example => `Bitte geben Sie den Betrag in Ziffern ein, etwa ${example}.`,
    amountAmbiguous: (typed, large, small) =>
      `„${typed}“ kann zwei Beträge bedeuten. Bitte schreiben Sie ${large} oder ${small}.`,
    amountDecimals: 'Ein Betrag hat höchstens zwei Stellen für die Cent.',
    amountLarge: 'So viel können wir hier nicht annehmen. Bitte nehmen Sie Kontakt mit uns auf.',
    amountSmall: amount => `Der Mindestbetrag für diese Spendenaktion ist ${amount}.`,
    amountTwice: (preset, typed) =>
      `Sie haben ${preset} gewählt und „${typed}“ eingegeben. Bitte lassen Sie nur eines davon stehen.`,
    name: 'Bitte nennen Sie uns Ihren Namen.',
    nameLong: 'Bitte kürzen Sie den Namen auf höchstens 140 Zeichen.',
    email: 'Das sieht nicht nach einer E-Mail-Adresse aus. Bitte prüfen Sie sie oder lassen Sie das Feld leer.',
    ibanMissing: 'Bitte geben Sie Ihre IBAN ein.',
    ibanForm: 'Eine IBAN beginnt mit zwei Buchstaben und zwei Ziffern, etwa DE89. Bitte prüfen Sie die IBAN.',
    ibanCountry: country => `Keine IBAN beginnt mit ${country}. Bitte prüfen Sie sie.`,
    ibanLength: (country, length, given) =>
      `Eine IBAN mit ${country} hat ${length} Zeichen, diese hat ${given}. Bitte prüfen Sie die IBAN.`,
    ibanDigits: 'Die Prüfziffern stimmen nicht. Bitte prüfen Sie die IBAN.',
    ibanDebit:
      'Von diesem Konto können wir nicht einziehen. Bitte geben Sie ein anderes an oder wählen Sie „Ich überweise selbst“.',
    mandateMissing: 'Bitte erteilen Sie das Mandat oder wählen Sie „Ich überweise selbst“.',
    mandateChanged:
      'Der Text des Mandats hat sich geändert. Bitte lesen Sie ihn noch einmal, und erteilen Sie es, wenn Sie einverstanden sind.',
    noDirectDebit:
      'Wir ziehen nicht mehr per Lastschrift ein. Bitte senden Sie das Formular noch einmal, um per Überweisung zu zahlen.',
    bankLong: 'Bitte kürzen Sie den Namen der Bank auf höchstens 140 Zeichen.',
    street: 'Bitte geben Sie Straße und Hausnummer an: Sie gehören auf die Zuwendungsbestätigung.',
    postalCode: 'Bitte geben Sie die Postleitzahl an: Sie gehört auf die Zuwendungsbestätigung.',
    city: 'Bitte geben Sie den Ort an: Er gehört auf die Zuwendungsbestätigung.',
    addressLong: 'Das ist zu lang. Bitte kürzen Sie es.',
    message: 'Bitte kürzen Sie die Nachricht auf höchstens 1000 Zeichen.',
    characters: 'Der Text enthält Zeichen, die nicht dargestellt werden können. Bitte geben Sie den Text neu ein.',
    again: 'Ihre Spende ist noch nicht abgeschickt. Bitte prüfen Sie Ihre Angaben und senden Sie sie noch einmal.',
    usedBefore:
      'Mit diesem Formular haben Sie bereits gespendet, und wir haben die Spende gespeichert. Möchten Sie noch einmal geben, senden Sie es bitte erneut.',
    tooMany:
      'Von Ihrem Internetanschluss kamen sehr viele Spenden. Bitte warten Sie eine Minute und senden Sie noch einmal. Ihre Angaben sind noch da.',
    tooManyFromAccount: 'Zu viele Spenden mit diesem Konto. Bitte warten Sie eine Weile bis zur nächsten Spende.',
    arrivedElsewhere:
      'Ihre Spende war schon gespeichert, bevor sich Ihre Netzverbindung geändert hat. Die Seite dazu haben wir nur an die erste Verbindung geschickt. Wenn Sie eine E-Mail-Adresse angegeben haben, finden Sie den Link dort. Wenn Sie noch einmal spenden möchten, senden Sie das Formular erneut.',
    closedMeanwhile: 'Die Spendenaktion wurde inzwischen geschlossen, Ihre Spende wurde daher nicht gespeichert.',
    refused:
      'Ihre Spende konnte nicht gespeichert werden. Bitte versuchen Sie es gleich noch einmal. Ihre Angaben sind noch da.'
  },
  ibanValid: 'Die IBAN ist gültig',
  ibanOf: bank => `Die IBAN ist gültig: ${bank}`
}

export const donateStrings: Record<Language, DonateStrings> = { en, de }
