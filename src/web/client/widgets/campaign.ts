import { splitProgress } from '../../format/progress.ts'
import {
  chooseLanguage,
  createElement,
  createHeading,
  createLink,
  getLocale,
  type Language,
  type WidgetContext
} from './element.ts'

/** Fields of a campaign that the widget reads. */
interface Campaign {
  name: string
  amountDonatedSoFar: number
  amountTransferred: number
  amountOffline: number
  targetAmount: number
  currency: string
  status: string
  startsAt: string | null
  endsAt: string | null
  language: Language
  translations: Partial<Record<Language, { name: string }>>
}

const strings = {
  en: {
    path: '/en/donate/',
    received: (sum: string) => ` received of ${sum}`,
    promised: (sum: string) => `, ${sum} pledged`,
    soFar: 'Received so far',
    donate: 'Donate',
    donateTo: (name: string) => `Donate to ${name}`
  },
  de: {
    path: '/de/spenden/',
    received: (sum: string) => ` von ${sum} eingegangen`,
    promised: (sum: string) => `, ${sum} zugesagt`,
    soFar: 'Bisher eingegangen',
    donate: 'Spenden',
    donateTo: (name: string) => `Spenden für ${name}`
  }
}

/** `<kalends-campaign>`: progress of a campaign, with a link to it. */
export async function showCampaign(showing: WidgetContext): Promise<Node[]> {
  const id = showing.getAttribute('campaign')
  if (!/^\d+$/.test(id)) throw new Error('campaign="…" must be the number of a campaign')
  const [campaign, site] = await Promise.all([showing.get<Campaign>(`/campaigns/${id}`), showing.site])
  const language = chooseLanguage(site, showing.language)
  const say = strings[language]
  const href = showing.base + say.path + id
  const translated = campaign.translations[language]?.name
  const name = translated ?? campaign.name
  const title = createLink(href, 'link', name)
  if (translated === undefined && campaign.language !== language) title.lang = campaign.language

  const progress = splitProgress(campaign)
  const [received, goal, promised] = [progress.received, campaign.targetAmount, progress.promised].map(sum =>
    new Intl.NumberFormat(getLocale(language), {
      style: 'currency',
      currency: campaign.currency,
      minimumFractionDigits: Number.isInteger(sum) ? 0 : 2
    }).format(sum)
  ) as [string, string, string]
  const said = say.received(goal) + (progress.promised > 0 ? say.promised(promised) : '')
  const bar = createElement('div', 'progress', drawBar(progress.promisedEnd, progress.receivedEnd))
  bar.role = 'progressbar'
  bar.ariaLabel = say.soFar
  bar.ariaValueMin = '0'
  bar.ariaValueMax = '100'
  bar.ariaValueNow = String(Math.min(progress.percent, 100))
  bar.ariaValueText = `${progress.percent}%: ${received}${said}`

  const shown = createElement(
    'div',
    'campaign',
    createHeading(showing, title),
    createElement('p', 'amount', createElement('strong', '', received), said),
    bar
  )
  shown.lang = language
  if (isOpen(campaign)) {
    const button = createLink(`${href}#donate`, 'button', say.donate)
    button.setAttribute('aria-label', say.donateTo(name))
    shown.append(button)
  }
  return [shown]
}

/** The bar of promised money lies below the bar of received money. */
function drawBar(...ends: number[]): SVGElement {
  const drawn = (name: string, attributes: Record<string, string | number>) => {
    const one = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, String(value))
    return one
  }
  const whole = drawn('svg', { viewBox: '0 0 100 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' })
  whole.append(...ends.map(width => drawn('rect', { width, height: 1 })))
  return whole
}

function isOpen({ status, startsAt, endsAt }: Campaign): boolean {
  const now = Date.now()
  return (
    status === 'open' &&
    (startsAt === null || Date.parse(startsAt) <= now) &&
    (endsAt === null || Date.parse(endsAt) > now)
  )
}
