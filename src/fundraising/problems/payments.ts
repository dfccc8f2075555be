import { formatLongDay } from '#platform/messages/format-day.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

/** `cents` is the received amount, the most that can be returned. */
export const newRefundAboveReceivedProblem = (cents: number) =>
  newFieldProblem(
    422,
    '/amount',
    'more-than-received',
    buildText('payment-problems', 'refundAboveReceived', { amount: toAmount(cents) })
  )

export const newReceivedTooLargeProblem = () =>
  newFieldProblem(422, '/amount', 'too-large', buildText('payment-problems', 'receivedTooLarge'))

export const newZeroPaymentProblem = () =>
  newFieldProblem(400, '/amount', 'zero', buildText('payment-problems', 'zeroPayment'))

export const newReceivedInFutureProblem = (today: string) =>
  newFieldProblem(
    422,
    '/receivedOn',
    'in-the-future',
    buildText('payment-problems', 'receivedInFuture', language => ({ today: formatLongDay(today, language) }))
  )

export const newReceivedBelowBeforeProblem = (cents: number) =>
  newFieldProblem(
    422,
    '/amountReceived',
    'less-than-received',
    buildText('payment-problems', 'receivedBelowBefore', { amount: toAmount(cents) })
  )

/** `field` describes a payment, but the request contains none. */
export const newFieldNeedsPaymentProblem = (field: 'amountReceived' | 'receivedOn' | 'paymentSource', status: string) =>
  newFieldProblem(422, `/${field}`, 'no-payment', buildText('payment-problems', 'fieldNeedsPayment', { field, status }))

export const newDonationHasPaymentsProblem = (cents: number) =>
  new Problem(
    409,
    'donation-has-payments',
    buildText('payment-problems', 'donationHasPayments', { amount: toAmount(cents) })
  )

export const newDonationTakesNoPaymentsProblem = (status: string) =>
  new Problem(409, 'donation-is-over', buildText('payment-problems', 'donationTakesNoPayments', { status }))

export const newPaymentNotFoundProblem = () =>
  new Problem(404, 'payment-not-found', buildText('payment-problems', 'paymentNotFound'))

export const newPaymentOfBankEntryProblem = (statementId: number) =>
  new Problem(409, 'payment-of-bank-entry', buildText('payment-problems', 'paymentOfBankEntry', { statementId }))

export const newPaymentOfCollectionProblem = (collectionId: number) =>
  new Problem(409, 'payment-of-collection', buildText('payment-problems', 'paymentOfCollection', { collectionId }))

export const newNothingToUndoProblem = () =>
  new Problem(409, 'nothing-to-undo', buildText('payment-problems', 'nothingToUndo'))

export const newLaterPaymentsProblem = (day: string) =>
  new Problem(
    409,
    'later-payments',
    buildText('payment-problems', 'laterPayments', language => ({ day: formatLongDay(day, language) }))
  )

export const newEntrySharedProblem = (statementId: number) =>
  new Problem(409, 'entry-is-shared', buildText('payment-problems', 'entryShared', { statementId }))

export const newDonationAndDonationsProblem = () =>
  newFieldProblem(422, '/donations', 'donation-or-donations', buildText('payment-problems', 'donationAndDonations'))

export const newAmountsMissingProblem = () =>
  newFieldProblem(422, '/donations', 'amounts-missing', buildText('payment-problems', 'amountsMissing'))

export const newSharesDifferProblem = (entryCents: number, saidCents: number) =>
  newFieldProblem(
    422,
    '/donations',
    'shares-differ',
    buildText('payment-problems', 'sharesDiffer', { amount: toAmount(entryCents), sum: toAmount(saidCents) })
  )

export const newAmountNeededForCurrencyProblem = (currency: string) =>
  newFieldProblem(
    422,
    '/donation/amount',
    'other-currency',
    buildText('payment-problems', 'amountNeededForCurrency', { currency })
  )

export const newSplitInOtherCurrencyProblem = () =>
  newFieldProblem(422, '/donations', 'other-currency', buildText('payment-problems', 'splitInOtherCurrency'))

export const newAccountLengthsDifferProblem = () =>
  newFieldProblem(422, '/bank', 'account-lengths', buildText('payment-problems', 'accountLengthsDiffer'))

export const newDatevCurrencyProblem = (currency: string) =>
  new Problem(409, 'datev-currency', buildText('payment-problems', 'datevCurrency', { currency }))

export const newDatevTooLongProblem = (count: number, most: number) =>
  new Problem(409, 'datev-too-long', buildText('payment-problems', 'datevTooLong', { count, most }))
