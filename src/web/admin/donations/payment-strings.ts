import type { Language } from '#platform/language.ts'
import { undoStrings } from './undo-strings.ts'

/** Payments of a donation in the console: received, returned, and undo. */
const en = {
  ...undoStrings.en,
  promised: 'Pledged',
  received: 'Received',
  receivedOn: 'Received on',
  nothing: 'nothing yet',
  missing: (amount: string) => `${amount} missing`,
  less: (amount: string) => `${amount} less than pledged`,
  more: (amount: string) => `${amount} more than pledged`,
  returned: (amount: string) => `${amount} refunded`,
  ofPromised: (received: string, promised: string) => `${received} of ${promised}`,

  card: 'Payments',
  caption: 'Payments of this donation',
  none: 'No money has been received for this donation.',
  day: 'Day',
  amount: 'Amount',
  source: 'Source',
  recordedBy: 'Recorded by',
  receipt: 'Receipt',
  remove: 'Remove',
  removeOf: (amount: string, day: string) => `Remove the payment of ${amount}, ${day}`,
  sources: {
    bank_entry: 'Bank statement',
    cash: 'Cash',
    direct_debit: 'Direct debit',
    manual: 'Recorded by hand',
    correction: 'Correction'
  },
  wentBack: 'refunded',
  wentBackPart: (amount: string) => `${amount} of it refunded`,
  assumed: 'Amount and day are assumed: this donation is older than the list of payments.',

  accept: (received: string, promised: string) => `Accept ${received} of ${promised}`,
  waitHint: (missing: string) =>
    `${missing} is missing. To wait for the rest, do nothing: the donation stays pending. When the rest is received, record it or match the bank transaction. If no more money is expected, accept the amount received.`,
  lessHint: (received: string, promised: string) => `Accepted: ${received} of the pledged ${promised}.`,
  returnedHint: (back: string, left: string) => `${back} was refunded. ${left} stays received.`,
  moreHint: (more: string) => `${more} more than pledged was received. All of it counts as received.`,
  accepted: (received: string, promised: string, name: string) =>
    `Accepted: ${received} of ${promised} from ${name}. The donation is complete.`,

  record: 'Record a payment',
  recordMore: 'Record another payment',
  recordTitle: (reference: string) => `Record a payment for ${reference}`,
  recordLead: (name: string, promised: string, received: string) =>
    `${name}: ${promised} pledged, ${received} received so far.`,
  amountReceived: 'Amount received',
  amountHint: (currency: string) => `In ${currency}.`,
  dayHint: 'The day on which the money was received. Not in the future.',
  how: 'Payment method',
  manual: 'Bank transfer or other',
  cash: 'Cash',
  submit: 'Record as received',
  restTitle: (total: string, promised: string) =>
    `With this payment, ${total} of ${promised} is received. What about the rest?`,
  restText: (missing: string) =>
    `Nothing has been recorded yet. ${missing} is still missing: wait for it, or accept the amount received as the whole donation.`,
  restWait: (missing: string) => `Record, and wait for ${missing}`,
  restAccept: (total: string) => `Record, and accept ${total} as the whole donation`,
  recorded: (amount: string, name: string, reference: string) => `Received: ${amount} from ${name} (${reference}).`,
  recordedWait: (missing: string) => `Waiting for ${missing}.`,
  recordedLess: (received: string, promised: string) => `Accepted ${received} of ${promised}.`,
  recordedMore: (more: string) => `That is ${more} more than pledged.`,

  goBack: 'Record a refund',
  backTitle: (reference: string) => `Refund of ${reference}`,
  backLead: (name: string, received: string) => `${name}: ${received} received.`,
  backRule:
    'If everything was refunded, the donation is refunded and no longer counts. If only a part was refunded, the rest stays received.',
  backRulePending: 'The donation stays pending.',
  backAmount: 'Refunded amount',
  backDay: 'Refunded on',
  backDayHint: 'The day on which the money was refunded. Not in the future.',
  backSubmit: 'Record the refund',
  backTooMuch: (received: string) => `At most ${received} can be refunded: no more was received.`,
  backDone: (amount: string, name: string, left: string) => `Refunded: ${amount} to ${name}. ${left} stays received.`,
  backDoneAll: (amount: string, name: string) => `Refunded: ${amount} to ${name}.`,

  removeTitle: 'Remove this payment?',
  removeText: (amount: string, day: string, source: string) =>
    `${amount}, ${day}, ${source}. Remove it only if it was recorded by mistake: it then no longer counts. If the money was received and refunded, record the refund instead.`,
  removeYes: 'Remove the payment',
  removed: (amount: string) => `Payment of ${amount} removed.`,
  keep: 'Keep it',

  ask: {
    CANCELLED: {
      title: 'Cancel this donation?',
      text: (what: string) => `${what} is then no longer expected and no longer counts.`,
      yes: 'Cancel the donation'
    },
    FAILED: {
      title: 'Did this donation fail?',
      text: (what: string) =>
        `${what} then no longer counts: the money was not received, or the bank returned it, for example a direct debit.`,
      yes: 'Mark as failed'
    },
    REFUNDED: {
      title: 'Was this donation refunded?',
      text: (what: string) => `${what} then no longer counts: all of the money was refunded.`,
      yes: 'Mark as refunded'
    }
  },
  askSome: {
    CANCELLED: {
      title: (count: string) => `Cancel ${count} donations?`,
      text: 'They are then no longer expected and no longer count.',
      yes: (count: string) => `Cancel ${count} donations`
    },
    FAILED: {
      title: (count: string) => `Did ${count} donations fail?`,
      text: 'They then no longer count: the money was not received, or the bank returned it.',
      yes: (count: string) => `Mark ${count} donations as failed`
    },
    REFUNDED: {
      title: (count: string) => `Were ${count} donations refunded?`,
      text: 'They then no longer count: all of the money was refunded.',
      yes: (count: string) => `Mark ${count} donations as refunded`
    }
  },
  what: (amount: string, name: string, reference: string) => `${amount} from ${name} (${reference})`,
  canUndo: 'You can undo this afterwards.',
  back: 'Back',
  toDonation: 'To the donation',
  payments: (count: string) => `${count} payments`
}

