import type { Language } from '#platform/language.ts'
import { fieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from './money.ts'

export const campaignNotFound = (id: number) =>
  new Problem(404, 'campaign-not-found', {
    en: id === 0 ? 'There is no such campaign.' : `There is no campaign ${id}.`,
    de: id === 0 ? 'Diese Kampagne gibt es nicht.' : `Die Kampagne ${id} gibt es nicht.`
  })

export const donationNotFound = () =>
  new Problem(404, 'donation-not-found', {
    en: 'There is no such donation in this campaign.',
    de: 'Diese Spende gibt es in dieser Kampagne nicht.'
  })

export const noDonationForToken = () =>
  new Problem(404, 'donation-not-found', {
    en: 'There is no donation at this address.',
    de: 'Unter dieser Adresse gibt es keine Spende.'
  })

export const noteNotFound = () =>
  new Problem(404, 'note-not-found', {
    en: 'This donation has no such note.',
    de: 'Diese Notiz gibt es zu dieser Spende nicht.'
  })

export const wrongNumberOfDonations = (most: number) =>
  fieldProblem(400, '/donations', 'wrong-number', {
    en: `donations must be 1 to ${most} donations.`,
    de: `donations müssen 1 bis ${most} Spenden sein.`
  })

export const campaignEndsBeforeStart = () =>
  fieldProblem(400, '/endsAt', 'ends-before-start', {
    en: 'endsAt must be later than startsAt.',
    de: 'endsAt muss nach startsAt liegen.'
  })

export const tooManyPresetAmounts = (most: number) =>
  fieldProblem(400, '/presetAmounts', 'too-many', {
    en: `presetAmounts must be at most ${most} amounts.`,
    de: `presetAmounts dürfen höchstens ${most} Beträge sein.`
  })

export const presetAmountsNotAscending = (index: number) =>
  fieldProblem(400, `/presetAmounts/${index}`, 'not-ascending', {
    en: `presetAmounts.${index} must be larger than the amount before it.`,
    de: `presetAmounts.${index} muss größer sein als der Betrag davor.`
  })

export const presetAmountTooSmall = (minimumCents: number) =>
  fieldProblem(422, '/presetAmounts/0', 'preset-too-small', {
    en: `presetAmounts.0 must be at least ${toAmount(minimumCents)}, which is donationMinimum.`,
    de: `presetAmounts.0 muss mindestens ${toAmount(minimumCents)} sein: Das ist donationMinimum.`
  })

export const campaignIsDraft = () =>
  new Problem(409, 'campaign-is-draft', {
    en: 'The campaign is a draft and does not take donations yet.',
    de: 'Die Kampagne ist ein Entwurf und nimmt noch keine Spenden an.'
  })

export const campaignIsClosed = () =>
  new Problem(409, 'campaign-is-closed', {
    en: 'The campaign is closed and takes no more donations.',
    de: 'Die Kampagne ist geschlossen und nimmt keine Spenden mehr an.'
  })

export const campaignNotStarted = (startsAt: string) =>
  new Problem(409, 'campaign-not-started', {
    en: `The campaign takes donations from ${startsAt} on.`,
    de: `Die Kampagne nimmt Spenden ab ${startsAt} an.`
  })

export const campaignHasEnded = (endsAt: string) =>
  new Problem(409, 'campaign-has-ended', {
    en: `The campaign ended at ${endsAt}.`,
    de: `Die Kampagne endete am ${endsAt}.`
  })

export const donationTooSmall = (minimumCents: number, currency: string) =>
  fieldProblem(422, '/amount', 'donation-too-small', {
    en: `amount must be at least ${money('en', minimumCents, currency)}: that is the smallest donation to this campaign.`,
    de: `amount muss mindestens ${money('de', minimumCents, currency)} sein: Das ist die kleinste Spende für diese Kampagne.`
  })

export const onlyTreasurersRecordReceivedMoney = () =>
  fieldProblem(422, '/status', 'status-needs-treasurer', {
    en: 'status must be IN_PROCESS or absent: only a treasurer records money that has arrived.',
    de: 'status muss IN_PROCESS sein oder fehlen: Nur Kassenführende verbuchen Geld, das da ist.'
  })

export const illegalStatusChange = (from: string, to: string, allowed: readonly string[]) =>
  fieldProblem(422, '/status', 'illegal-status-change', {
    en: `status cannot change from ${from} to ${to}; ${allowed.length === 0 ? `${from} is final` : `it can become ${allowed.join(' or ')}`}.`,
    de: `status kann nicht von ${from} zu ${to} wechseln; ${allowed.length === 0 ? `${from} ist endgültig` : `möglich ist ${allowed.join(' oder ')}`}.`
  })

export const donationCannotBeDeleted = (status: string) =>
  new Problem(409, 'donation-cannot-be-deleted', {
    en: `A donation that is ${status} stays in the books.${status === 'TRANSFERRED' ? ' Set its status to REFUNDED instead.' : ''}`,
    de: `Eine Spende mit dem Status ${status} bleibt in den Büchern.${status === 'TRANSFERRED' ? ' Setzen Sie ihren Status auf REFUNDED.' : ''}`
  })

function money(language: Language, cents: number, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(toAmount(cents))
}
