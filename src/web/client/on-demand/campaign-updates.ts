import { type CampaignSums, splitProgress } from '../../format/progress.ts'

export interface LiveOptions {
  campaign: number
  locale: string
  currency: string
  /** Maximum number of donations in each list. */
  shown: Record<Kind, number>
  /** Number of donations to request. */
  limit: number
  /** Texts by plural category, with `#` for the number. */
  counted: Partial<Record<string, string>>
  [word: string]: unknown
}

type Kind = 'received' | 'promised'

interface Totals extends CampaignSums {
  id: number
  donationCount: number
}

interface ListedDonation {
  id: string
  amount: number
  donorName: string | null
  message: string | null
  status: string
  createdAt: string
  campaign?: Totals
}

export interface CampaignUpdater {
  /** Shows a message of the stream, by its action. */
  apply(action: string, message: unknown): void
  /** Fetches what was missed while the stream was closed. */
  catchUp(): Promise<void>
}

/** Shows totals and donations on a campaign's page. Loaded with the first change. */
export function createUpdater(place: HTMLElement, strings: LiveOptions): CampaignUpdater {
  const draft = document.querySelector<HTMLTemplateElement>('#gift')
  const find = (what: string, within: ParentNode = place) => within.querySelector(what) as HTMLElement
  const amount = find('.progress-sum strong')

  const number = (value: number, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(strings.locale, options).format(value)
  const plurals = new Intl.PluralRules(strings.locale)
  const money = (value: number) =>
    number(value, {
      style: 'currency',
      currency: strings.currency,
      ...(Number.isInteger(value) ? { maximumFractionDigits: 0 } : {})
    })
  /** Replaces placeholders in braces. */
  const say = (word: string, values: Record<string, string>) =>
    String(strings[word]).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')

  function show(totals: Totals): void {
    if (totals.id !== strings.campaign) return
    const { received, promised, percent, receivedEnd, promisedEnd } = splitProgress(totals)
    const values = {
      percent: number(percent),
      received: money(received),
      promised: money(promised),
      target: money(totals.targetAmount)
    }
    if (amount.textContent !== values.received) amount.textContent = values.received
    const said = find('.progress-promised span')
    if (said.textContent !== say('promised', values)) said.textContent = say('promised', values)
    find('.progress-promised').hidden = promised === 0
    const bar = find('.bar')
    bar.ariaValueNow = String(Math.min(percent, 100))
    bar.ariaValueText = say(promised === 0 ? 'progressText' : 'progressTextPromised', values)
    find('.bar-received').setAttribute('width', String(receivedEnd))
    find('.bar-promised').setAttribute('width', String(promisedEnd))
    find('.progress-percent').textContent = say('percentOf', values)
    const count = totals.donationCount
    find('li').textContent = (strings.counted[plurals.select(count)] ?? '').replace('#', number(count))
  }

  const lists = (['received', 'promised'] as const).map(kind => ({
    kind,
    box: document.querySelector<HTMLElement>(`.campaign-gifts.${kind}`)
  }))

  /** Relative times of donations, as rendered by the server. */
  const times = new Map<string | undefined, Element>()
  for (const gift of document.querySelectorAll<HTMLElement>('.campaign-gift')) {
    times.set(gift.dataset.id, find('.small', gift))
  }

  /** Inserts or updates a donation; a promised one moves to the other list when its money was received. */
  function put({ id, amount, donorName, message, status, createdAt }: ListedDonation): void {
    const kind: Kind = status === 'TRANSFERRED' ? 'received' : 'promised'
    const before = document.querySelector<HTMLElement>(`[data-id="${id}"]`)
    const list = lists.find(one => one.kind === kind)?.box?.querySelector('ul')
    if (draft === null || !list) return
    const gift = draft.content.firstElementChild?.cloneNode(true) as HTMLElement
    gift.dataset.id = id
    if (donorName !== null) {
      find('strong', gift).textContent = donorName
      find('strong', gift).className = ''
    }
    find('.figure', gift).textContent = money(amount)
    if (message === null) find('blockquote', gift).remove()
    else find('blockquote', gift).textContent = message
    const time = times.get(id)
    if (time !== undefined) find('.small', gift).replaceWith(time.cloneNode(true))
    // The template says “just now”.
    else if (Date.now() - Date.parse(createdAt) > 120_000) find('.small', gift).remove()
    // An updated donation stays in its place.
    if (before?.parentElement === list) before.replaceWith(gift)
    else {
      before?.remove()
      list.prepend(gift)
    }
    document.querySelector('.campaign-recent > p')?.remove()
    while (list.children.length > strings.shown[kind]) list.lastElementChild?.remove()
    tidy()
  }

  function tidy(): void {
    for (const { box } of lists) if (box !== null) box.hidden = box.querySelector('li') === null
  }

  async function catchUp(): Promise<void> {
    const path = `/campaigns/${strings.campaign}`
    const [totals, gifts] = await Promise.all([fetch(path), fetch(`${path}/donations?limit=${strings.limit}`)])
    if (!totals.ok || !gifts.ok) return
    show(await totals.json())
    for (const { box } of lists) box?.querySelector('ul')?.replaceChildren()
    tidy()
    for (const gift of ((await gifts.json()) as ListedDonation[]).reverse()) put(gift)
  }

  function apply(action: string, message: unknown): void {
    const isDonation = action.startsWith('donation.')
    const donation = message as ListedDonation
    const totals = isDonation ? donation.campaign : (message as Totals)
    const isListed = document.querySelector(`[data-id="${donation.id}"]`) !== null
    if (totals?.amountDonatedSoFar === undefined) {
      // The donation no longer counts: refresh if it is on this page.
      if (isListed) catchUp().catch(console.warn)
      return
    }
    show(totals)
    // An update of a donation that is no longer in the lists does not add it again.
    const isNew = action !== 'donation.updated' || isListed
    if (isDonation && isNew && totals.id === strings.campaign) put(donation)
  }

  return { apply, catchUp }
}
