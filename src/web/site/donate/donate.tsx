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
import { field, type Visit } from '../../visit.ts'
import { campaignPage, recentDonations } from './campaign.tsx'
import { campaignListPage } from './campaigns.tsx'
import { type FormState, newForm, newFormKey } from './donate-form.tsx'
import { readDonation, typedIn } from './donation-input.ts'

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
  const { campaign, donations } = await campaignOf(visit)
  const right = pathToCampaign(campaign, visit.language)
  if (visit.path !== right) {
    // A campaign may get its old name back: whoever remembers this for ever would be sent in circles.
    visit.reply.header('cache-control', 'no-cache')
    return redirect(right, 301)
  }
  return campaignPage(visit, campaign, donations, newForm(campaign, visit.now))
}

const takeDonation: Handler = async visit => {
  const { campaign, donations } = await campaignOf(visit)
  const { language, now, site } = visit
  const words = donateWords[language].wrong
  const form = sentForm(visit)
  const again = (status: number, more: Partial<FormState>, shown = campaign): Page => {
    // It holds what somebody has typed, account number included.
    visit.reply.header('cache-control', 'no-store')
    return { ...campaignPage(visit, shown, donations, { ...form, ...more }), noindex: true, status }
  }

  if (standingOf(campaign, now) !== 'open') return again(409, { general: words.closedMeanwhile })
  const reading = readDonation(form.typed, { campaign, language, organisation: site.name })
  if ('errors' in reading) return again(422, { ...withoutDoubt(form, reading.errors) })
  if (field(visit, 'website') !== '' || !wasShown(visit)) return again(422, { general: words.again })
  try {
    return thanksFor(visit, await donateOnce(visit, campaign.id, reading.donation, form.key))
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 404) throw error
    // It was closed, or its minimum was raised, since we looked a moment ago.
    const hasChanged = error.status === 409 || error.code === 'donation-too-small'
    const current = hasChanged ? (await visit.api.get<Campaign>(`/campaigns/${campaign.id}`)).body : campaign
    const { status, ...more } = refusedForm(error, form, current, language)
    return again(status, more, current)
  }
}

async function campaignOf({ api, params }: Visit): Promise<{ campaign: Campaign; donations: Donation[] }> {
  const id = /^(\d{1,9})(?:-|$)/.exec(params.campaign ?? '')?.[1]
  if (id === undefined) throw new Refused(404, 'campaign-not-found', '', {})
  const [campaign, donations] = await Promise.all([
    api.get<Campaign>(`/campaigns/${Number(id)}`),
    api.get<Donation[]>(`/campaigns/${Number(id)}/donations`, { limit: recentDonations })
  ])
  return { campaign: campaign.body, donations: donations.body }
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
  return redirect(pathTo('thanks', language, token), 303)
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
  if (error.status === 429) return { status: 429, general: words.tooMany }
  if (error.status === 409 && error.code.startsWith('campaign-')) return { status: 409, general: words.closedMeanwhile }
  if (error.code === 'donation-too-small') {
    const errors = { own: words.amountSmall(money(language, currency, donationMinimum)) }
    return { status: 422, ...withoutDoubt(form, errors) }
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
