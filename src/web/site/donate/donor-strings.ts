import type { Language } from '#platform/language.ts'

const en = {
  title: 'Thank you!',
  hello: (name: string) => `Thank you, ${name}!`,
  forCampaign: 'Your donation to',
  transferTitle: (amount: string) => `Please transfer ${amount} now`,
  transferLead: 'Use these details in your bank’s app or on a transfer form. Please do not forget the reference.',
  payee: 'Payee',
  payeeHint: 'Please exactly so: banks compare the name.',
  iban: 'IBAN',
  bank: 'Bank',
  amount: 'Amount',
  reference: 'Reference',
  copyPayee: 'Copy the payee',
  copyIban: 'Copy the IBAN',
  copyAmount: 'Copy the amount',
  copyReference: 'Copy the reference',
  scan: 'Scan with your banking app',
  codeOf: (amount: string, payee: string, reference: string) =>
    `GiroCode for a transfer of ${amount} to ${payee} with the reference ${reference}. All it says stands in the text.`,

  held: 'We look at large donations ourselves before they appear on the campaign’s page. You need not wait for it: what is to be done stands below.',
  debitTitle: (amount: string) => `We collect ${amount} from your account`,
  debitTitleOn: (amount: string, day: string) => `We collect ${amount} on ${day}`,
  debitLead: 'There is nothing you need to do. The day will stand here in good time before.',
  debitLeadOn: 'There is nothing you need to do. Please see that there is enough on your account.',
  mandateReference: 'Mandate reference',
  creditorId: 'Creditor identifier',
  mandateText: 'The mandate that you gave',
  revokeLead: 'You can take it back until the debit is on its way. Then please transfer your donation yourself.',
  revoke: 'Take the mandate back',

  statusTitle: 'Where your donation is',
  promised: 'Promised',
  waiting: 'We confirm here as soon as the money has arrived.',
  received: 'Received',
  receiptStep: 'Receipt',
  notYet: 'still to come',
  cancelled: 'Cancelled',
  failed: 'Did not arrive',
  refunded: 'Paid back',
  receivedText: (amount: string) => `We have received ${amount}. Thank you, this makes a difference.`,
  receivedOn: (amount: string, day: string) => `${amount}, ${day}`,
  partText: (received: string, promised: string, missing: string) =>
    `We have received ${received} of the promised ${promised}. Thank you! ${missing} is missing.`,
  partHint:
    'If you want to give the rest as well, transfer it as described below. If not, there is nothing you need to do.',
  transferRest: (amount: string) => `To transfer the remaining ${amount}`,
  cancelledText: 'This donation was cancelled. There is nothing you need to do, and nothing to transfer.',
  failedText:
    'The money for this donation did not reach us. There is nothing to transfer now; if you have a question, just get in touch.',
  failedDebitText:
    'Your bank did not pay the direct debit, or took it back. There is nothing to transfer now; if you have a question, just get in touch.',
  refundedText: 'We paid this donation back to you. There is nothing you need to do.',
  keep: 'Keep the address of this page: it always shows where your donation is.',
  print: 'The printed page confirms your pledge. It is not a donation receipt for the tax office.',
  pledge: 'Confirmation of a pledge',
  pledgedOn: (day: string) => `Recorded on ${day}`,
  progress: 'The campaign so far',
  toCampaign: 'To the campaign',

  receipts: {
    title: 'Your receipt',
    promised: 'You asked for a receipt. You get it here when the money has arrived.',
    underway: 'You asked for a receipt. We are preparing it; it will stand here.',
    notAsked: 'Here you can ask for a receipt.',
    single: (number: string) => `Donation receipt ${number}`,
    collective: (number: string) => `Donation receipt for the year, ${number}`,
    issued: (day: string) => `Issued on ${day}`,
    download: 'Download (PDF)',
    downloadOf: (number: string) => `Download receipt ${number} (PDF)`,
    simplified: 'Simplified proof',
    simplifiedHint: 'For smaller amounts the German tax office takes this together with your bank statement.',
    downloadSimplified: 'Download the simplified proof (PDF)',
    addressMissing: 'We still need your postal address: it stands on the receipt.',
    changeAddress: 'My address is another one',
    wanted: 'I would like a donation receipt',
    hidden: 'For your protection we do not show here what we have stored.',
    email: 'E-mail (optional)',
    emailHint: 'So that we can send it to you.',
    save: 'Save',
    saved: 'Thank you, we have noted it.',
    over: 'Nothing can be changed about this donation any more.',
    issuedAlready: 'The receipt has been issued already. If something on it is wrong, please get in touch with us.'
  }
}

export type DonorStrings = typeof en

