import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'
import { formatGermanDay } from './german-date.ts'

/** `cents` is the received amount, the most that can be returned. */
export const newRefundAboveReceivedProblem = (cents: number) =>
  newFieldProblem(422, '/amount', 'more-than-received', {
    en: `amount: at most ${toAmount(cents)} can be returned, the amount received.`,
    de: `amount: Höchstens ${toAmount(cents)} können zurückgezahlt werden; mehr ist nicht eingegangen.`
  })

export const newReceivedTooLargeProblem = () =>
  newFieldProblem(422, '/amount', 'too-large', {
    en: 'amount: the payments of a donation must add up to at most 999999999.99.',
    de: 'amount: Für eine Spende dürfen insgesamt höchstens 999999999.99 eingehen.'
  })

export const newZeroPaymentProblem = () =>
  newFieldProblem(400, '/amount', 'zero', {
    en: 'amount must not be 0: positive for payments, negative for refunds and returns.',
    de: 'amount darf nicht 0 sein: positiv für Zahlungseingänge, negativ für Erstattungen und Rücklastschriften.'
  })

export const newReceivedInFutureProblem = (today: string) =>
  newFieldProblem(422, '/receivedOn', 'in-the-future', {
    en: `receivedOn must not be later than today, ${today}.`,
    de: `receivedOn darf nicht nach heute, ${formatGermanDay(today)}, liegen.`
  })

export const newReceivedBelowBeforeProblem = (cents: number) =>
  newFieldProblem(422, '/amountReceived', 'less-than-received', {
    en: `amountReceived must be at least ${toAmount(cents)}, the amount received. Record refunds with POST …/payments and a negative amount.`,
    de: `amountReceived muss mindestens ${toAmount(cents)} sein: So viel ist eingegangen. Erstattungen buchen Sie mit POST …/payments und negativem Betrag.`
  })

/** `field` describes a payment, but the request contains none. */
export const newFieldNeedsPaymentProblem = (field: 'amountReceived' | 'receivedOn' | 'paymentSource', status: string) =>
  newFieldProblem(422, `/${field}`, 'no-payment', {
    en: `${field} requires status TRANSFERRED or amountReceived (the donation is ${status}).`,
    de: `${field} braucht status TRANSFERRED oder amountReceived (Status der Spende: ${status}).`
  })

export const newDonationHasPaymentsProblem = (cents: number) =>
  new Problem(409, 'donation-has-payments', {
    en: `${toAmount(cents)} was received for this donation. Accept the amount (status TRANSFERRED), or record the refund first.`,
    de: `Für diese Spende sind ${toAmount(cents)} eingegangen. Nehmen Sie den Betrag an (status TRANSFERRED), oder buchen Sie zuerst die Erstattung.`
  })

export const newDonationTakesNoPaymentsProblem = (status: string) =>
  new Problem(409, 'donation-is-over', {
    en: `The donation is ${status}. Undo that first (POST …/undo), then record the payment.`,
    de: `Die Spende hat den Status ${status}. Machen Sie das zuerst rückgängig (POST …/undo), dann buchen Sie die Zahlung.`
  })

export const newPaymentNotFoundProblem = () =>
  new Problem(404, 'payment-not-found', {
    en: 'Payment not found.',
    de: 'Zahlung nicht gefunden.'
  })

export const newPaymentOfBankEntryProblem = (statementId: number) =>
  new Problem(409, 'payment-of-bank-entry', {
    en: `The payment comes from bank statement ${statementId}. Undo it there.`,
    de: `Die Zahlung stammt aus dem Kontoauszug ${statementId}. Heben Sie dort die Zuordnung auf.`
  })

export const newPaymentOfCollectionProblem = (collectionId: number) =>
  new Problem(409, 'payment-of-collection', {
    en: `The payment was collected with direct debit batch ${collectionId}. If the bank returned it, import the bank statement.`,
    de: `Die Zahlung wurde mit dem Lastschrifteinzug ${collectionId} eingezogen. Hat die Bank sie zurückgegeben, importieren Sie den Kontoauszug.`
  })

