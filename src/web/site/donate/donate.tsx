import type { OfflineAmount } from '#fundraising/campaigns/offline-amounts/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { hasBeenShown, newFormKey, parseFormGuard, postOnce } from '../../components/form-guard.ts'
import { isFilledByBot } from '../../components/honeypot.tsx'
import { fetchProof } from '../../components/proof-of-work.tsx'
import { formatMoney } from '../../format/format.ts'
import { type Page, type PageHandler, type PageRouter, type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getCampaignPath, getCampaignState, isOver } from '../../server/campaign-text.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { loadUploadedImages } from '../../server/uploaded-images.ts'
import { listOpenCampaigns, loadExtras } from '../campaign/extras.ts'
import { buildCampaignPage, recentDonations } from './campaign.tsx'
import { showCampaigns } from './campaigns.tsx'
import { findMandateTerms } from './direct-debit.tsx'
import { type FormState, newForm, type Offer } from './donate-form.tsx'
import { listPresets, parseDonationInput, validateDonation } from './donation-input.ts'
import { canCollect } from './transfer.tsx'

export function registerDonateRoutes(pages: PageRouter): void {
  pages.add('campaigns', showCampaigns)
  pages.addUncached('campaign', showCampaign)
  pages.addForm('campaign', donate)
}

const showCampaign: PageHandler = async context => {
  const offer = await loadOffer(context)
  const { campaign } = offer
  const right = getCampaignPath(campaign, context.language)
  if (context.path !== right) {
    // A campaign may get its old name back: a permanently cached redirect would then loop.
    context.reply.header('cache-control', 'no-cache')
    return redirect(right, 301)
  }
  return buildCampaignPage(context, offer, newForm(offer, context))
}

const donate: PageHandler = async context => {
  const offer = await loadOffer(context)
  const { campaign } = offer
  const { language, now } = context
  const strings = getMessages('donate', language).wrong
  const form = parseForm(context)
  const again = (status: number, more: Partial<FormState>, shown = offer): Page => {
    // The page contains the visitor's input, including the account number.
    context.reply.header('cache-control', 'no-store')
    return { ...buildCampaignPage(context, shown, { ...form, ...more }), noindex: true, status }
  }

  if (getCampaignState(campaign, now) !== 'open') return again(409, { general: strings.closedMeanwhile })
  const reading = validateDonation(form.typed, { campaign, language, presets: listPresets(offer, language) })
  if ('errors' in reading) return again(422, { ...dropPresetChoice(form, reading.errors) })
  if (isFilledByBot(context, 'website') || !hasBeenShown(context)) return again(422, { general: strings.again })
  try {
    const proofOfWork = getFormField(context, 'proofOfWork')
    const donation = proofOfWork === '' ? reading.donation : { ...reading.donation, proofOfWork }
    const path = `/campaigns/${campaign.id}/donations`
    const { body } = await postOnce<{ donorToken: string }>(context, path, donation, form.key)
    return redirectToThanks(context, body.donorToken)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 404) throw error
    // The campaign was closed, its minimum raised or the mandate text changed since it was loaded.
    const hasChanged = error.status === 409 || offerChangedCodes.includes(error.code)
    const current = hasChanged ? await loadOffer(context) : offer
    const { status, ...more } = toFormState(error, form, current.campaign, language)
    return again(status, more, current)
  }
}

/** Error codes for settings that may have changed while the visitor typed. */
const withoutDebitCodes = ['no-direct-debit', 'campaign-without-direct-debit']
const offerChangedCodes = ['donation-too-small', 'mandate-text-changed', ...withoutDebitCodes]

