/** Keeps a campaign's page up to date while somebody looks at it: how much has come together, and who gave. */
const place = document.querySelector<HTMLElement>('[data-live]')
if (place !== null) follow(place, JSON.parse(place.dataset.live ?? ''))

interface Words {
  campaign: number
  locale: string
  currency: string
  /** How many donations the list has at most. */
  shown: number
  /** Two forms: of one, and of all others. */
  counted: [one: string, many: string]
  [word: string]: unknown
}

interface Totals {
  id: number
  amountDonatedSoFar: number
  targetAmount: number
  progressPercent: number
  donationCount: number
}

interface Gift {
  id: string
  amount: number
  donorName: string | null
  message: string | null
  createdAt: string
  campaign?: Totals
}

/** Whom the server turned away, a browser does not let come again by itself. */
const againMs = 60_000

function follow(place: HTMLElement, words: Words): void {
  const list = document.querySelector<HTMLElement>('.campaign-recent ul')
  const draft = document.querySelector<HTMLTemplateElement>('#gift')
  let source: EventSource | undefined
  let wasAway = false

  const find = (what: string, within: ParentNode = place) => within.querySelector(what) as HTMLElement
  const amount = find('.progress-sum strong')
  // Said aloud when it changes; the rest can be read.
  amount.ariaLive = 'polite'

  const number = (value: number, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(words.locale, options).format(value)
  const money = (value: number) =>
    number(value, {
      style: 'currency',
      currency: words.currency,
      ...(Number.isInteger(value) ? { maximumFractionDigits: 0 } : {})
    })
  /** What is in braces is filled in. */
  const say = (word: string, values: Record<string, string>) =>
    String(words[word]).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')

  function show(totals: Totals): void {
    if (totals.id !== words.campaign) return
    const collected = money(totals.amountDonatedSoFar)
    const target = money(totals.targetAmount)
    const percent = number(Math.floor(totals.progressPercent))
    const bar = find('progress') as HTMLProgressElement
    if (amount.textContent !== collected) amount.textContent = collected
    find('.progress-sum span').textContent = say('ofTarget', { target })
    bar.value = Math.min(totals.progressPercent, 100)
    bar.setAttribute('aria-valuetext', say('progressText', { percent, collected, target }))
    find('.progress-percent').textContent = say('percent', { percent })
    const count = totals.donationCount
    find('li').textContent = `${number(count)} ${words.counted[count === 1 ? 0 : 1]}`
  }

  function add({ id, amount, donorName, message, createdAt }: Gift): void {
    if (list === null || draft === null || list.querySelector(`[data-id="${id}"]`) !== null) return
    const gift = draft.content.firstElementChild?.cloneNode(true) as HTMLElement
    gift.dataset.id = id
    if (donorName !== null) {
      find('strong', gift).textContent = donorName
      find('strong', gift).className = ''
    }
    find('.figure', gift).textContent = money(amount)
    if (message === null) find('blockquote', gift).remove()
    else find('blockquote', gift).textContent = message
    // The draft says that it was just now.
    if (Date.now() - Date.parse(createdAt) > 120_000) find('.small', gift).remove()
    list.prepend(gift)
    // That nobody has given yet.
    if (list.previousElementSibling?.tagName === 'P') list.previousElementSibling.remove()
    while (list.children.length > words.shown) list.lastElementChild?.remove()
  }

  /** What was missed while nobody looked. */
  async function catchUp(): Promise<void> {
    const path = `/campaigns/${words.campaign}`
    const [totals, gifts] = await Promise.all([fetch(path), fetch(`${path}/donations?limit=${words.shown}`)])
    if (!totals.ok || !gifts.ok) return
    show(await totals.json())
    for (const gift of ((await gifts.json()) as Gift[]).reverse()) add(gift)
  }

  function listen(): void {
    if (document.hidden || source !== undefined) return
    const actions = ['donation.created', 'donation.status_changed', 'campaign.updated']
    const opened = new EventSource(`/stream?actions=${actions}`)
    source = opened
    opened.onopen = () => {
      if (wasAway) catchUp().catch(console.warn)
      wasAway = true
    }
    opened.onerror = () => {
      if (opened.readyState !== EventSource.CLOSED) return
      source = undefined
      setTimeout(listen, againMs * (1 + Math.random()))
    }
    for (const action of actions) {
      opened.addEventListener(action, ({ data }) => {
        const told = JSON.parse(data).data
        const totals: Totals | undefined = action === 'campaign.updated' ? told : told.campaign
        if (totals?.amountDonatedSoFar === undefined) return
        show(totals)
        if (action === 'donation.created' && totals.id === words.campaign) add(told)
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

export {}
