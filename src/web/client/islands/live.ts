import { type CampaignSums, splitProgress } from '../../format/progress.ts'

/** Keeps a campaign's page up to date: totals and recent donations. */
const place = document.querySelector<HTMLElement>('[data-live]')
if (place !== null) follow(place, JSON.parse(place.dataset.live ?? ''))

interface LiveOptions {
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

/** After an error response, EventSource does not reconnect by itself. */
const reconnectMs = 60_000

function follow(place: HTMLElement, strings: LiveOptions): void {
  const draft = document.querySelector<HTMLTemplateElement>('#gift')
  let source: EventSource | undefined
  let wasAway = false

  const find = (what: string, within: ParentNode = place) => within.querySelector(what) as HTMLElement
  const amount = find('.progress-sum strong')
  // Announced as a whole when it changes.
  const sum = find('.progress-sum')
  sum.ariaLive = 'polite'
  sum.ariaAtomic = 'true'

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

  /** Fetches what was missed while the stream was closed. */
  async function catchUp(): Promise<void> {
    const path = `/campaigns/${strings.campaign}`
    const [totals, gifts] = await Promise.all([fetch(path), fetch(`${path}/donations?limit=${strings.limit}`)])
    if (!totals.ok || !gifts.ok) return
    show(await totals.json())
    for (const { box } of lists) box?.querySelector('ul')?.replaceChildren()
    tidy()
    for (const gift of ((await gifts.json()) as ListedDonation[]).reverse()) put(gift)
  }

  function listen(): void {
    if (document.hidden || source !== undefined) return
    const gifts = ['donation.created', 'donation.released', 'donation.updated', 'donation.status_changed']
    const edits = ['campaign.updated', 'campaign.offline_amount_added', 'campaign.offline_amount_removed']
    const actions = [...gifts, ...edits]
    const opened = new EventSource(`/stream?actions=${actions}`)
    source = opened
    opened.onopen = () => {
      if (wasAway) catchUp().catch(console.warn)
      wasAway = true
    }
    opened.onerror = () => {
      if (opened.readyState !== EventSource.CLOSED) return
      source = undefined
      setTimeout(listen, reconnectMs * (1 + Math.random()))
    }
    for (const action of actions) {
      opened.addEventListener(action, ({ data }) => {
        const message = JSON.parse(data).data
        const totals: Totals | undefined = edits.includes(action) ? message : message.campaign
        if (totals?.amountDonatedSoFar === undefined) {
          // The donation no longer counts: refresh if it is on this page.
          if (document.querySelector(`[data-id="${message.id}"]`) !== null) catchUp().catch(console.warn)
          return
        }
        show(totals)
        // An update of a donation that is no longer in the lists does not add it again.
        const isNew = action !== 'donation.updated' || document.querySelector(`[data-id="${message.id}"]`) !== null
        if (gifts.includes(action) && isNew && totals.id === strings.campaign) put(message)
      })
    }
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      source?.close()
      source = undefined
    } else listen()
  })
  listen()
}
