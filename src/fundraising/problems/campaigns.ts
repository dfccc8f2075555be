import type { Language } from '#platform/language.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'
import { formatGermanMoment } from './german-date.ts'

export const newCampaignNotFoundProblem = (id: number) =>
  new Problem(404, 'campaign-not-found', {
    en: id === 0 ? 'There is no such campaign.' : `There is no campaign ${id}.`,
    de: id === 0 ? 'Diese Spendenaktion gibt es nicht.' : `Die Spendenaktion ${id} gibt es nicht.`
  })

export const newHomeCampaignNotFoundProblem = (id: number) =>
  newFieldProblem(422, '/homeCampaignId', 'campaign-not-found', {
    en: `homeCampaignId: campaign ${id} does not exist or is deleted.`,
    de: `homeCampaignId: Die Spendenaktion ${id} gibt es nicht, oder sie ist gelöscht.`
  })

export const newCampaignEndsBeforeStartProblem = () =>
  newFieldProblem(400, '/endsAt', 'ends-before-start', {
    en: 'endsAt must be later than startsAt.',
    de: 'endsAt muss nach startsAt liegen.'
  })

export const newTooManyPresetAmountsProblem = (most: number) =>
  newFieldProblem(400, '/presetAmounts', 'too-many', {
    en: `presetAmounts must contain at most ${most} amounts.`,
    de: `presetAmounts darf höchstens ${most} Beträge enthalten.`
  })

export const newPresetAmountsNotAscendingProblem = (index: number) =>
  newFieldProblem(400, `/presetAmounts/${index}`, 'not-ascending', {
    en: `presetAmounts.${index} must be larger than the amount before it.`,
    de: `presetAmounts.${index} muss größer sein als der Betrag davor.`
  })

export const newPresetAmountTooSmallProblem = (minimumCents: number) =>
  newFieldProblem(422, '/presetAmounts/0', 'preset-too-small', {
    en: `presetAmounts.0 must be at least ${toAmount(minimumCents)}, which is donationMinimum.`,
    de: `presetAmounts.0 muss mindestens ${toAmount(minimumCents)} sein: Das ist donationMinimum.`
  })

/** The presets are not in the request, so the error names its donationMinimum. */
export const newMinimumAbovePresetsProblem = (leastPresetCents: number) =>
  newFieldProblem(422, '/donationMinimum', 'preset-too-small', {
    en: `donationMinimum must be at most ${toAmount(leastPresetCents)}, the smallest of the campaign's presetAmounts. Send new presetAmounts with it, or null to remove them.`,
    de: `donationMinimum darf höchstens ${toAmount(leastPresetCents)} sein, der kleinste der presetAmounts der Spendenaktion. Senden Sie neue presetAmounts mit, oder null, um sie zu entfernen.`
  })

export const newTranslationWithoutNameProblem = (language: Language) =>
  newFieldProblem(422, `/translations/${language}/name`, 'translation-without-name', {
    en: `translations.${language}.name is required: the campaign has no text in this language yet.`,
    de: `translations.${language}.name fehlt: Die Spendenaktion hat noch keinen Text in dieser Sprache.`
  })

export const newCampaignDraftProblem = () =>
  new Problem(409, 'campaign-is-draft', {
    en: 'The campaign is a draft and does not accept donations yet.',
    de: 'Die Spendenaktion ist ein Entwurf und nimmt noch keine Spenden an.'
  })

export const newCampaignClosedProblem = () =>
  new Problem(409, 'campaign-is-closed', {
    en: 'The campaign is closed and no longer accepts donations.',
    de: 'Die Spendenaktion ist geschlossen und nimmt keine Spenden mehr an.'
  })

export const newCampaignNotStartedProblem = (startsAt: string) =>
  new Problem(409, 'campaign-not-started', {
    en: `The campaign accepts donations from ${startsAt}.`,
    de: `Die Spendenaktion nimmt Spenden ab ${formatGermanMoment(startsAt)} an.`
  })

export const newCampaignEndedProblem = (endsAt: string) =>
  new Problem(409, 'campaign-has-ended', {
    en: `The campaign ended at ${endsAt}.`,
    de: `Die Spendenaktion endete am ${formatGermanMoment(endsAt)}.`
  })
