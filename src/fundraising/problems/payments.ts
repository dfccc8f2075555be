import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

/** `cents` is the received amount, the most that can be returned. */
export const newRefundAboveReceivedProblem = (cents: number) =>
  newFieldProblem(422, '/amount', 'more-than-received', {
    en: `amount: at most ${toAmount(cents)} can go back, because that is what has arrived.`,
    de: `amount: Höchstens ${toAmount(cents)} können zurückgehen, denn mehr ist nicht eingegangen.`
  })

export const newReceivedTooLargeProblem = () =>
  newFieldProblem(422, '/amount', 'too-large', {
    en: 'amount: all that arrives for one donation must be at most 999999999.99.',
    de: 'amount: Für eine Spende dürfen insgesamt höchstens 999999999.99 eingehen.'
  })

export const newZeroPaymentProblem = () =>
  newFieldProblem(400, '/amount', 'zero', {
    en: 'amount must not be 0: more for what arrived, less for what went back.',
    de: 'amount darf nicht 0 sein: mehr für Geld, das einging, weniger für Geld, das zurückging.'
  })

export const newReceivedInFutureProblem = (today: string) =>
  newFieldProblem(422, '/receivedOn', 'in-the-future', {
    en: `receivedOn must not be later than today, ${today}.`,
    de: `receivedOn darf nicht nach heute, ${today}, liegen.`
  })

export const newReceivedBelowBeforeProblem = (cents: number) =>
  newFieldProblem(422, '/amountReceived', 'less-than-received', {
    en: `amountReceived must be at least ${toAmount(cents)}, which has arrived. Money that went back is a payment of its own: POST …/payments with a negative amount.`,
    de: `amountReceived muss mindestens ${toAmount(cents)} sein: So viel ist eingegangen. Was zurückging, ist eine eigene Zahlung: POST …/payments mit negativem Betrag.`
  })

/** `field` describes a payment, but the request contains none. */
export const newFieldNeedsPaymentProblem = (field: 'amountReceived' | 'receivedOn' | 'paymentSource', status: string) =>
  newFieldProblem(422, `/${field}`, 'no-payment', {
    en: `${field} belongs to money that arrived: give status TRANSFERRED or amountReceived with it (the donation is ${status}).`,
    de: `${field} gehört zu Geld, das eingegangen ist: Geben Sie dazu status TRANSFERRED oder amountReceived an (die Spende ist ${status}).`
  })

export const newDonationHasPaymentsProblem = (cents: number) =>
  new Problem(409, 'donation-has-payments', {
    en: `${toAmount(cents)} has arrived for this donation: accept the sum (status TRANSFERRED), or record first that it went back.`,
    de: `Für diese Spende sind ${toAmount(cents)} eingegangen: Nehmen Sie die Summe an (status TRANSFERRED), oder buchen Sie zuerst, dass sie zurückging.`
  })

export const newDonationTakesNoPaymentsProblem = (status: string) =>
  new Problem(409, 'donation-is-over', {
    en: `The donation is ${status}: take that back first (POST …/undo), then record the payment.`,
    de: `Die Spende hat den Status ${status}: Nehmen Sie das zuerst zurück (POST …/undo), dann buchen Sie die Zahlung.`
  })

export const newPaymentNotFoundProblem = () =>
  new Problem(404, 'payment-not-found', {
    en: 'This donation has no such payment.',
    de: 'Diese Zahlung gibt es zu dieser Spende nicht.'
  })

export const newPaymentOfBankEntryProblem = (statementId: number) =>
  new Problem(409, 'payment-of-bank-entry', {
    en: `The payment stands in bank statement ${statementId}: take it back there.`,
    de: `Die Zahlung steht im Kontoauszug ${statementId}: Nehmen Sie sie dort zurück.`
  })

export const newPaymentOfCollectionProblem = (collectionId: number) =>
  new Problem(409, 'payment-of-collection', {
    en: `The money was collected by direct debit with collection ${collectionId}. If the bank returned it, the bank statement says so.`,
    de: `Das Geld wurde mit dem Einzug ${collectionId} per Lastschrift eingezogen. Hat die Bank es zurückgegeben, steht das im Kontoauszug.`
  })

