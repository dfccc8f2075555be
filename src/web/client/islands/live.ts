import type { CampaignUpdater, LiveOptions } from '../on-demand/campaign-updates.ts'

const actions = [
  'donation.created',
  'donation.released',
  'donation.updated',
  'donation.status_changed',
  'campaign.updated',
  'campaign.offline_amount_added',
  'campaign.offline_amount_removed'
]
/** After an error response, EventSource does not reconnect by itself. */
const reconnectMs = 60_000

/** Keeps a campaign's page up to date: totals and recent donations. */
const place = document.querySelector<HTMLElement>('[data-live]')
if (place !== null) follow(place, JSON.parse(place.dataset.live ?? ''))

function follow(place: HTMLElement, options: LiveOptions): void {
  let source: EventSource | undefined
  let wasAway = false
  let updater: Promise<CampaignUpdater> | undefined

  // Announced as a whole when it changes.
  const sum = place.querySelector('.progress-sum') as HTMLElement
  sum.ariaLive = 'polite'
  sum.ariaAtomic = 'true'

  /** Most visitors leave before anything changes. */
  function update(change: (updater: CampaignUpdater) => unknown): void {
    updater ??= import('../on-demand/campaign-updates.ts').then(({ createUpdater }) => createUpdater(place, options))
    updater.then(change).catch(console.warn)
  }

  function listen(): void {
    if (document.hidden || source !== undefined) return
    const opened = new EventSource(`/stream?actions=${actions}`)
    source = opened
    opened.onopen = () => {
      if (wasAway) update(updater => updater.catchUp())
      wasAway = true
    }
    opened.onerror = () => {
      if (opened.readyState !== EventSource.CLOSED) return
      source = undefined
      setTimeout(listen, reconnectMs * (1 + Math.random()))
    }
    for (const action of actions) {
      opened.addEventListener(action, ({ data }) => update(updater => updater.apply(action, JSON.parse(data).data)))
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
