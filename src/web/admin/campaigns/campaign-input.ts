import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { type Language, otherLanguage } from '#platform/language.ts'
import type { SiteAccount } from '#platform/site/schema.ts'
import type { Image } from '../../calendar-api.ts'
import { ibanInFours, money } from '../../format.ts'
import { plainIban } from '../../iban.ts'
import { ibanWrong } from '../../iban-words.ts'
import { campaignWords } from '../../text/campaigns.ts'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'
import { imageChosen } from '../images/image-field.tsx'
import { amountsIn, centsIn, exactAmount, toCents, typedAmount, typedAmounts } from '../typed-amount.ts'
import { momentIn, typedMoment } from '../typed-moment.ts'

/** Everything in the editor of a campaign, as it is typed. */
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
  /** The number of an uploaded one. */
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
    iban: ibanInFours(account?.iban ?? ''),
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

/** The text of one language; undefined where it is not written. */
export function textIn(campaign: Campaign, language: Language): { name: string; description: string } | undefined {
  return campaign.language === language ? campaign : campaign.translations[language]
}

export function campaignInputOf(desk: Desk, campaign: Campaign, language: Language): CampaignInput {
  const text = textIn(campaign, language)
  const [start, end] = [campaign.startsAt, campaign.endsAt].map(at => typedMoment(at, desk.site.timezone))
  const amount = (value: number) => typedAmount(toCents(value), desk.language)
  const uploaded = uploadedNumber(campaign.imageUrl)
  return {
    name: text?.name ?? '',
    story: text?.description ?? '',
    target: amount(campaign.targetAmount),
    minimum: amount(campaign.donationMinimum),
    presets: typedAmounts(campaign.presetAmounts, desk.language),
    holder: campaign.account.name,
    iban: ibanInFours(campaign.account.iban),
    bank: campaign.account.nameOfBank,
    startDate: start?.date ?? '',
    startTime: start?.time ?? '',
    endDate: end?.date ?? '',
    endTime: end?.time ?? '',
    status: campaign.status,
    image: desk.may('editor') ? uploaded : '',
    imageUrl: desk.may('editor') && uploaded !== '' ? '' : (campaign.imageUrl ?? ''),
    imageAlt: campaign.imageAlt
  }
}

/** Uploaded images have their number in their path. */
function uploadedNumber(url: string | null): string {
  return /^\/media\/(\d{1,15})\//.exec(url ?? '')?.[1] ?? ''
}

export function campaignInputFrom(desk: Desk): CampaignInput {
  const text = (name: keyof CampaignInput) => field(desk, name)
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
    image: imageChosen(desk),
    imageUrl: text('imageUrl'),
    imageAlt: text('imageAlt')
  }
}

/** What the API is sent; whatever else is in it, it has an account. */
export type CampaignBody = Record<string, unknown> & { account: { iban: string; name: string; nameOfBank: string } }

export type CampaignReading = { body: CampaignBody } | { errors: Record<string, string> }