const de: DonorStrings = {
  title: 'Vielen Dank!',
  hello: name => `Vielen Dank, ${name}!`,
  forCampaign: 'Ihre Spende für',
  transferTitle: amount => `Bitte überweisen Sie jetzt ${amount}`,
  transferLead:
    'Übernehmen Sie diese Angaben in Ihre Banking-App oder auf den Überweisungsträger. Bitte vergessen Sie den Verwendungszweck nicht.',
  payee: 'Empfänger',
  payeeHint: 'Bitte genau so: Banken vergleichen den Namen.',
  iban: 'IBAN',
  bank: 'Bank',
  amount: 'Betrag',
  reference: 'Verwendungszweck',
  copyPayee: 'Empfänger kopieren',
  copyIban: 'IBAN kopieren',
  copyAmount: 'Betrag kopieren',
  copyReference: 'Verwendungszweck kopieren',
  scan: 'Mit der Banking-App scannen',
  codeOf: (amount, payee, reference) =>
    `GiroCode für eine Überweisung von ${amount} an ${payee} mit dem Verwendungszweck ${reference}. Alles darin steht auch im Text.`,

  held: 'Große Spenden sehen wir uns selbst an, bevor sie auf der Seite der Spendenaktion erscheinen. Darauf müssen Sie nicht warten: Was zu tun ist, steht unten.',
  debitTitle: amount => `Wir ziehen ${amount} von Ihrem Konto ein`,
  debitTitleOn: (amount, day) => `Wir ziehen ${amount} am ${day} ein`,
  debitLead: 'Sie müssen nichts tun. Der Tag steht hier rechtzeitig vorher.',
  debitLeadOn: 'Sie müssen nichts tun. Bitte achten Sie darauf, dass Ihr Konto gedeckt ist.',
  mandateReference: 'Mandatsreferenz',
  creditorId: 'Gläubiger-Identifikationsnummer',
  mandateText: 'Das Mandat, das Sie erteilt haben',
  revokeLead:
    'Sie können es widerrufen, solange der Einzug nicht unterwegs ist. Bitte überweisen Sie Ihre Spende dann selbst.',
  revoke: 'Mandat widerrufen',

  statusTitle: 'Stand Ihrer Spende',
  promised: 'Zugesagt',
  waiting: 'Hier bestätigen wir, sobald das Geld angekommen ist.',
  received: 'Eingegangen',
  receiptStep: 'Spendenbescheinigung',
  notYet: 'steht noch aus',
  cancelled: 'Storniert',
  failed: 'Nicht angekommen',
  refunded: 'Zurückgezahlt',
  receivedText: amount => `${amount} sind bei uns eingegangen. Danke, das bewegt etwas.`,
  receivedOn: (amount, day) => `${amount}, ${day}`,
  partText: (received, promised, missing) =>
    `Von zugesagten ${promised} sind ${received} bei uns eingegangen. Vielen Dank! ${missing} fehlen noch.`,
  partHint:
    'Möchten Sie auch den Rest spenden, überweisen Sie ihn mit den Angaben unten. Möchten Sie das nicht, müssen Sie nichts tun.',
  transferRest: amount => `So überweisen Sie die restlichen ${amount}`,
  cancelledText: 'Diese Spende wurde storniert. Sie müssen nichts tun und nichts überweisen.',
  failedText:
    'Das Geld für diese Spende hat uns nicht erreicht. Sie müssen jetzt nichts überweisen; wenn Sie Fragen haben, melden Sie sich gern.',
  failedDebitText:
    'Ihre Bank hat die Lastschrift nicht eingelöst oder zurückgegeben. Sie müssen jetzt nichts überweisen; wenn Sie Fragen haben, melden Sie sich gern.',
  refundedText: 'Diese Spende haben wir Ihnen zurückgezahlt. Sie müssen nichts tun.',
  keep: 'Bewahren Sie die Adresse dieser Seite auf: Hier steht immer, wo Ihre Spende gerade ist.',
  print: 'Der Ausdruck bestätigt Ihre Zusage. Er ist keine Spendenbescheinigung für das Finanzamt.',
  pledge: 'Bestätigung einer Spendenzusage',
  pledgedOn: day => `Notiert am ${day}`,
  progress: 'So weit ist die Spendenaktion',
  toCampaign: 'Zur Spendenaktion',

  receipts: {
    title: 'Ihre Spendenbescheinigung',
    promised: 'Sie möchten eine Spendenbescheinigung. Sie bekommen sie hier, sobald das Geld da ist.',
    underway: 'Sie möchten eine Spendenbescheinigung. Wir stellen sie aus; dann steht sie hier.',
    notAsked: 'Hier können Sie eine Spendenbescheinigung erbitten.',
    single: number => `Spendenbescheinigung ${number}`,
    collective: number => `Sammelbestätigung ${number}`,
    issued: day => `Ausgestellt am ${day}`,
    download: 'Herunterladen (PDF)',
    downloadOf: number => `Spendenbescheinigung ${number} herunterladen (PDF)`,
    simplified: 'Vereinfachter Nachweis',
    simplifiedHint: 'Bei kleineren Beträgen genügt dem Finanzamt dieses Blatt zusammen mit Ihrem Kontoauszug.',
    downloadSimplified: 'Vereinfachten Nachweis herunterladen (PDF)',
    addressMissing: 'Wir brauchen noch Ihre Anschrift: Sie steht auf der Bescheinigung.',
    changeAddress: 'Meine Anschrift ist eine andere',
    wanted: 'Ich möchte eine Spendenbescheinigung',
    hidden: 'Zu Ihrem Schutz zeigen wir hier nicht, was wir gespeichert haben.',
    email: 'E-Mail (freiwillig)',
    emailHint: 'Damit wir sie Ihnen schicken können.',
    save: 'Speichern',
    saved: 'Danke, wir haben es notiert.',
    over: 'An dieser Spende lässt sich nichts mehr ändern.',
    issuedAlready:
      'Die Bescheinigung ist schon ausgestellt. Wenn darauf etwas nicht stimmt, wenden Sie sich bitte an uns.'
  }
}

export const donorStrings: Record<Language, DonorStrings> = { en, de }
