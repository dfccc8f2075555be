import { type Campaign, presetAmountsMax } from '#fundraising/campaigns/schema.ts'
import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import { getNumberMarks, type Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { type AmountError, parseAmount } from '../../format/amount.ts'
import { formatMoney } from '../../format/format.ts'
import { normalizeIban } from '../../format/iban.ts'
import { getText } from '../../format/texts.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { describeIbanError } from '../../strings/iban-error.ts'

/** Input of the donation form, as typed. */
export interface DonationInput {
  /** Value of the selected preset's radio button. */
  amount: string
  own: string
  name: string
  email: string
  /** Whether the donor wants news about the campaign. */
  news: boolean
  /** Whether to collect by direct debit, whether the mandate was given, and its text as shown. */
  isDebit: boolean
  mandate: boolean
  mandateText: string
  iban: string
  bank: string
  receipt: boolean
  street: string
  postalCode: string
  city: string
  showName: boolean
  message: string
}

export const emptyDonationInput: DonationInput = {
  amount: '',
  own: '',
  name: '',
  email: '',
  news: false,
  isDebit: false,
  mandate: false,
  mandateText: '',
  iban: '',
  bank: '',
  receipt: false,
  street: '',
  postalCode: '',
  city: '',
  showName: false,
  message: ''
}

export function parseDonationInput(context: Pick<PageContext, 'form'>): DonationInput {
  const text = (name: string) => getFormField(context, name)
  const ticked = (name: string) => text(name) !== ''
  return {
    amount: text('amount'),
    own: text('own'),
    name: text('name'),
    email: text('email'),
    news: ticked('news'),
    isDebit: text('payment') === 'direct_debit',
    mandate: ticked('mandate'),
    // Browsers send line breaks as CRLF.
    mandateText: text('mandateText').replaceAll('\r\n', '\n'),
    iban: text('iban'),
    bank: text('bank'),
    receipt: ticked('receipt'),
    street: text('street'),
    postalCode: text('postalCode'),
    city: text('city'),
    showName: ticked('showName'),
    message: text('message')
  }
}

/** Either the request body for the API, or errors by field name, in the order of the form. */
export type DonationResult = { donation: object } | { errors: Record<string, string> }

/** Increase when the texts of the consent change, so that the records show what a donor agreed to. */
const consentVersion = '2'

export function validateDonation(
  typed: DonationInput,
  { campaign, language, presets }: { campaign: Campaign; language: Language; presets: Preset[] }
): DonationResult {
  const strings = getMessages('donate', language).wrong
  const amount = parseChosenAmount(typed, { campaign, language, presets })
  const found: Record<string, string | undefined> = {
    own: typeof amount === 'string' ? amount : undefined,
    name: typed.name === '' ? strings.name : checkLength(typed.name, 140, strings.nameLong),
    email: findEmailError(typed, language),
    ...(typed.isDebit ? findDebitErrors(typed, language) : {}),
    ...(typed.receipt ? findAddressErrors(typed, strings) : {}),
    message: checkLength(typed.message, 1000, strings.message)
  }
  const errors = Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (errors.length > 0 || typeof amount === 'string') return { errors: Object.fromEntries(errors) }
  const { street, postalCode, city } = typed
  return {
    donation: {
      amount: `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`,
      donorName: typed.name,
      receiptRequested: typed.receipt,
      ...(typed.isDebit
        ? {
            account: { iban: normalizeIban(typed.iban), nameOfBank: typed.bank },
            mandate: { text: typed.mandateText }
          }
        : {}),
      showName: typed.showName,
      message: typed.message === '' ? null : typed.message,
      email: typed.email === '' ? null : typed.email,
      news: typed.news ? { text: formatNewsConsent(language) } : null,
      address: typed.receipt ? { street, postalCode, city } : null,
      consent: buildConsent(typed, language),
      language
    }
  }
}

/** What the donor agreed to publish, in the words of the form. Handling the donation itself needs no consent. */
function buildConsent({ showName, message }: DonationInput, language: Language): object | null {
  const strings = getMessages('donate', language).form
  const agreed = [
    ...(showName ? [strings.showName] : []),
    ...(message === '' ? [] : [`${strings.message}: ${strings.messageHint}`])
  ]
  return agreed.length === 0 ? null : { text: agreed.join('\n'), version: consentVersion }
}

/** What the donor agrees to with the checkbox. */
function formatNewsConsent(language: Language): string {
  const { label, hint } = getMessages('campaign-page', language).news
  return `${label}\n${hint}`
}

function findEmailError({ email, news }: DonationInput, language: Language): string | undefined {
  if (email === '') return news ? getMessages('campaign-page', language).news.emailMissing : undefined
  return isEmail(email) ? undefined : getMessages('donate', language).wrong.email
}

/** Validates the account for a direct debit; donors who transfer need not enter one. */
function findDebitErrors(typed: DonationInput, language: Language): Record<string, string | undefined> {
  const strings = getMessages('donate', language).wrong
  const iban = normalizeIban(typed.iban)
  return {
    iban: iban === '' ? strings.ibanMissing : describeIbanError(iban, language),
    bank: checkLength(typed.bank, 140, strings.bankLong),
    mandate: typed.mandate ? undefined : strings.mandateMissing
  }
}

export interface Preset {
  amount: number
  /** What the amount pays for. */
  label?: { text: string; lang: Language | undefined }
}

/** Larger costs of items are goals of many donations, and offering them would put donors off. */
const itemPresetMax = 500

/**
 * Preset amounts: the campaign's own, or the costs of its items, or round ones above its minimum. The middle one is
 * preselected.
 */
export function listPresets(
  {
    campaign,
    story
  }: { campaign: Pick<Campaign, 'presetAmounts' | 'donationMinimum'>; story: Pick<CampaignStory, 'items'> },
  language: Language
): Preset[] {
  if (campaign.presetAmounts.length > 0) return campaign.presetAmounts.map(amount => ({ amount }))
  const offered = story.items.filter(
    ({ amount }, index) =>
      amount >= campaign.donationMinimum &&
      amount <= itemPresetMax &&
      story.items.findIndex(one => one.amount === amount) === index
  )
  if (offered.length === 0) return listRoundAmounts(campaign).map(amount => ({ amount }))
  return offered
    .slice(0, presetAmountsMax)
    .map(({ amount, title }) => ({ amount, label: getText(title, language) }))
    .sort((one, other) => one.amount - other.amount)
}

function listRoundAmounts(campaign: Pick<Campaign, 'donationMinimum'>): number[] {
  const least = Math.max(20, campaign.donationMinimum)
  const round: number[] = []
  for (let ten = 10; round.length < 4 && ten < 1e9; ten *= 10) {
    for (const step of [1, 2, 5]) if (step * ten >= least && round.length < 4) round.push(step * ten)
  }
  return round
}

export function getProposedPreset(presets: Preset[]): Preset | undefined {
  return presets[Math.floor((presets.length - 1) / 2)]
}

/** At least one cent, even if the campaign has no minimum. */
export function getMinimumCents({ donationMinimum }: Pick<Campaign, 'donationMinimum'>): number {
  return Math.max(1, Math.round(donationMinimum * 100))
}

/** Amount in cents, or an error. */
function parseChosenAmount(
  typed: DonationInput,
  { campaign, language, presets }: { campaign: Campaign; language: Language; presets: Preset[] }
): number | string {
  const strings = getMessages('donate', language).wrong
  const preset = presets.find(one => String(one.amount) === typed.amount)
  if (typed.own === '' && preset === undefined) return strings.amountMissing
  if (typed.own === '') return Math.round((preset?.amount ?? 0) * 100)
  // The preselected preset does not count as a choice; any other preset besides a typed amount is ambiguous.
  if (preset !== undefined && preset !== getProposedPreset(presets)) {
    return strings.amountTwice({ preset: formatMoney(language, campaign.currency, preset.amount), typed: typed.own })
  }
  const read = parseAmount(typed.own, getNumberMarks(language).decimalMark)
  if (typeof read !== 'number') return describeAmountError(read, typed.own, language)
  const least = getMinimumCents(campaign)
  return read < least ? strings.amountSmall({ amount: formatMoney(language, campaign.currency, least / 100) }) : read
}

function describeAmountError(wrong: AmountError, typed: string, language: Language): string {
  const strings = getMessages('donate', language).wrong
  switch (wrong.fault) {
    case 'ambiguous':
      return strings.amountAmbiguous({
        typed,
        large: formatAmountInput(wrong.largeCents, language),
        small: formatAmountInput(wrong.smallCents, language)
      })
    case 'decimals':
      return strings.amountDecimals
    case 'large':
      return strings.amountLarge
    case 'form':
      return strings.amountForm({ example: formatAmountInput(1250, language) })
  }
}

/** Formats for an input field: 12.50 or 12,50, and 1250 without decimals. */
function formatAmountInput(cents: number, language: Language): string {
  if (cents % 100 === 0) return String(cents / 100)
  const text = (cents / 100).toFixed(2)
  return text.replace('.', getNumberMarks(language).decimalMark)
}

export function findAddressErrors(
  typed: Pick<DonationInput, 'street' | 'postalCode' | 'city'>,
  strings: Messages<'donate'>['wrong']
): Record<string, string | undefined> {
  return {
    street: typed.street === '' ? strings.street : checkLength(typed.street, 140, strings.addressLong),
    postalCode: typed.postalCode === '' ? strings.postalCode : checkLength(typed.postalCode, 20, strings.addressLong),
    city: typed.city === '' ? strings.city : checkLength(typed.city, 140, strings.addressLong)
  }
}

function checkLength(text: string, most: number, message: string): string | undefined {
  return text.length > most && [...text].length > most ? message : undefined
}

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return text.length <= 254 && at > 0 && at < text.length - 1 && !/\s/.test(text)
}