export type PaymentStrings = typeof en

const de: PaymentStrings = {
  ...undoStrings.de,
  promised: 'Zugesagt',
  received: 'Eingegangen',
  receivedOn: 'Eingegangen am',
  nothing: 'noch nichts',
  missing: amount => `${amount} fehlen`,
  less: amount => `${amount} weniger als zugesagt`,
  more: amount => `${amount} mehr als zugesagt`,
  returned: amount => `${amount} zurückgezahlt`,
  ofPromised: (received, promised) => `${received} von ${promised}`,

  card: 'Zahlungen',
  caption: 'Zahlungen zu dieser Spende',
  none: 'Für diese Spende ist kein Geld eingegangen.',
  day: 'Tag',
  amount: 'Betrag',
  source: 'Herkunft',
  recordedBy: 'Gebucht von',
  receipt: 'Bestätigung',
  remove: 'Entfernen',
  removeOf: (amount, day) => `Zahlung über ${amount} vom ${day} entfernen`,
  sources: {
    bank_entry: 'Kontoauszug',
    cash: 'Bar',
    direct_debit: 'Lastschrift',
    manual: 'Von Hand gebucht',
    correction: 'Korrektur'
  },
  wentBack: 'zurückgezahlt',
  wentBackPart: amount => `davon ${amount} zurückgezahlt`,
  assumed: 'Betrag und Tag sind angenommen: Die Spende ist älter als die Liste der Zahlungen.',

  accept: (received, promised) => `${received} von ${promised} annehmen`,
  waitHint: missing =>
    `${missing} fehlen. Wenn Sie auf den Rest warten, ist nichts zu tun: Die Spende bleibt zugesagt. Geht der Rest ein, buchen Sie ihn hier oder ordnen den Umsatz zu. Kommt nichts mehr, nehmen Sie den eingegangenen Betrag an.`,
  lessHint: (received, promised) => `Angenommen: ${received} von zugesagten ${promised}.`,
  returnedHint: (back, left) => `${back} wurden zurückgezahlt. ${left} bleiben eingegangen.`,
  moreHint: more => `Es sind ${more} mehr eingegangen als zugesagt. Alles davon zählt als eingegangen.`,
  accepted: (received, promised, name) =>
    `Angenommen: ${received} von ${promised} von ${name}. Die Spende ist vollständig.`,

  record: 'Zahlung buchen',
  recordMore: 'Weitere Zahlung buchen',
  recordTitle: reference => `Zahlung zu ${reference} buchen`,
  recordLead: (name, promised, received) => `${name}: ${promised} zugesagt, ${received} bisher eingegangen.`,
  amountReceived: 'Eingegangener Betrag',
  amountHint: currency => `In ${currency}.`,
  dayHint: 'Der Tag, an dem das Geld eingegangen ist. Nicht in der Zukunft.',
  how: 'Zahlungsart',
  manual: 'Überweisung oder anders',
  cash: 'Bar',
  submit: 'Als eingegangen buchen',
  restTitle: (total, promised) => `Damit wären ${total} von ${promised} eingegangen. Was ist mit dem Rest?`,
  restText: missing =>
    `Noch ist nichts gebucht. ${missing} fehlen: Warten Sie darauf, oder nehmen Sie den eingegangenen Betrag als ganze Spende an.`,
  restWait: missing => `Buchen und auf ${missing} warten`,
  restAccept: total => `Buchen und ${total} als ganze Spende annehmen`,
  recorded: (amount, name, reference) => `Eingegangen: ${amount} von ${name} (${reference}).`,
  recordedWait: missing => `${missing} fehlen noch.`,
  recordedLess: (received, promised) => `Angenommen: ${received} von ${promised}.`,
  recordedMore: more => `Das sind ${more} mehr als zugesagt.`,

  goBack: 'Rückzahlung buchen',
  backTitle: reference => `Rückzahlung zu ${reference}`,
  backLead: (name, received) => `${name}: ${received} eingegangen.`,
  backRule:
    'Wurde alles zurückgezahlt, ist die Spende erstattet und zählt nicht mehr. Bei einem Teil bleibt der Rest eingegangen.',
  backRulePending: 'Die Spende bleibt zugesagt.',
  backAmount: 'Zurückgezahlter Betrag',
  backDay: 'Zurückgezahlt am',
  backDayHint: 'Der Tag der Rückzahlung. Nicht in der Zukunft.',
  backSubmit: 'Rückzahlung buchen',
  backTooMuch: received => `Höchstens ${received} können zurückgezahlt werden: Mehr ist nicht eingegangen.`,
  backDone: (amount, name, left) => `${amount} an ${name} zurückgezahlt. ${left} bleiben eingegangen.`,
  backDoneAll: (amount, name) => `Erstattet: ${amount} an ${name}.`,

  removeTitle: 'Diese Zahlung entfernen?',
  removeText: (amount, day, source) =>
    `${amount}, ${day}, ${source}. Entfernen Sie sie nur, wenn sie versehentlich gebucht wurde: Sie zählt dann nicht mehr. Ist das Geld eingegangen und wurde zurückgezahlt, buchen Sie stattdessen die Rückzahlung.`,
  removeYes: 'Zahlung entfernen',
  removed: amount => `Zahlung über ${amount} entfernt.`,
  keep: 'Behalten',

  ask: {
    CANCELLED: {
      title: 'Diese Spende stornieren?',
      text: what => `${what} wird dann nicht mehr erwartet und zählt nicht mehr.`,
      yes: 'Spende stornieren'
    },
    FAILED: {
      title: 'Ist diese Spende fehlgeschlagen?',
      text: what =>
        `${what} zählt dann nicht mehr: Das Geld ist nicht eingegangen, oder die Bank hat es zurückgebucht, etwa eine Lastschrift.`,
      yes: 'Als fehlgeschlagen buchen'
    },
    REFUNDED: {
      title: 'Wurde diese Spende erstattet?',
      text: what => `${what} zählt dann nicht mehr: Das ganze Geld wurde zurückgezahlt.`,
      yes: 'Als erstattet buchen'
    }
  },
  askSome: {
    CANCELLED: {
      title: count => `${count} Spenden stornieren?`,
      text: 'Sie werden dann nicht mehr erwartet und zählen nicht mehr.',
      yes: count => `${count} Spenden stornieren`
    },
    FAILED: {
      title: count => `Sind ${count} Spenden fehlgeschlagen?`,
      text: 'Sie zählen dann nicht mehr: Das Geld ist nicht eingegangen, oder die Bank hat es zurückgebucht.',
      yes: count => `${count} Spenden als fehlgeschlagen buchen`
    },
    REFUNDED: {
      title: count => `Wurden ${count} Spenden erstattet?`,
      text: 'Sie zählen dann nicht mehr: Das ganze Geld wurde zurückgezahlt.',
      yes: count => `${count} Spenden als erstattet buchen`
    }
  },
  what: (amount, name, reference) => `${amount} von ${name} (${reference})`,
  canUndo: 'Sie können das danach rückgängig machen.',
  back: 'Zurück',
  toDonation: 'Zur Spende',
  payments: count => `${count} Zahlungen`
}

export const paymentStrings: Record<Language, PaymentStrings> = { en, de }