export const newNothingToUndoProblem = () =>
  new Problem(409, 'nothing-to-undo', {
    en: 'No change of status is left that could be taken back.',
    de: 'Es gibt keine Statusänderung mehr, die sich zurücknehmen ließe.'
  })

export const newLaterPaymentsProblem = (day: string) =>
  new Problem(409, 'later-payments', {
    en: `A payment of ${day} was recorded since: take it back first.`,
    de: `Seitdem wurde eine Zahlung vom ${day} gebucht: Nehmen Sie diese zuerst zurück.`
  })

export const newEntrySharedProblem = (statementId: number) =>
  new Problem(409, 'entry-is-shared', {
    en: `The payment came with an entry of bank statement ${statementId} that is shared by several donations: take it back there.`,
    de: `Die Zahlung kam mit einem Umsatz des Kontoauszugs ${statementId}, der auf mehrere Spenden verteilt ist: Nehmen Sie ihn dort zurück.`
  })

export const newDonationAndDonationsProblem = () =>
  newFieldProblem(422, '/donations', 'donation-or-donations', {
    en: 'donations must be absent where donation is given.',
    de: 'donations muss fehlen, wenn donation angegeben ist.'
  })

export const newAmountsMissingProblem = () =>
  newFieldProblem(422, '/donations', 'amounts-missing', {
    en: 'donations: all but one need an amount; the one without gets the rest.',
    de: 'donations: Alle bis auf eine brauchen amount; die ohne bekommt den Rest.'
  })

export const newSharesDifferProblem = (entryCents: number, saidCents: number) =>
  newFieldProblem(422, '/donations', 'shares-differ', {
    en: `donations: their amounts must together be ${toAmount(entryCents)}, the amount of the entry; they are ${toAmount(saidCents)}.`,
    de: `donations: Ihre Beträge müssen zusammen ${toAmount(entryCents)} ergeben, den Betrag des Umsatzes; sie ergeben ${toAmount(saidCents)}.`
  })

export const newAmountNeededForCurrencyProblem = (currency: string) =>
  newFieldProblem(422, '/donation/amount', 'other-currency', {
    en: `donation.amount is needed: the entry is in ${currency}, and the campaign has another currency. Say what it is worth there.`,
    de: `donation.amount fehlt: Der Umsatz ist in ${currency}, die Spendenaktion hat eine andere Währung. Geben Sie an, was er dort wert ist.`
  })

export const newSplitInOtherCurrencyProblem = () =>
  newFieldProblem(422, '/donations', 'other-currency', {
    en: 'donations: an entry in another currency than that of the campaigns cannot be split.',
    de: 'donations: Ein Umsatz in einer anderen Währung als der der Spendenaktionen lässt sich nicht aufteilen.'
  })

export const newAccountLengthsDifferProblem = () =>
  newFieldProblem(422, '/bank', 'account-lengths', {
    en: 'All account numbers must have the same number of digits.',
    de: 'Alle Sachkonten müssen gleich viele Ziffern haben.'
  })

export const newDatevCurrencyProblem = (currency: string) =>
  new Problem(409, 'datev-currency', {
    en: `There are payments in ${currency}: the export for DATEV takes EUR only. Export campaigns one by one (campaignId).`,
    de: `Es gibt Zahlungen in ${currency}: Der Export für DATEV kennt nur EUR. Exportieren Sie die Spendenaktionen einzeln (campaignId).`
  })

export const newDatevTooLongProblem = (count: number, most: number) =>
  new Problem(409, 'datev-too-long', {
    en: `These are ${count} payments: DATEV takes at most ${most} in a file. Export by account or campaign.`,
    de: `Das sind ${count} Zahlungen: DATEV nimmt höchstens ${most} in einer Datei an. Exportieren Sie nach Konto oder Spendenaktion.`
  })