/** What the API is sent, or what is wrong by the name of the field. `saved` is what the campaign is now. */
export function readCampaign(
  desk: Desk,
  input: CampaignInput,
  { language, saved, image }: { language: Language; saved: Campaign | undefined; image: Image | undefined }
): CampaignReading {
  const words = campaignWords[desk.language]
  const errors: Record<string, string | undefined> = {}
  const texts = textsAfter(input, language, saved)
  if (texts === undefined) errors.name = input.story === '' ? words.wrong.name : words.wrong.nameForStory
  const target = amountOf(desk, input.target, words.wrong.target)
  const minimum = amountOf(desk, input.minimum === '' ? '0' : input.minimum, '')
  if (typeof target === 'string') errors.target = target
  else if (target === 0) errors.target = words.wrong.targetZero
  if (typeof minimum === 'string') errors.minimum = minimum
  const presets = presetsOf(desk, input.presets, typeof minimum === 'number' ? minimum : 0)
  if (typeof presets === 'string') errors.presets = presets
  const iban = plainIban(input.iban)
  errors.holder = input.holder === '' ? words.wrong.holder : undefined
  errors.iban = iban === '' ? words.wrong.ibanMissing : ibanWrong(iban, desk.language)
  const start = momentIn(
    desk,
    { date: input.startDate, time: input.startTime },
    { saved: saved?.startsAt ?? null, timeByDefault: '00:00:00' }
  )
  const end = momentIn(
    desk,
    { date: input.endDate, time: input.endTime },
    { saved: saved?.endsAt ?? null, timeByDefault: '23:59:59' }
  )
  if (!('instant' in start)) Object.assign(errors, named('start', start))
  if (!('instant' in end)) Object.assign(errors, named('end', end))
  if ('instant' in start && 'instant' in end && start.instant !== null && end.instant !== null) {
    if (Date.parse(end.instant) <= Date.parse(start.instant)) errors.endDate = words.wrong.endsFirst
  }
  if (input.image !== '' && input.imageUrl !== '') errors.imageUrl = words.wrong.imageTwice
  const wrong = Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (wrong.length > 0 || texts === undefined || !('instant' in start) || !('instant' in end)) {
    return { errors: Object.fromEntries(wrong) }
  }
  return {
    body: {
      ...texts,
      donationMinimum: exactAmount(Number(minimum)),
      targetAmount: exactAmount(Number(target)),
      presetAmounts: typeof presets === 'string' ? [] : presets.map(exactAmount),
      account: { iban, name: input.holder, nameOfBank: input.bank },
      status: input.status,
      startsAt: start.instant,
      endsAt: end.instant,
      imageUrl: imageAfter(input, saved, image),
      imageAlt: input.imageAlt === '' ? (image?.alt ?? '').slice(0, 300) : input.imageAlt
    }
  }
}

function named(which: 'start' | 'end', wrong: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wrong).map(([part, message]) => [`${which}${part === 'date' ? 'Date' : 'Time'}`, message])
  )
}

type Texts = Pick<Campaign, 'language' | 'name' | 'description' | 'translations'>

/** All texts after this one is saved. An emptied one goes, unless it is the only one. */
function textsAfter(input: CampaignInput, language: Language, saved: Campaign | undefined): Texts | undefined {
  const second = otherLanguage(language)
  const other = saved === undefined ? undefined : textIn(saved, second)
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

function amountOf(desk: Desk, typed: string, missing: string): number | string {
  return typed === '' ? missing : centsIn(typed, desk.language)
}

/** As many as the API takes. */
const presetsMax = 8

function presetsOf({ language, site }: Desk, typed: string, minimumCents: number): number[] | string {
  const words = campaignWords[language].form
  if (typed === '') return []
  const read = amountsIn(typed, language)
  if ('ambiguous' in read) {
    return words.presetsAmbiguous(
      read.ambiguous.slice(0, 40),
      read.ambiguous.replaceAll(',', '; ').slice(0, 40),
      read.ambiguous.replace(',', '.').slice(0, 40)
    )
  }
  if ('error' in read) return read.error
  if (read.cents.length > presetsMax) return words.presetsMany
  const [least = minimumCents] = read.cents
  if (least === 0) return words.presetsZero
  return least < minimumCents ? words.presetsSmall(money(language, site.currency, minimumCents / 100)) : read.cents
}

/** One that is kept stays exactly what it is, also where its upload is not there any more. */
function imageAfter(input: CampaignInput, saved: Campaign | undefined, image: Image | undefined): string | null {
  if (input.image !== '' && saved !== undefined && uploadedNumber(saved.imageUrl) === input.image) return saved.imageUrl
  return image === undefined ? input.imageUrl || null : pathOfImage(image)
}

/** Large enough for a page, and without the host, which may change. */
function pathOfImage(image: Image): string {
  const url = image.sizes.large?.url ?? image.url
  return URL.canParse(url) ? new URL(url).pathname : url
}
