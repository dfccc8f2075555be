import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getOtherLanguage, type Language } from '#platform/language.ts'
import type { SiteAccount } from '#platform/site/schema.ts'
import { formatIban, formatMoney } from '../../format/format.ts'
import { normalizeIban } from '../../format/iban.ts'
import type { Image } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { describeIbanError } from '../../strings/iban-error.ts'
import { getChosenImage } from '../images/image-field.tsx'
import type { AdminContext } from '../shared/context.ts'
import {
  formatAmountInput,
  formatAmountListInput,
  formatApiAmount,
  parseAmounts,
  parseCents,
  toCents
} from '../shared/parse-amount.ts'
import { parseDateTime, toDateTimeInput } from '../shared/parse-datetime.ts'
import { campaignStrings } from './strings.ts'

/** All fields of the campaign editor, as typed. */
export interface CampaignInput {
  name: string
  story: string
  target: string
  minimum: string
  presets: string
  holder: string
  iban: string
  bank: string
  startDate: string
  startTime: string
  endDate: string
  endTime: string
  status: string
  /** Id of an uploaded image. */
  image: string
  imageUrl: string
  imageAlt: string
}

export function newCampaignInput(account: SiteAccount | null | undefined): CampaignInput {
  return {
    name: '',
    story: '',
    target: '',
    minimum: '0',
    presets: '',
    holder: account?.name ?? '',
    iban: formatIban(account?.iban ?? ''),
    bank: account?.nameOfBank ?? '',
    startDate: '',
    startTime: '',
    endDate: '',
    endTime: '',
    status: 'draft',
    image: '',
    imageUrl: '',
    imageAlt: ''
  }
}

/** Name and description in one language; undefined if not translated. */
export function getText(campaign: Campaign, language: Language): { name: string; description: string } | undefined {
  return campaign.language === language ? campaign : campaign.translations[language]
}

export function toCampaignInput(context: AdminContext, campaign: Campaign, language: Language): CampaignInput {
  const text = getText(campaign, language)
  const [start, end] = [campaign.startsAt, campaign.endsAt].map(at => toDateTimeInput(at, context.site.timezone))
  const amount = (value: number) => formatAmountInput(toCents(value), context.language)
  const uploaded = parseUploadId(campaign.imageUrl)
  return {
    name: text?.name ?? '',
    story: text?.description ?? '',
    target: amount(campaign.targetAmount),
    minimum: amount(campaign.donationMinimum),
    presets: formatAmountListInput(campaign.presetAmounts, context.language),
    holder: campaign.account.name,
    iban: formatIban(campaign.account.iban),
    bank: campaign.account.nameOfBank,
    startDate: start?.date ?? '',
    startTime: start?.time ?? '',
    endDate: end?.date ?? '',
    endTime: end?.time ?? '',
    status: campaign.status,
    image: context.hasRole('editor') ? uploaded : '',
    imageUrl: context.hasRole('editor') && uploaded !== '' ? '' : (campaign.imageUrl ?? ''),
    imageAlt: campaign.imageAlt
  }
}

/** The path of an uploaded image contains its id. */
function parseUploadId(url: string | null): string {
  return /^\/media\/(\d{1,15})\//.exec(url ?? '')?.[1] ?? ''
}

export function parseCampaignInput(context: AdminContext): CampaignInput {
  const text = (name: keyof CampaignInput) => getFormField(context, name)
  return {
    name: text('name'),
    story: text('story').replaceAll('\r\n', '\n'),
    target: text('target'),
    minimum: text('minimum'),
    presets: text('presets'),
    holder: text('holder'),
    iban: text('iban'),
    bank: text('bank'),
    startDate: text('startDate'),
    startTime: text('startTime').slice(0, 5),
    endDate: text('endDate'),
    endTime: text('endTime').slice(0, 5),
    status: text('status'),
    image: getChosenImage(context),
    imageUrl: text('imageUrl'),
    imageAlt: text('imageAlt')
  }
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
  const strings = campaignStrings[context.language]
  const errors: Record<string, string | undefined> = {}
  const texts = mergeTexts(input, language, saved)
  if (texts === undefined) errors.name = input.story === '' ? strings.wrong.name : strings.wrong.nameForStory
  const target = parseRequiredCents(context, input.target, strings.wrong.target)
  const minimum = parseRequiredCents(context, input.minimum === '' ? '0' : input.minimum, '')
  if (typeof target === 'string') errors.target = target
  else if (target === 0) errors.target = strings.wrong.targetZero
  if (typeof minimum === 'string') errors.minimum = minimum
  const presets = parsePresets(context, input.presets, typeof minimum === 'number' ? minimum : 0)
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
  const wrong = Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (wrong.length > 0 || texts === undefined || !('instant' in start) || !('instant' in end)) {
    return { errors: Object.fromEntries(wrong) }
  }
  return {
    body: {
      ...texts,
      donationMinimum: formatApiAmount(Number(minimum)),
      targetAmount: formatApiAmount(Number(target)),
      presetAmounts: typeof presets === 'string' ? [] : presets.map(formatApiAmount),
      account: { iban, name: input.holder, nameOfBank: input.bank },
      status: input.status,
      startsAt: start.instant,
      endsAt: end.instant,
      imageUrl: chooseImageUrl(input, saved, image),
      imageAlt: input.imageAlt === '' ? (image?.alt ?? '').slice(0, 300) : input.imageAlt
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

function parseRequiredCents(context: AdminContext, typed: string, missing: string): number | string {
  return typed === '' ? missing : parseCents(typed, context.language)
}

/** Limit of the API. */
const presetsMax = 8

function parsePresets({ language, site }: AdminContext, typed: string, minimumCents: number): number[] | string {
  const strings = campaignStrings[language].form
  if (typed === '') return []
  const read = parseAmounts(typed, language)
  if ('ambiguous' in read) {
    return strings.presetsAmbiguous(
      read.ambiguous.slice(0, 40),
      read.ambiguous.replaceAll(',', '; ').slice(0, 40),
      read.ambiguous.replace(',', '.').slice(0, 40)
    )
  }
  if ('error' in read) return read.error
  if (read.cents.length > presetsMax) return strings.presetsMany
  const [least = minimumCents] = read.cents
  if (least === 0) return strings.presetsZero
  return least < minimumCents
    ? strings.presetsSmall(formatMoney(language, site.currency, minimumCents / 100))
    : read.cents
}

/** An unchanged image keeps its URL exactly, even if its upload no longer exists. */
function chooseImageUrl(input: CampaignInput, saved: Campaign | undefined, image: Image | undefined): string | null {
  if (input.image !== '' && saved !== undefined && parseUploadId(saved.imageUrl) === input.image) return saved.imageUrl
  return image === undefined ? input.imageUrl || null : getImagePath(image)
}

/** Size for a full page; without the host, which may change. */
function getImagePath(image: Image): string {
  const url = image.sizes.large?.url ?? image.url
  return URL.canParse(url) ? new URL(url).pathname : url
}
