import { setTimeout as wait } from 'node:timers/promises'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import type { Language } from '#platform/language.ts'
import { Refused } from '../../api.ts'
import { pathToCampaign, standingOf } from '../../campaign-text.ts'
import { money } from '../../format.ts'
import { type Handler, type Page, type Pages, type Redirect, redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { type DonateWords, donateWords } from '../../text/donate.ts'
import { guardWords } from '../../text/guard.ts'
import { caughtBy } from '../../ui/honeypot.tsx'
import { proofAsked } from '../../ui/proof-of-work.tsx'
import { field, type Visit } from '../../visit.ts'
import { campaignPage, recentDonations } from './campaign.tsx'
import { campaignListPage } from './campaigns.tsx'
import { mandateIfAny } from './direct-debit.tsx'
import { type FormState, newForm, newFormKey, type Offer } from './donate-form.tsx'
import { readDonation, typedIn } from './donation-input.ts'
import { canCollect } from './transfer.tsx'

export function donatePages(pages: Pages): void {
  pages.add('campaigns', campaignListPage)
  pages.addPersonal('campaign', showCampaign)
  pages.addForm('campaign', takeDonation)
}

/** Nobody reads and fills in the form faster than this; programs do. */
const fillTimeMs = 2000
/** A second click arrives while the first is still being written down: it waits for the same answer. */
const [waitMs, waitsMax] = [250, 12]

const showCampaign: Handler = async visit => {
  const offer = await offerOf(visit)
  const { campaign } = offer
  const right = pathToCampaign(campaign, visit.language)
  if (visit.path !== right) {
    // A campaign may get its old name back: whoever remembers this for ever would be sent in circles.
    visit.reply.header('cache-control', 'no-cache')
    return redirect(right, 301)
  }
  return campaignPage(visit, offer, newForm(campaign, visit.now))
}

const takeDonation: Handler = async visit => {
  const offer = await offerOf(visit)
  const { campaign } = offer
  const { language, now, site } = visit
  const words = donateWords[language].wrong
  const form = sentForm(visit)
  const again = (status: number, more: Partial<FormState>, shown = offer): Page => {
    // It holds what somebody has typed, account number included.
    visit.reply.header('cache-control', 'no-store')
    return { ...campaignPage(visit, shown, { ...form, ...more }), noindex: true, status }
  }

  if (standingOf(campaign, now) !== 'open') return again(409, { general: words.closedMeanwhile })
  const reading = readDonation(form.typed, { campaign, language, organisation: site.name })
  if ('errors' in reading) return again(422, { ...withoutDoubt(form, reading.errors) })
  if (caughtBy(visit) || !wasShown(visit)) return again(422, { general: words.again })
  try {
    const proofOfWork = field(visit, 'proofOfWork')
    const donation = proofOfWork === '' ? reading.donation : { ...reading.donation, proofOfWork }
    return thanksFor(visit, await donateOnce(visit, campaign.id, donation, form.key))
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 404) throw error
    // It was closed, its minimum was raised or the mandate got other words since we looked a moment ago.
    const hasChanged = error.status === 409 || movable.includes(error.code)
    const current = hasChanged ? await offerOf(visit) : offer
    const { status, ...more } = refusedForm(error, form, current.campaign, language)
    return again(status, more, current)
  }
}

/** Refusals that are about what may have changed while somebody typed. */
const withoutDebit = ['no-direct-debit', 'campaign-without-direct-debit']
const movable = ['donation-too-small', 'mandate-text-changed', ...withoutDebit]

async function offerOf(visit: Visit): Promise<Offer> {
  const { api, params } = visit
  const id = /^(\d{1,9})(?:-|$)/.exec(params.campaign ?? '')?.[1]
  if (id === undefined) throw new Refused(404, 'campaign-not-found', '', {})
  const [{ body: campaign }, { body: donations }, mandate, proof] = await Promise.all([
    api.get<Campaign>(`/campaigns/${Number(id)}`),
    api.get<Donation[]>(`/campaigns/${Number(id)}/donations`, { limit: recentDonations }),
    mandateIfAny(visit),
    proofAsked(visit)
  ])
  return { campaign, donations, proof, mandate: canCollect(campaign.account, campaign.currency) ? mandate : undefined }
}

