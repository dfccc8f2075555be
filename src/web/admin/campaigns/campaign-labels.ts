import { isSecondPersonNeeded } from '../account-requests/account-request-notices.tsx'
import { accountRequestStrings } from '../account-requests/strings.ts'
import type { AdminContext } from '../shared/context.ts'
import { type Difference, listFieldDifferences } from '../shared/editor.tsx'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { toFormErrors } from '../shared/form.tsx'
import type { CampaignDraft } from './campaign-form.tsx'
import type { CampaignInput } from './campaign-input.ts'
import { campaignStrings } from './strings.ts'

/** Maps errors of the API to the form's fields, with their labels. */
export function toCampaignErrors(context: AdminContext, error: unknown): Pick<CampaignDraft, 'errors' | 'general'> {
  const { fields, general } = toFormErrors(error)
  const { wrong } = campaignStrings[context.language]
  const instead = {
    ...(fields.imageUrl === undefined ? {} : { imageUrl: wrong.imageUrl }),
    ...(isSecondPersonNeeded(error) ? { 'account/iban': accountRequestStrings[context.language].newRefused } : {})
  }
  const said = toLabelledErrors(fields, getLabelsByPath(context), instead)
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

/** Labels of the fields, in the order of the form. */
function listLabels(context: AdminContext): Record<keyof CampaignInput, string> {
  const { form } = campaignStrings[context.language]
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

function getLabelsByPath(context: AdminContext): Record<string, string> {
  const labels = listLabels(context)
  return Object.fromEntries(Object.entries(namesByPath).map(([path, name]) => [path, labels[name]]))
}

/** Fields that another user has saved differently in the meantime. */
export function listDifferences(context: AdminContext, theirs: CampaignInput, yours: CampaignInput): Difference[] {
  const statuses: Record<string, string> = campaignStrings[context.language].statuses
  const readable = (input: CampaignInput) => ({
    ...input,
    status: statuses[input.status] ?? input.status,
    iban: input.iban.replaceAll(' ', ''),
    image: input.image === '' ? '' : `#${input.image}`
  })
  return listFieldDifferences(listLabels(context), readable(theirs), readable(yours))
}
