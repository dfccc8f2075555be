import type { Language } from '#platform/language.ts'
import { formatMoment } from '#platform/messages/format-day.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

export const newCampaignNotFoundProblem = (id: number) =>
  new Problem(
    404,
    'campaign-not-found',
    id === 0
      ? buildText('campaign-problems', 'noSuchCampaign')
      : buildText('campaign-problems', 'campaignNotFound', { id })
  )

export const newHomeCampaignNotFoundProblem = (id: number) =>
  newFieldProblem(
    422,
    '/homeCampaignId',
    'campaign-not-found',
    buildText('campaign-problems', 'homeCampaignNotFound', { id })
  )

export const newCampaignEndsBeforeStartProblem = () =>
  newFieldProblem(400, '/endsAt', 'ends-before-start', buildText('campaign-problems', 'campaignEndsBeforeStart'))

export const newTooManyPresetAmountsProblem = (most: number) =>
  newFieldProblem(400, '/presetAmounts', 'too-many', buildText('campaign-problems', 'tooManyPresetAmounts', { most }))

export const newPresetAmountsNotAscendingProblem = (index: number) =>
  newFieldProblem(
    400,
    `/presetAmounts/${index}`,
    'not-ascending',
    buildText('campaign-problems', 'presetAmountsNotAscending', { index })
  )

export const newPresetAmountTooSmallProblem = (minimumCents: number) =>
  newFieldProblem(
    422,
    '/presetAmounts/0',
    'preset-too-small',
    buildText('campaign-problems', 'presetAmountTooSmall', { amount: toAmount(minimumCents) })
  )

/** The presets are not in the request, so the error names its donationMinimum. */
export const newMinimumAbovePresetsProblem = (leastPresetCents: number) =>
  newFieldProblem(
    422,
    '/donationMinimum',
    'preset-too-small',
    buildText('campaign-problems', 'minimumAbovePresets', { amount: toAmount(leastPresetCents) })
  )

export const newTranslationWithoutNameProblem = (language: Language) =>
  newFieldProblem(
    422,
    `/translations/${language}/name`,
    'translation-without-name',
    buildText('campaign-problems', 'translationWithoutName', { language })
  )

export const newCampaignDraftProblem = () =>
  new Problem(409, 'campaign-is-draft', buildText('campaign-problems', 'campaignDraft'))

export const newCampaignClosedProblem = () =>
  new Problem(409, 'campaign-is-closed', buildText('campaign-problems', 'campaignClosed'))

export const newCampaignNotStartedProblem = (startsAt: string) =>
  new Problem(
    409,
    'campaign-not-started',
    buildText('campaign-problems', 'campaignNotStarted', language => ({ startsAt: formatMoment(startsAt, language) }))
  )

export const newCampaignEndedProblem = (endsAt: string) =>
  new Problem(
    409,
    'campaign-has-ended',
    buildText('campaign-problems', 'campaignEnded', language => ({ endsAt: formatMoment(endsAt, language) }))
  )
