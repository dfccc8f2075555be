import { element, heading, type Language, link, localeOf, type Showing, spokenBy } from './element.ts'

/** What is read of a campaign. */
interface Campaign {
  name: string
  amountDonatedSoFar: number
  targetAmount: number
  progressPercent: number
  currency: string
  status: string
  startsAt: string | null
  endsAt: string | null
  language: Language
  translations: Partial<Record<Language, { name: string }>>
}

const words = {
  en: {
    path: '/en/donate/',
    of: (sum: string) => ` of ${sum}`,
    soFar: 'Collected so far',
    donate: 'Donate',
    donateTo: (name: string) => `Donate to ${name}`
  },
  de: {
    path: '/de/spenden/',
    of: (sum: string) => ` von ${sum}`,
    soFar: 'Bisher gesammelt',
    donate: 'Spenden',
    donateTo: (name: string) => `Spenden für ${name}`
  }
}

/** `<kalends-campaign>`: how far a campaign has come, and the way to it. */
export async function showCampaign(showing: Showing): Promise<Node[]> {
  const id = showing.given('campaign')
  if (!/^\d+$/.test(id)) throw new Error('campaign="…" must be the number of a campaign')
  const [campaign, site] = await Promise.all([showing.ask<Campaign>(`/campaigns/${id}`), showing.site])
  const language = spokenBy(site, showing.language)
  const say = words[language]
  const href = showing.base + say.path + id
  const translated = campaign.translations[language]?.name
  const name = translated ?? campaign.name
  const title = link(href, 'link', name)
  if (translated === undefined && campaign.language !== language) title.lang = campaign.language

  const [collected, goal] = [campaign.amountDonatedSoFar, campaign.targetAmount].map(sum =>
    new Intl.NumberFormat(localeOf(language), {
      style: 'currency',
      currency: campaign.currency,
      minimumFractionDigits: Number.isInteger(sum) ? 0 : 2
    }).format(sum)
  ) as [string, string]
  const bar = element('progress', 'progress') as HTMLProgressElement
  bar.max = 100
  bar.value = Math.min(campaign.progressPercent, 100)
  bar.setAttribute('aria-label', say.soFar)
  bar.setAttribute('aria-valuetext', `${Math.floor(campaign.progressPercent)}%`)

  const shown = element(
    'div',
    'campaign',
    heading(showing, title),
    element('p', 'amount', element('strong', '', collected), say.of(goal)),
    bar
  )
  shown.lang = language
  if (takesDonations(campaign)) {
    const button = link(`${href}#donate`, 'button', say.donate)
    button.setAttribute('aria-label', say.donateTo(name))
    shown.append(button)
  }
  return [shown]
}

function takesDonations({ status, startsAt, endsAt }: Campaign): boolean {
  const now = Date.now()
  return (
    status === 'open' &&
    (startsAt === null || Date.parse(startsAt) <= now) &&
    (endsAt === null || Date.parse(endsAt) > now)
  )
}
