import type { Language } from '#platform/language.ts'

const en = {
  title: 'Thank you!',
  hello: (name: string) => `Thank you, ${name}!`,
  forCampaign: 'Your donation to',
  transferTitle: (amount: string) => `Please transfer ${amount} now`,
  transferLead: 'Use these details in your bank’s app or on a transfer form. Please do not forget the reference.',
  payee: 'Payee',
  payeeHint: 'Enter it exactly like this: banks check the name.',
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
    `GiroCode for a transfer of ${amount} to ${payee} with the reference ${reference}. All details are also shown as text.`,

  held: 'We review large donations before they appear on the campaign’s page. You do not have to wait for that. The next steps are below.',
  debitTitle: (amount: string) => `We collect ${amount} from your account`,
  debitTitleOn: (amount: string, day: string) => `We collect ${amount} on ${day}`,
  debitLead: 'There is nothing you need to do. The collection date will be shown here in good time.',
  debitLeadOn: 'There is nothing you need to do. Please make sure that there are sufficient funds in your account.',
  mandateReference: 'Mandate reference',
  creditorId: 'Creditor identifier',
  mandateText: 'The mandate that you gave',
  revokeLead: 'You can revoke it until the direct debit is submitted. Then please transfer your donation yourself.',
  revoke: 'Revoke the mandate',

  statusTitle: 'Status of your donation',
  promised: 'Pledged',
  waiting: 'We confirm it here as soon as we have received the money.',
  received: 'Received',
  receiptStep: 'Donation receipt',
  notYet: 'still to come',
  cancelled: 'Cancelled',
  failed: 'Failed',
  refunded: 'Refunded',
  receivedText: (amount: string) => `We’ve received your donation of ${amount}. Thank you!`,
  receivedOn: (amount: string, day: string) => `${amount}, ${day}`,
  partText: (received: string, promised: string, missing: string) =>
    `We have received ${received} of the pledged ${promised}. Thank you! ${missing} is missing.`,
  partHint:
    'If you want to give the rest as well, transfer it as described below. If not, there is nothing you need to do.',
  transferRest: (amount: string) => `To transfer the remaining ${amount}`,
  cancelledText: 'This donation was cancelled. There is nothing you need to do, and nothing to transfer.',
  failedText:
    'The money for this donation did not reach us. There is nothing to transfer now; if you have a question, just get in touch.',
  failedDebitText:
    'Your bank did not pay the direct debit, or returned it. There is nothing to transfer now; if you have a question, just get in touch.',
  refundedText: 'We refunded this donation. There is nothing you need to do.',
  keep: 'Keep the URL of this page: it always shows the status of your donation.',
  print: 'The printed page confirms your pledge. It is not a donation receipt for the tax office.',
  pledge: 'Pledge confirmation',
  pledgedOn: (day: string) => `Recorded on ${day}`,
  progress: 'The campaign so far',
  toCampaign: 'To the campaign',

  receipts: {
    title: 'Your donation receipt',
    promised: 'You asked for a receipt. You can download it here when we have received the money.',
    underway: 'You asked for a receipt. We are preparing it; you will find it here.',
    notAsked: 'You can request a receipt here.',
    single: (number: string) => `Donation receipt ${number}`,
    collective: (number: string) => `Collective receipt ${number}`,
    issued: (day: string) => `Issued on ${day}`,
    download: 'Download (PDF)',
    downloadOf: (number: string) => `Download receipt ${number} (PDF)`,
    simplified: 'Simplified proof',
    simplifiedHint: 'Up to €300 the German tax office accepts this together with your bank statement.',
    downloadSimplified: 'Download the simplified proof (PDF)',
    addressMissing: 'We still need your postal address for the receipt.',
    changeAddress: 'Change my address',
    wanted: 'I would like a donation receipt',
    hidden: 'For your protection we do not show here what we have stored.',
    email: 'Email (optional)',
    emailHint: 'So that we can send it to you.',
    save: 'Save',
    saved: 'Thank you. Saved.',
    over: 'This donation can no longer be changed.',
    issuedAlready: 'The receipt has already been issued. If something on it is wrong, please get in touch with us.'
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
  payeeHint: 'Bitte genau so angeben: Banken prüfen den Namen.',
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
    `GiroCode für eine Überweisung von ${amount} an ${payee} mit dem Verwendungszweck ${reference}. Alle Angaben finden Sie auch im Text.`,

  held: 'Höhere Spenden prüfen wir, bevor sie auf der Seite der Spendenaktion erscheinen. Darauf müssen Sie nicht warten. Die nächsten Schritte finden Sie unten.',
  debitTitle: amount => `Wir ziehen ${amount} von Ihrem Konto ein`,
  debitTitleOn: (amount, day) => `Wir ziehen ${amount} am ${day} ein`,
  debitLead: 'Sie müssen nichts tun. Das Einzugsdatum finden Sie hier rechtzeitig vorher.',
  debitLeadOn: 'Sie müssen nichts tun. Bitte achten Sie darauf, dass Ihr Konto gedeckt ist.',
  mandateReference: 'Mandatsreferenz',
  creditorId: 'Gläubiger-Identifikationsnummer',
  mandateText: 'Das Mandat, das Sie erteilt haben',
  revokeLead:
    'Sie können es widerrufen, solange die Lastschrift nicht eingereicht ist. Bitte überweisen Sie Ihre Spende dann selbst.',
  revoke: 'Mandat widerrufen',

  statusTitle: 'Status Ihrer Spende',
  promised: 'Zugesagt',
  waiting: 'Hier bestätigen wir den Geldeingang.',
  received: 'Eingegangen',
  receiptStep: 'Zuwendungsbestätigung',
  notYet: 'steht noch aus',
  cancelled: 'Storniert',
  failed: 'Fehlgeschlagen',
  refunded: 'Erstattet',
  receivedText: amount => `Ihre Spende von ${amount} ist eingegangen. Vielen Dank!`,
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
  refundedText: 'Diese Spende haben wir Ihnen erstattet. Sie müssen nichts tun.',
  keep: 'Bewahren Sie die Webadresse dieser Seite auf. Hier sehen Sie jederzeit den Status Ihrer Spende.',
  print: 'Der Ausdruck bestätigt Ihre Zusage. Er ist keine Zuwendungsbestätigung für das Finanzamt.',
  pledge: 'Spendenzusage',
  pledgedOn: day => `Erfasst am ${day}`,
  progress: 'So weit ist die Spendenaktion',
  toCampaign: 'Zur Spendenaktion',

  receipts: {
    title: 'Ihre Zuwendungsbestätigung',
    promised: 'Sie möchten eine Zuwendungsbestätigung. Sie finden sie hier, sobald das Geld eingegangen ist.',
    underway: 'Sie möchten eine Zuwendungsbestätigung. Wir stellen sie aus; danach finden Sie sie hier.',
    notAsked: 'Hier können Sie eine Zuwendungsbestätigung anfordern.',
    single: number => `Zuwendungsbestätigung ${number}`,
    collective: number => `Sammelbestätigung ${number}`,
    issued: day => `Ausgestellt am ${day}`,
    download: 'Herunterladen (PDF)',
    downloadOf: number => `Zuwendungsbestätigung ${number} herunterladen (PDF)`,
    simplified: 'Vereinfachter Nachweis',
    simplifiedHint: 'Bis 300 € genügt dem Finanzamt dieses Blatt zusammen mit Ihrem Kontoauszug.',
    downloadSimplified: 'Vereinfachten Nachweis herunterladen (PDF)',
    addressMissing: 'Für die Zuwendungsbestätigung brauchen wir noch Ihre Anschrift.',
    changeAddress: 'Meine Anschrift ändern',
    wanted: 'Ich möchte eine Zuwendungsbestätigung (Spendenbescheinigung)',
    hidden: 'Zu Ihrem Schutz zeigen wir hier nicht, was wir gespeichert haben.',
    email: 'E-Mail (freiwillig)',
    emailHint: 'Damit wir sie Ihnen schicken können.',
    save: 'Speichern',
    saved: 'Vielen Dank. Gespeichert.',
    over: 'Diese Spende kann nicht mehr geändert werden.',
    issuedAlready:
      'Die Zuwendungsbestätigung ist schon ausgestellt. Wenn darauf etwas nicht stimmt, wenden Sie sich bitte an uns.'
  }
}

export const donorStrings: Record<Language, DonorStrings> = { en, de }
