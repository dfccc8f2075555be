import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { type AmountFault, readAmount } from '../../amount.ts'
import { money } from '../../format.ts'
import { plainIban } from '../../iban.ts'
import { ibanWrong } from '../../iban-words.ts'
import { type DonateWords, donateWords } from '../../text/donate.ts'
import { field, type Visit } from '../../visit.ts'

/** What somebody has typed and ticked, as it was typed. */
export interface Typed {
  /** The chosen preset, as its radio button spells it. */
  amount: string
  own: string
  name: string
  email: string
  /** Whether we are to collect it, and whether the mandate for it was given, with the text that was read. */
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
  consent: boolean
}

export const nothingTyped: Typed = {
  amount: '',
  own: '',
  name: '',
  email: '',
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
  message: '',
  consent: false
}

export function typedIn(visit: Pick<Visit, 'form'>): Typed {
  const text = (name: string) => field(visit, name)
  const ticked = (name: string) => text(name) !== ''
  return {
    amount: text('amount'),
    own: text('own'),
    name: text('name'),
    email: text('email'),
    isDebit: text('payment') === 'direct_debit',
    mandate: ticked('mandate'),
    // Browsers end lines of a form in their own way.
    mandateText: text('mandateText').replaceAll('\r\n', '\n'),
    iban: text('iban'),
    bank: text('bank'),
    receipt: ticked('receipt'),
    street: text('street'),
    postalCode: text('postalCode'),
    city: text('city'),
    showName: ticked('showName'),
    message: text('message'),
    consent: ticked('consent')
  }
}

/** Either what the API is sent, or what is wrong by the name of the field, in the order of the form. */
export type Reading = { donation: object } | { errors: Record<string, string> }

/** Changes with the words of the consent, so that the books show which ones somebody agreed to. */
const consentVersion = '1'

export function readDonation(
  typed: Typed,
  { campaign, language, organisation }: { campaign: Campaign; language: Language; organisation: string }
): Reading {
  const words = donateWords[language].wrong
  const amount = amountOf(typed, campaign, language)
  const found: Record<string, string | undefined> = {
    own: typeof amount === 'string' ? amount : undefined,
    name: typed.name === '' ? words.name : tooLong(typed.name, 140, words.nameLong),
    email: typed.email === '' || isEmail(typed.email) ? undefined : words.email,
    ...(typed.isDebit ? debitWrong(typed, language) : {}),
    ...(typed.receipt ? addressWrong(typed, words) : {}),
    message: tooLong(typed.message, 1000, words.message),
    consent: typed.consent ? undefined : words.consent
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
            account: { iban: plainIban(typed.iban), nameOfBank: typed.bank },
            mandate: { text: typed.mandateText }
          }
        : {}),
      showName: typed.showName,
      message: typed.message === '' ? null : typed.message,
      email: typed.email === '' ? null : typed.email,
      address: typed.receipt ? { street, postalCode, city } : null,
      consent: { text: donateWords[language].form.consent(organisation), version: consentVersion },
      language
    }
  }
}

/** What is wrong with the account that we are to collect from; whoever transfers is not asked for one. */
function debitWrong(typed: Typed, language: Language): Record<string, string | undefined> {
  const words = donateWords[language].wrong
  const iban = plainIban(typed.iban)
  return {
    iban: iban === '' ? words.ibanMissing : ibanWrong(iban, language),
    bank: tooLong(typed.bank, 140, words.bankLong),
    mandate: typed.mandate ? undefined : words.mandateMissing
  }
}

/** Amounts to choose from: the campaign's own, or round ones that its minimum allows. The middle one is proposed. */
export function presetsOf(campaign: Pick<Campaign, 'presetAmounts' | 'donationMinimum'>): number[] {
  if (campaign.presetAmounts.length > 0) return campaign.presetAmounts
  const least = Math.max(20, campaign.donationMinimum)
  const round: number[] = []
  for (let ten = 10; round.length < 4 && ten < 1e9; ten *= 10) {
    for (const step of [1, 2, 5]) if (step * ten >= least && round.length < 4) round.push(step * ten)
  }
  return round
}

export function proposedPreset(presets: number[]): number | undefined {
  return presets[Math.floor((presets.length - 1) / 2)]
}

/** At least one cent, also where a campaign names no minimum. */
export function leastCents({ donationMinimum }: Pick<Campaign, 'donationMinimum'>): number {
  return Math.max(1, Math.round(donationMinimum * 100))
}

/** In cents, or what is wrong with it. */
function amountOf(typed: Typed, campaign: Campaign, language: Language): number | string {
  const words = donateWords[language].wrong
  const presets = presetsOf(campaign)
  const preset = presets.find(one => String(one) === typed.amount)
  if (typed.own === '' && preset === undefined) return words.amountMissing
  if (typed.own === '') return Math.round((preset ?? 0) * 100)
  // The proposed one was there before anything was typed; another one was chosen, and then it is not for us to guess.
  if (preset !== undefined && preset !== proposedPreset(presets)) {
    return words.amountTwice(money(language, campaign.currency, preset), typed.own)
  }
  const read = readAmount(typed.own, language)
  if (typeof read !== 'number') return amountWrong(read, typed.own, language)
  const least = leastCents(campaign)
  return read < least ? words.amountSmall(money(language, campaign.currency, least / 100)) : read
}

function amountWrong(wrong: AmountFault, typed: string, language: Language): string {
  const words = donateWords[language].wrong
  switch (wrong.fault) {
    case 'ambiguous':
      return words.amountAmbiguous(typed, plain(wrong.largeCents, language), plain(wrong.smallCents, language))
    case 'decimals':
      return words.amountDecimals
    case 'large':
      return words.amountLarge
    case 'form':
      return words.amountForm(plain(1250, language))
  }
}

/** As one types it: 12.50 or 12,50, and 1250 without anything. */
function plain(cents: number, language: Language): string {
  if (cents % 100 === 0) return String(cents / 100)
  const text = (cents / 100).toFixed(2)
  return language === 'de' ? text.replace('.', ',') : text
}

export function addressWrong(
  typed: Pick<Typed, 'street' | 'postalCode' | 'city'>,
  words: DonateWords['wrong']
): Record<string, string | undefined> {
  return {
    street: typed.street === '' ? words.street : tooLong(typed.street, 140, words.addressLong),
    postalCode: typed.postalCode === '' ? words.postalCode : tooLong(typed.postalCode, 20, words.addressLong),
    city: typed.city === '' ? words.city : tooLong(typed.city, 140, words.addressLong)
  }
}

function tooLong(text: string, most: number, message: string): string | undefined {
  return text.length > most && [...text].length > most ? message : undefined
}

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return text.length <= 254 && at > 0 && at < text.length - 1 && !/\s/.test(text)
}
