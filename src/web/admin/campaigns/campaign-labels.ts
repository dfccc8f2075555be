import { accountRequestWords } from '../../text/account-requests.ts'
import { campaignWords } from '../../text/campaigns.ts'
import { isSecondPersonNeeded } from '../account-requests/account-request-notices.tsx'
import type { Desk } from '../console.ts'
import { type Difference, differencesIn } from '../editor.tsx'
import { refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'
import type { CampaignDraft } from './campaign-form.tsx'
import type { CampaignInput } from './campaign-input.ts'

/** What the API refused, by the fields of the form and in their words. */
export function toRefusal(desk: Desk, error: unknown): Pick<CampaignDraft, 'errors' | 'general'> {
  const { fields, general } = refusedForm(error)
  const { wrong } = campaignWords[desk.language]
  const instead = {
    ...(fields.imageUrl === undefined ? {} : { imageUrl: wrong.imageUrl }),
    ...(isSecondPersonNeeded(error) ? { 'account/iban': accountRequestWords[desk.language].newRefused } : {})
  }
  const said = spoken(fields, labelsByPath(desk), instead)
  const errors = Object.entries(said).map(([path, message]) => [
    namesByPath[path] ?? (/^translations/.test(path) ? 'name' : /^presetAmounts/.test(path) ? 'presets' : path),
    message
  ])
  return { errors: Object.fromEntries(errors), general }
}

const namesByPath: Record<string, keyof CampaignInput> = {
  name: 'name',
  description: 'story',
  donationMinimum: 'minimum',
  targetAmount: 'target',
  presetAmounts: 'presets',
  'account/iban': 'iban',
  'account/name': 'holder',
  'account/nameOfBank': 'bank',
  startsAt: 'startDate',
  endsAt: 'endDate',
  status: 'status',
  imageUrl: 'imageUrl',
  imageAlt: 'imageAlt'
}

/** What the fields are called, in the order of the form. */
function listLabels(desk: Desk): Record<keyof CampaignInput, string> {
  const { form } = campaignWords[desk.language]
  return {
    name: form.name,
    story: form.story,
    target: form.target,
    minimum: form.minimum,
    presets: form.presets,
    holder: form.holder,
    iban: form.iban,
    bank: form.bank,
    startDate: form.startDate,
    startTime: form.startTime,
    endDate: form.endDate,
    endTime: form.endTime,
    status: form.status,
    image: form.image,
    imageUrl: form.imageUrlOnly,
    imageAlt: form.imageAlt
  }
}

function labelsByPath(desk: Desk): Record<string, string> {
  const labels = listLabels(desk)
  return Object.fromEntries(Object.entries(namesByPath).map(([path, name]) => [path, labels[name]]))
}

/** What somebody else has saved meanwhile. */
export function listDifferences(desk: Desk, theirs: CampaignInput, yours: CampaignInput): Difference[] {
  const statuses: Record<string, string> = campaignWords[desk.language].statuses
  const readable = (input: CampaignInput) => ({
    ...input,
    status: statuses[input.status] ?? input.status,
    iban: input.iban.replaceAll(' ', ''),
    image: input.image === '' ? '' : `#${input.image}`
  })
  return differencesIn(listLabels(desk), readable(theirs), readable(yours))
}
