import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

export const newPayerRuleNotFoundProblem = () =>
  new Problem(404, 'payer-rule-not-found', buildText('statement-problems', 'payerRuleNotFound'))

export const newPayerMissingProblem = () =>
  newFieldProblem(422, '/iban', 'payer-missing', buildText('statement-problems', 'payerMissing'))

export const newPayerHasNoIbanProblem = (pointer: '/entry' | '/remember' | '/allOfPayer') =>
  newFieldProblem(
    422,
    pointer,
    'payer-without-iban',
    buildText('statement-problems', 'payerHasNoIban', { field: pointer.slice(1) })
  )

export const newRuleCampaignMissingProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-missing', buildText('statement-problems', 'ruleCampaignMissing'))

export const newRuleCampaignNotExpectedProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-not-used', buildText('statement-problems', 'ruleCampaignNotExpected'))

export const newEntryCampaignMissingProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-missing', buildText('statement-problems', 'entryCampaignMissing'))

export const newEntryCampaignNotFoundProblem = (id: number) =>
  newFieldProblem(
    422,
    '/campaignId',
    'campaign-not-found',
    buildText('statement-problems', 'entryCampaignNotFound', { id })
  )

export const newEntryCampaignDraftProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-is-draft', buildText('statement-problems', 'entryCampaignDraft'))

export const newEntryDonorNameMissingProblem = () =>
  newFieldProblem(422, '/donorName', 'donor-name-missing', buildText('statement-problems', 'entryDonorNameMissing'))

export const newEntryOutgoingProblem = () =>
  new Problem(409, 'entry-is-outgoing', buildText('statement-problems', 'entryOutgoing'))

export const newEntryNotOpenProblem = (result: string) =>
  new Problem(409, 'entry-is-not-open', buildText('statement-problems', 'entryNotOpen', { result }))

export const newEntryDonationAmountProblem = (cents: number) =>
  newFieldProblem(
    422,
    '/amount',
    'amount-differs',
    buildText('statement-problems', 'entryDonationAmount', { amount: toAmount(cents) })
  )

export const newEntryDonationCurrencyProblem = (currency: string, ofCampaign: string) =>
  newFieldProblem(
    422,
    '/amount',
    'other-currency',
    buildText('statement-problems', 'entryDonationCurrency', { currency, ofCampaign })
  )

export const newAmountForOneEntryProblem = () =>
  newFieldProblem(422, '/amount', 'amount-for-one', buildText('statement-problems', 'amountForOneEntry'))

export const newTooManyPayerEntriesProblem = (most: number) =>
  newFieldProblem(422, '/allOfPayer', 'too-many', buildText('statement-problems', 'tooManyPayerEntries', { most }))

export const newExtraNeedsDonationProblem = () =>
  newFieldProblem(422, '/extra', 'donation-missing', buildText('statement-problems', 'extraNeedsDonation'))

export const newNoExtraProblem = (waitsCents: number) =>
  newFieldProblem(
    422,
    '/extra',
    'no-extra',
    buildText('statement-problems', 'noExtra', { amount: toAmount(waitsCents) })
  )

export const newExtraInOtherCurrencyProblem = () =>
  newFieldProblem(422, '/extra', 'other-currency', buildText('statement-problems', 'extraInOtherCurrency'))

export const newRememberNeedsIgnoredProblem = () =>
  newFieldProblem(422, '/remember', 'remember-without-ignored', buildText('statement-problems', 'rememberNeedsIgnored'))

export const newCollectionNotAloneProblem = () =>
  newFieldProblem(422, '/collectionId', 'collection-alone', buildText('statement-problems', 'collectionNotAlone'))

export const newEntryCollectionNotFoundProblem = () =>
  newFieldProblem(
    422,
    '/collectionId',
    'collection-not-found',
    buildText('statement-problems', 'entryCollectionNotFound')
  )

export const newStatementNotFoundProblem = (id: number) =>
  new Problem(
    404,
    'statement-not-found',
    id === 0
      ? buildText('statement-problems', 'noSuchStatement')
      : buildText('statement-problems', 'statementNotFound', { id })
  )

export const newEntryNotFoundProblem = () =>
  new Problem(404, 'entry-not-found', buildText('statement-problems', 'entryNotFound'))

export const newStatementFileMissingProblem = () =>
  newFieldProblem(400, '/file', 'required', buildText('statement-problems', 'statementFileMissing'))

export const newInvalidMappingProblem = (columnsMax: number) =>
  newFieldProblem(400, '/mapping', 'mapping', buildText('statement-problems', 'invalidMapping', { columnsMax }))

export const newIgnoredAndAssignedProblem = () =>
  newFieldProblem(422, '/ignored', 'ignored-and-assigned', buildText('statement-problems', 'ignoredAndAssigned'))

export const newEntryAssignedProblem = () =>
  new Problem(409, 'entry-is-assigned', buildText('statement-problems', 'entryAssigned'))

export const newEntryNotAssignableProblem = (result: string) =>
  new Problem(
    409,
    'entry-cannot-be-assigned',
    result === 'known'
      ? buildText('statement-problems', 'entryKnown')
      : buildText('statement-problems', 'nothingToBook')
  )
export const newEntryDonationNotFoundProblem = () =>
  newFieldProblem(422, '/donation', 'donation-not-found', buildText('statement-problems', 'entryDonationNotFound'))

export const newNoSuggestionProblem = () =>
  new Problem(409, 'nothing-suggested', buildText('statement-problems', 'noSuggestion'))

export const newEntryCountProblem = (most: number) =>
  newFieldProblem(400, '/entries', 'wrong-number', buildText('statement-problems', 'entryCount', { most }))
