import { type Campaign, presetAmountsMax } from '#fundraising/campaigns/schema.ts'
import { getOtherLanguage, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { SiteAccount } from '#platform/site/schema.ts'
import { formatIban, formatMoney } from '../../format/format.ts'
import { normalizeIban } from '../../format/iban.ts'
import type { Image } from '../../server/calendar-api.ts'
import { describeIbanError } from '../../strings/iban-error.ts'
import { isSecondPersonNeeded } from '../account-requests/account-request-notices.tsx'
import { getImagePath } from '../images/image-field.tsx'
import type { AdminContext } from '../shared/context.ts'
import { type Difference, type FormErrors, listFieldDifferences } from '../shared/editor.tsx'
import { toFormErrors } from '../shared/form.tsx'
import { listFields } from '../shared/forms/field-definition.ts'
import { getLabels, newInput, toBody, toInput, toNamedErrors } from '../shared/forms/form-input.ts'
import { formatAmountListInput, formatApiAmount, parseAmounts, toCents } from '../shared/parse-amount.ts'
import { parseDateTime, toDateTimeInput } from '../shared/parse-datetime.ts'
import { type CampaignInput, campaignFields } from './campaign-fields.ts'

export function newCampaignInput(account: SiteAccount | null | undefined): CampaignInput {
  return {
    ...newInput(campaignFields),
    holder: account?.name ?? '',
    iban: formatIban(account?.iban ?? ''),
    bank: account?.nameOfBank ?? ''
  }
}

/** Name and description in one language; undefined if not translated. */
export function getText(campaign: Campaign, language: Language): { name: string; description: string } | undefined {
  return campaign.language === language ? campaign : campaign.translations[language]
}

export function toCampaignInput(context: AdminContext, campaign: Campaign, language: Language): CampaignInput {
  const text = getText(campaign, language)
  const [start, end] = [campaign.startsAt, campaign.endsAt].map(at => toDateTimeInput(at, context.site.timezone))
  const uploaded = context.hasRole('editor') ? parseUploadId(campaign.imageUrl) : ''
  return {
    ...toInput(context, campaignFields, campaign),
    name: text?.name ?? '',
    story: text?.description ?? '',
    presets: formatAmountListInput(campaign.presetAmounts, context.language),
    iban: formatIban(campaign.account.iban),
    startDate: start?.date ?? '',
    startTime: start?.time ?? '',
    endDate: end?.date ?? '',
    endTime: end?.time ?? '',
    image: uploaded,
    imageDecorative: campaign.imageUrl !== null && campaign.imageAlt === '' ? 'yes' : '',
    imageUrl: uploaded === '' ? (campaign.imageUrl ?? '') : ''
  }
}

/** The path of an uploaded image contains its id. */
export function parseUploadId(url: string | null): string {
  return /^\/media\/(\d{1,15})\//.exec(url ?? '')?.[1] ?? ''
}

/** Request body for the API; it always has an account. */
export type CampaignBody = Record<string, unknown> & { account: { iban: string; name: string; nameOfBank: string } }

export type CampaignResult = { body: CampaignBody } | { errors: Record<string, string> }

/** Returns the request body for the API, or errors by field name. `saved` is the campaign as stored. */
export function validateCampaign(
  context: AdminContext,
  input: CampaignInput,
  { language, saved, image }: { language: Language; saved: Campaign | undefined; image: Image | undefined }
): CampaignResult {
  const strings = getMessages('campaign', context.language)
  const converted = toBody(context, campaignFields, input)
  const errors: Record<string, string | undefined> = { ...converted.errors }
  const texts = mergeTexts(input, language, saved)
  if (texts === undefined) errors.name = input.story === '' ? strings.wrong.name : strings.wrong.nameForStory
  if (input.target === '') errors.target = strings.wrong.target
  if (converted.body.targetAmount === '0.00') errors.target = strings.wrong.targetZero
  const presets = parsePresets(context, input.presets, toCents(Number(converted.body.donationMinimum ?? 0)))
  if (typeof presets === 'string') errors.presets = presets
  const iban = normalizeIban(input.iban)
  errors.holder = input.holder === '' ? strings.wrong.holder : undefined
  errors.iban = iban === '' ? strings.wrong.ibanMissing : describeIbanError(iban, context.language)
  const start = parseDateTime(
    context,
    { date: input.startDate, time: input.startTime },
    { saved: saved?.startsAt ?? null, timeByDefault: '00:00:00' }
  )
  const end = parseDateTime(
    context,
    { date: input.endDate, time: input.endTime },
    { saved: saved?.endsAt ?? null, timeByDefault: '23:59:59' }
  )
  if (!('instant' in start)) Object.assign(errors, prefixNames('start', start))
  if (!('instant' in end)) Object.assign(errors, prefixNames('end', end))
  if ('instant' in start && 'instant' in end && start.instant !== null && end.instant !== null) {
    if (Date.parse(end.instant) <= Date.parse(start.instant)) errors.endDate = strings.wrong.endsFirst
  }
  if (input.image !== '' && input.imageUrl !== '') errors.imageUrl = strings.wrong.imageTwice
  const hasImage = input.image !== '' || input.imageUrl !== ''
  const imageAlt = chooseImageAlt(input, image)
  if (hasImage && imageAlt === '' && input.imageDecorative === '') errors.imageAlt = strings.wrong.imageAlt
  const wrong = listFields(campaignFields).flatMap(({ name }) => {
    const error = errors[name]
    return error === undefined ? [] : [[name, error]]
  })
  if (wrong.length > 0 || texts === undefined || !('instant' in start) || !('instant' in end)) {
    return { errors: Object.fromEntries(wrong) }
  }
  return {
    body: {
      ...converted.body,
      ...texts,
      presetAmounts: typeof presets === 'string' ? [] : presets.map(formatApiAmount),
      account: { iban, name: input.holder, nameOfBank: input.bank },
      startsAt: start.instant,
      endsAt: end.instant,
      imageUrl: chooseImageUrl(input, saved?.imageUrl ?? null, image),
      imageAlt
    }
  }
}

function prefixNames(which: 'start' | 'end', wrong: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wrong).map(([part, message]) => [`${which}${part === 'date' ? 'Date' : 'Time'}`, message])
  )
}