/** A form that came without key or time was not made by us, or was cut on its way: it gets new ones. */
function sentForm(visit: Visit): FormState {
  const key = field(visit, 'key')
  const started = startOf(visit)
  return {
    typed: typedIn(visit),
    errors: {},
    key: isFormKey(key) ? key : newFormKey(),
    started: started ?? visit.now.getTime() - fillTimeMs
  }
}

const isFormKey = (key: string) => /^[\w-]{16,64}$/.test(key)

function startOf(visit: Visit): number | undefined {
  const text = field(visit, 'started')
  const started = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return started <= visit.now.getTime() ? started : undefined
}

function wasShown(visit: Visit): boolean {
  const started = startOf(visit)
  return started !== undefined && visit.now.getTime() - started >= fillTimeMs && isFormKey(field(visit, 'key'))
}

/** Who chose one amount and typed another sees the typed one alone: without a script nobody can unchoose. */
function withoutDoubt(form: FormState, errors: Record<string, string>): Pick<FormState, 'errors' | 'typed'> {
  const { own } = form.typed
  return { errors, typed: own === '' ? form.typed : { ...form.typed, amount: '' } }
}

async function donateOnce(visit: Visit, campaignId: number, donation: object, key: string): Promise<string> {
  for (let waits = 0; ; waits += 1) {
    try {
      const path = `/campaigns/${campaignId}/donations`
      const { body } = await visit.api.post<{ donorToken: string }>(path, donation, { 'idempotency-key': key })
      return body.donorToken
    } catch (error) {
      const isInFlight = error instanceof Refused && error.code === 'idempotency-key-in-flight'
      if (!isInFlight || waits === waitsMax) throw error
      await wait(waitMs)
    }
  }
}

function thanksFor({ language, reply }: Visit, token: string): Redirect {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  // Without a fragment of its own the address would keep that of the form.
  return redirect(`${pathTo('thanks', language, token)}#thanks`, 303)
}

/** The API's refusal in the words of the form. */
function refusedForm(
  error: Refused,
  form: FormState,
  { currency, donationMinimum }: Campaign,
  language: Language
): Partial<FormState> & { status: number } {
  const words = donateWords[language].wrong
  if (error.code === 'idempotency-key-reused') return { status: 422, general: words.usedBefore, key: newFormKey() }
  if (error.code === 'idempotency-key-of-another-network') {
    return { status: 409, general: words.arrivedElsewhere, key: newFormKey() }
  }
  if (error.code === 'too-many-from-account') return { status: 429, errors: { iban: words.tooManyFromAccount } }
  if (error.status === 429) return { status: 429, general: words.tooMany }
  if (error.code === 'proof-of-work') return { status: 422, general: guardWords[language].proof.expired }
  if (error.status === 409 && error.code.startsWith('campaign-')) return { status: 409, general: words.closedMeanwhile }
  if (error.code === 'donation-too-small') {
    const errors = { own: words.amountSmall(money(language, currency, donationMinimum)) }
    return { status: 422, ...withoutDoubt(form, errors) }
  }
  if (error.code === 'iban-not-for-direct-debit') return { status: 422, errors: { iban: words.ibanDebit } }
  if (withoutDebit.includes(error.code)) {
    return { status: 422, general: words.noDirectDebit, typed: { ...form.typed, isDebit: false, mandate: false } }
  }
  if (error.code === 'mandate-text-changed') {
    return { status: 422, errors: { mandate: words.mandateChanged }, typed: { ...form.typed, mandate: false } }
  }
  const errors: Record<string, string> = {}
  for (const path of Object.keys(error.fields)) {
    const name = fieldsOfApi[path]
    if (name !== undefined) errors[name] = wrongInApi(name, words)
  }
  if (Object.keys(errors).length > 0) return { status: 422, ...withoutDoubt(form, errors) }
  return { status: error.status >= 500 ? 503 : 422, general: words.refused }
}

const fieldsOfApi: Record<string, string> = {
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

/** Lengths and forms were looked at before; what only the API refuses is mostly a character that nobody can see. */
function wrongInApi(name: string, words: DonateWords['wrong']): string {
  if (name === 'email') return words.email
  if (name === 'iban') return words.ibanDigits
  return name === 'own' ? words.amountLarge : words.characters
}