export const newNothingToUndoProblem = () =>
  new Problem(409, 'nothing-to-undo', {
    en: 'No status change to undo.',
    de: 'Es gibt keine Statusänderung, die rückgängig gemacht werden kann.'
  })

export const newLaterPaymentsProblem = (day: string) =>
  new Problem(409, 'later-payments', {
    en: `A payment of ${day} was recorded since. Undo it first.`,
    de: `Seitdem wurde eine Zahlung vom ${formatGermanDay(day)} gebucht. Machen Sie diese zuerst rückgängig.`
  })

export const newEntrySharedProblem = (statementId: number) =>
  new Problem(409, 'entry-is-shared', {
    en: `The payment is part of a transaction of bank statement ${statementId} that is split between several donations. Undo it there.`,
    de: `Die Zahlung gehört zu einem Umsatz des Kontoauszugs ${statementId}, der auf mehrere Spenden aufgeteilt ist. Heben Sie dort die Zuordnung auf.`
  })

export const newDonationAndDonationsProblem = () =>
  newFieldProblem(422, '/donations', 'donation-or-donations', {
    en: 'donations must be absent if donation is given.',
    de: 'donations muss fehlen, wenn donation angegeben ist.'
  })

export const newAmountsMissingProblem = () =>
  newFieldProblem(422, '/donations', 'amounts-missing', {
    en: 'donations: all but one need an amount; the one without amount gets the rest.',
    de: 'donations: Alle bis auf eine brauchen amount; die ohne bekommt den Rest.'
  })

export const newSharesDifferProblem = (entryCents: number, saidCents: number) =>
  newFieldProblem(422, '/donations', 'shares-differ', {
    en: `donations: the amounts must add up to ${toAmount(entryCents)}, the amount of the transaction; they add up to ${toAmount(saidCents)}.`,
    de: `donations: Ihre Beträge müssen zusammen ${toAmount(entryCents)} ergeben, den Betrag des Umsatzes; sie ergeben ${toAmount(saidCents)}.`
  })

export const newAmountNeededForCurrencyProblem = (currency: string) =>
  newFieldProblem(422, '/donation/amount', 'other-currency', {
    en: `donation.amount is required: the transaction is in ${currency}, the campaign in another currency. Give the amount in the currency of the campaign.`,
    de: `donation.amount fehlt: Der Umsatz ist in ${currency}, die Spendenaktion hat eine andere Währung. Geben Sie den Betrag in der Währung der Spendenaktion an.`
  })

export const newSplitInOtherCurrencyProblem = () =>
  newFieldProblem(422, '/donations', 'other-currency', {
    en: 'donations: a transaction in another currency than the campaigns cannot be split.',
    de: 'donations: Ein Umsatz in einer anderen Währung als der der Spendenaktionen kann nicht aufgeteilt werden.'
  })

export const newAccountLengthsDifferProblem = () =>
  newFieldProblem(422, '/bank', 'account-lengths', {
    en: 'All account numbers must have the same number of digits.',
    de: 'Alle Sachkonten müssen gleich viele Ziffern haben.'
  })

export const newDatevCurrencyProblem = (currency: string) =>
  new Problem(409, 'datev-currency', {
    en: `The DATEV export supports only EUR, but there are payments in ${currency}. Export campaigns one by one (campaignId).`,
    de: `Der Export für DATEV ist nur in EUR möglich, aber es gibt Zahlungen in ${currency}. Exportieren Sie die Spendenaktionen einzeln (campaignId).`
  })

export const newDatevTooLongProblem = (count: number, most: number) =>
  new Problem(409, 'datev-too-long', {
    en: `Too many payments (${count}): a DATEV file can contain ${most}. Export by account or campaign.`,
    de: `Zu viele Zahlungen (${count}): Eine DATEV-Datei darf höchstens ${most} enthalten. Exportieren Sie nach Konto oder Spendenaktion.`
  })