type Texts = Pick<Campaign, 'language' | 'name' | 'description' | 'translations'>

/** Merges the edited text into the others. An emptied text is removed, unless it is the only one. */
function mergeTexts(input: CampaignInput, language: Language, saved: Campaign | undefined): Texts | undefined {
  const second = getOtherLanguage(language)
  const other = saved === undefined ? undefined : getText(saved, second)
  if (input.name === '') {
    if (input.story !== '' || other === undefined) return undefined
    return { language: second, name: other.name, description: other.description, translations: {} }
  }
  const own = { name: input.name, description: input.story }
  const otherText = other === undefined ? undefined : { name: other.name, description: other.description }
  if (otherText !== undefined && saved?.language === second) {
    return { language: second, ...otherText, translations: { [language]: own } }
  }
  return { language, ...own, translations: otherText === undefined ? {} : { [second]: otherText } }
}

function parsePresets({ language, site }: AdminContext, typed: string, minimumCents: number): number[] | string {
  const strings = getMessages('campaign', language).form
  if (typed === '') return []
  const read = parseAmounts(typed, language)
  if ('ambiguous' in read) {
    return strings.presetsAmbiguous({
      typed: read.ambiguous.slice(0, 40),
      two: read.ambiguous.replaceAll(',', '; ').slice(0, 40),
      one: read.ambiguous.replace(',', '.').slice(0, 40)
    })
  }
  if ('error' in read) return read.error
  if (read.cents.length > presetAmountsMax) return strings.presetsMany
  const [least = minimumCents] = read.cents
  if (least === 0) return strings.presetsZero
  return least < minimumCents
    ? strings.presetsSmall({ amount: formatMoney(language, site.currency, minimumCents / 100) })
    : read.cents
}

/** The typed text, else that of the upload; a decorative image has none. */
function chooseImageAlt({ imageAlt, imageDecorative }: CampaignInput, image: Image | undefined): string {
  return imageAlt !== '' || imageDecorative !== '' ? imageAlt : (image?.alt ?? '').slice(0, 300)
}

/** An unchanged image keeps its URL exactly, even if its upload no longer exists. */
export function chooseImageUrl(
  input: { image: string; imageUrl: string },
  savedUrl: string | null,
  image: Image | undefined
): string | null {
  if (input.image !== '' && parseUploadId(savedUrl) === input.image) return savedUrl
  return image === undefined ? input.imageUrl || null : getImagePath(image)
}

/** Maps errors of the API to the form's fields, with their labels. */
export function toCampaignErrors(context: AdminContext, error: unknown): FormErrors {
  const { fields, general } = toFormErrors(error)
  const { form, wrong } = getMessages('campaign', context.language)
  const errors = toNamedErrors(campaignFields, form, fields, {
    imageUrl: wrong.imageUrl,
    'account/iban': isSecondPersonNeeded(error)
      ? getMessages('account-request', context.language).newRefused
      : undefined
  })
  const byField = Object.entries(errors).map(([name, message]) => [/^translations/.test(name) ? 'name' : name, message])
  return { errors: Object.fromEntries(byField), general }
}

/** Fields that another user has saved differently in the meantime. */
export function listDifferences(context: AdminContext, theirs: CampaignInput, yours: CampaignInput): Difference[] {
  const { form, statuses } = getMessages('campaign', context.language)
  const readable = (input: CampaignInput) => ({
    ...input,
    status: (statuses as Record<string, string>)[input.status] ?? input.status,
    iban: input.iban.replaceAll(' ', ''),
    image: input.image === '' ? '' : `#${input.image}`
  })
  return listFieldDifferences(getLabels(campaignFields, form), readable(theirs), readable(yours))
}
