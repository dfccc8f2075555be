import { joinByOr } from '#platform/messages/combine-texts.ts'
import { formatLongDay } from '#platform/messages/format-day.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'

export const newNoDirectDebitProblem = () =>
  new Problem(404, 'no-direct-debit', buildText('direct-debit-problems', 'noDirectDebit'))

export const newCreditorIncompleteProblem = () =>
  new Problem(409, 'no-direct-debit', buildText('direct-debit-problems', 'creditorIncomplete'))

export const newDirectDebitNotOfferedProblem = () =>
  newFieldProblem(422, '/mandate', 'no-direct-debit', buildText('direct-debit-problems', 'directDebitNotOffered'))

export const newCampaignWithoutDirectDebitProblem = () =>
  newFieldProblem(
    422,
    '/mandate',
    'campaign-without-direct-debit',
    buildText('direct-debit-problems', 'campaignWithoutDirectDebit')
  )

export const newMandateForReceivedMoneyProblem = () =>
  newFieldProblem(
    422,
    '/mandate',
    'mandate-for-received-money',
    buildText('direct-debit-problems', 'mandateForReceivedMoney')
  )

export const newMandateTextChangedProblem = () =>
  newFieldProblem(
    422,
    '/mandate/text',
    'mandate-text-changed',
    buildText('direct-debit-problems', 'mandateTextChanged')
  )

export const newAccountNotDebitableProblem = () =>
  newFieldProblem(
    422,
    '/account/iban',
    'iban-not-for-direct-debit',
    buildText('direct-debit-problems', 'accountNotDebitable')
  )

export const newMandateNotFoundProblem = () =>
  new Problem(404, 'mandate-not-found', buildText('direct-debit-problems', 'mandateNotFound'))

export const newDebitAtBankProblem = (collectOn: string) =>
  new Problem(
    409,
    'debit-is-at-the-bank',
    buildText('direct-debit-problems', 'debitAtBank', language => ({ collectOn: formatLongDay(collectOn, language) }))
  )

export const newDonationBeingCollectedProblem = (collectionId: number) =>
  new Problem(
    409,
    'donation-is-being-collected',
    buildText('direct-debit-problems', 'donationBeingCollected', { collectionId })
  )

export const newCollectionNotFoundProblem = () =>
  new Problem(404, 'collection-not-found', buildText('direct-debit-problems', 'collectionNotFound'))

export const newNothingToCollectProblem = (leftOut: { code: string; references: string[] }[]) => {
  const reasons = leftOut.map(({ code, references }) => `${code} (${references.join(', ')})`).join('; ')
  return new Problem(
    422,
    'nothing-to-collect',
    buildText('direct-debit-problems', 'nothingToCollect', { reasons, isSkipped: reasons !== '' })
  )
}

export const newWrongCollectionDayProblem = (earliest: string, latest: string) =>
  newFieldProblem(
    422,
    '/collectOn',
    'wrong-collection-day',
    buildText('direct-debit-problems', 'wrongCollectionDay', language => ({
      earliest: formatLongDay(earliest, language),
      latest: formatLongDay(latest, language)
    }))
  )

export const newCollectionSizeProblem = (most: number) =>
  newFieldProblem(400, '/donations', 'wrong-number', buildText('direct-debit-problems', 'collectionSize', { most }))

export const newIllegalCollectionStatusProblem = (from: string, to: string, allowed: readonly string[]) =>
  newFieldProblem(
    422,
    '/status',
    'illegal-status-change',
    buildText('direct-debit-problems', 'illegalCollectionStatus', language => ({
      from,
      to,
      isFinal: allowed.length === 0,
      allowed: joinByOr(allowed, language)
    }))
  )

export const newRecallRequiredProblem = () =>
  newFieldProblem(422, '/recalled', 'recall-first', buildText('direct-debit-problems', 'recallRequired'))

export const newCollectedTooEarlyProblem = (collectOn: string) =>
  new Problem(
    409,
    'collected-too-early',
    buildText('direct-debit-problems', 'collectedTooEarly', language => ({
      collectOn: formatLongDay(collectOn, language)
    }))
  )

export const newCollectionOutOfDateProblem = (references: string[]) => {
  const named = references.slice(0, 10).join(', ')
  return new Problem(
    409,
    'collection-out-of-date',
    buildText('direct-debit-problems', 'collectionOutOfDate', { named })
  )
}

export const newCollectionFileGoneProblem = () =>
  new Problem(410, 'collection-file-gone', buildText('direct-debit-problems', 'collectionFileGone'))