async function loadOffer(context: PageContext): Promise<Offer> {
  const { api, params } = context
  const id = /^(\d{1,9})(?:-|$)/.exec(params.campaign ?? '')?.[1]
  if (id === undefined) throw new ApiError(404, 'campaign-not-found')
  const path = `/campaigns/${Number(id)}`
  const [{ body: campaign }, { body: story }, { body: offline }, { body: donations }, extras, mandate, proof] =
    await Promise.all([
      api.get<Campaign>(path),
      api.get<CampaignStory>(`${path}/story`),
      api.get<OfflineAmount[]>(`${path}/offline-amounts`),
      api.get<Donation[]>(`${path}/donations`, { limit: recentDonations }),
      loadExtras(context, Number(id)),
      findMandateTerms(context),
      fetchProof(context, '/challenge')
    ])
  const openCampaigns = isOver(campaign, context.now) ? await listOpenCampaigns(context) : []
  const shown = [campaign, ...openCampaigns, ...extras.updates].map(({ imageUrl }) => imageUrl)
  const images = await loadUploadedImages(context, [...shown, ...story.pictures.map(({ url }) => url)])
  return {
    ...{ campaign, story, offline, donations, images, proof },
    extras: { ...extras, openCampaigns },
    mandate: canCollect(campaign.account, campaign.currency) ? mandate : undefined
  }
}

function parseForm(context: PageContext): FormState {
  return { typed: parseDonationInput(context), errors: {}, ...parseFormGuard(context) }
}

/** A typed amount clears the selected preset: without a script, a radio button cannot be deselected. */
function dropPresetChoice(form: FormState, errors: Record<string, string>): Pick<FormState, 'errors' | 'typed'> {
  const { own } = form.typed
  return { errors, typed: own === '' ? form.typed : { ...form.typed, amount: '' } }
}

function redirectToThanks({ language, reply }: PageContext, token: string): Redirect {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  // Without its own fragment, the browser would keep the form's fragment.
  return redirect(`${getPath('thanks', language, token)}#thanks`, 303)
}

/** Maps an API error to the form's messages. */
function toFormState(
  error: ApiError,
  form: FormState,
  { currency, donationMinimum }: Campaign,
  language: Language
): Partial<FormState> & { status: number } {
  const strings = getMessages('donate', language).wrong
  if (error.code === 'idempotency-key-reused') return { status: 422, general: strings.usedBefore, key: newFormKey() }
  if (error.code === 'idempotency-key-of-another-network') {
    return { status: 409, general: strings.arrivedElsewhere, key: newFormKey() }
  }
  if (error.code === 'too-many-from-account') return { status: 429, errors: { iban: strings.tooManyFromAccount } }
  if (error.status === 429) return { status: 429, general: strings.tooMany }
  if (error.code === 'proof-of-work')
    return { status: 422, general: getMessages('abuse-protection', language).proof.expired }
  if (error.status === 409 && error.code.startsWith('campaign-'))
    return { status: 409, general: strings.closedMeanwhile }
  if (error.code === 'donation-too-small') {
    const errors = { own: strings.amountSmall({ amount: formatMoney(language, currency, donationMinimum) }) }
    return { status: 422, ...dropPresetChoice(form, errors) }
  }
  if (error.code === 'iban-not-for-direct-debit') return { status: 422, errors: { iban: strings.ibanDebit } }
  if (withoutDebitCodes.includes(error.code)) {
    return { status: 422, general: strings.noDirectDebit, typed: { ...form.typed, isDebit: false, mandate: false } }
  }
  if (error.code === 'mandate-text-changed') {
    return { status: 422, errors: { mandate: strings.mandateChanged }, typed: { ...form.typed, mandate: false } }
  }
  const errors: Record<string, string> = {}
  for (const path of Object.keys(error.fields)) {
    const name = fieldsByApiPath[path]
    if (name !== undefined) errors[name] = describeApiError(name, strings)
  }
  if (Object.keys(errors).length > 0) return { status: 422, ...dropPresetChoice(form, errors) }
  return { status: error.status >= 500 ? 503 : 422, general: strings.refused }
}

const fieldsByApiPath: Record<string, string> = {
  amount: 'own',
  donorName: 'name',
  email: 'email',
  'account/iban': 'iban',
  'account/nameOfBank': 'bank',
  'address/street': 'street',
  'address/postalCode': 'postalCode',
  'address/city': 'city',
  message: 'message'
}

/** Lengths and formats are validated before; what only the API refuses is mostly an invisible character. */
function describeApiError(name: string, strings: Messages<'donate'>['wrong']): string {
  if (name === 'email') return strings.email
  if (name === 'iban') return strings.ibanDigits
  return name === 'own' ? strings.amountLarge : strings.characters
}
