import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../kalends-process.ts'
import { adminKey, campaign, donation } from '../services.ts'
import type { Cluster } from './cluster.ts'

/** Clients that donate and clients that read, through the load balancer. */
export interface Clients {
  /** Waits until every writer has a response to a donation that it started after this call. */
  untilAllWrote(withinMs: number): Promise<void>
  stop(): Promise<Outcome>
}

export interface Outcome {
  acknowledged: number
  /** Requests of writers that were sent again. */
  retried: number
  read: number
  /** The longest wait of a client, from the first attempt to the successful response. */
  writeGapMs: number
  readGapMs: number
  /** Acknowledged donations that are missing or different in the database. */
  lost: string[]
  /** Donations that are stored more than once, or without an acknowledgement. */
  doubled: string[]
  /** Responses that must not happen, and wrong totals. */
  faults: string[]
}

const writers = 8
const readers = 4
/** The service answers 503 after five seconds at the latest; without a response by then the connection is lost. */
const writeTimeoutMs = 7000
const readTimeoutMs = 2000

export async function startClients(cluster: Cluster, part: string): Promise<Clients> {
  const campaigns = await Promise.all(['Flood', 'Fire', 'Storm'].map(name => newCampaign(cluster, `${name}: ${part}`)))
  const acknowledged = new Map<string, { id: string; cents: number; campaign: number }>()
  const outcome: Outcome = {
    ...{ acknowledged: 0, retried: 0, read: 0, writeGapMs: 0, readGapMs: 0 },
    ...{ lost: [], doubled: [], faults: [] }
  }
  const lastStarts: number[] = []
  let isStopped = false

  async function write(writer: number): Promise<void> {
    for (let number = 0; !isStopped; number += 1) {
      const begin = Date.now()
      const key = `${part}-${writer}-${number}`
      const campaign = campaigns[number % campaigns.length] ?? 0
      const cents = 500 + ((writer * 7919 + number * 104_729) % 10_000)
      const id = await donateUntilAcknowledged(key, campaign, cents)
      acknowledged.set(key, { id, cents, campaign })
      outcome.writeGapMs = Math.max(outcome.writeGapMs, Date.now() - begin)
      lastStarts[writer] = begin
      await sleep(20)
    }
  }

  async function donateUntilAcknowledged(key: string, campaign: number, cents: number): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > 1) outcome.retried += 1
      const response = await sendRequest(`${cluster.url}/campaigns/${campaign}/donations`, writeTimeoutMs, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ ...donation, amount: cents / 100, message: key })
      })
      if (response?.status === 201) return (JSON.parse(response.text) as { id: string }).id
      if (response !== undefined && !isTemporary(response.status)) {
        outcome.faults.push(`${key}: ${response.status} ${response.text.slice(0, 200)}`)
      }
      await sleep(200)
    }
  }

  async function readPages(reader: number): Promise<void> {
    const paths = [`/campaigns/${campaigns[reader % 3]}`, '/campaigns?limit=10', '/calendar/events/v1/events', '/']
    for (let number = reader; !isStopped; number += 1) {
      const begin = Date.now()
      const path = paths[number % paths.length] ?? '/'
      for (;;) {
        const response = await sendRequest(cluster.url + path, readTimeoutMs)
        if (response?.status === 200) break
        if (response !== undefined && !isTemporary(response.status)) {
          outcome.faults.push(`${path}: ${response.status} ${response.text.slice(0, 200)}`)
        }
        await sleep(100)
      }
      outcome.read += 1
      outcome.readGapMs = Math.max(outcome.readGapMs, Date.now() - begin)
      await sleep(50)
    }
  }

  const clients = [
    ...Array.from({ length: writers }, (_, number) => write(number)),
    ...Array.from({ length: readers }, (_, number) => readPages(number))
  ]

  return {
    untilAllWrote: async withinMs => {
      const now = Date.now()
      await waitUntil(() => lastStarts.length === writers && lastStarts.every(begin => begin > now), withinMs)
    },
    stop: async () => {
      isStopped = true
      await Promise.all(clients)
      outcome.acknowledged = acknowledged.size
      await compare()
      return outcome
    }
  }

  /** Compares the acknowledgements with the database and with the totals that the service shows. */
  async function compare(): Promise<void> {
    const stored = await cluster.query<{ id: string; cents: string; campaign: string; key: string }>(`
      select id, amount_cents as cents, campaign_id as campaign, message as key
      from fundraising.donations
      where campaign_id in (${campaigns.join()})`)
    const byId = new Map(stored.map(row => [row.id, row]))
    for (const [key, { id, cents, campaign }] of acknowledged) {
      const found = byId.get(id)
      const isSame = found?.key === key && Number(found.cents) === cents && Number(found.campaign) === campaign
      if (!isSame) outcome.lost.push(`${key}: ${id}, ${cents}`)
    }
    for (const { id, key } of stored) if (acknowledged.get(key)?.id !== id) outcome.doubled.push(`${key}: ${id}`)

    for (const campaign of campaigns) {
      const own = stored.filter(row => Number(row.campaign) === campaign)
      const expected = own.reduce((sum, { cents }) => sum + Number(cents), 0) / 100
      const readTotals = async () => {
        const response = await sendRequest(`${cluster.url}/campaigns/${campaign}`, readTimeoutMs)
        return response?.status === 200 ? JSON.parse(response.text) : undefined
      }
      try {
        await waitUntil(async () => {
          const found = await readTotals()
          return found?.amountDonatedSoFar === expected && found.donationCount === own.length
        }, 10_000)
      } catch {
        const found = await readTotals()
        const total = `${found?.donationCount} donations, ${found?.amountDonatedSoFar}`
        outcome.faults.push(`campaign ${campaign} shows ${total}, but has ${own.length} donations, ${expected}`)
      }
    }
  }
}

/** Conflict, unavailable, or an error of the load balancer. */
const isTemporary = (status: number) => [409, 502, 503, 504].includes(status)

async function newCampaign(cluster: Cluster, name: string): Promise<number> {
  const response = await sendRequest(`${cluster.url}/campaigns`, writeTimeoutMs, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminKey}` },
    body: JSON.stringify({ ...campaign, name })
  })
  if (response?.status !== 201)
    throw new Error(`A campaign could not be created: ${response?.status} ${response?.text}`)
  return (JSON.parse(response.text) as { id: number }).id
}

/** Returns undefined if the connection broke or timed out. */
async function sendRequest(url: string, timeoutMs: number, init: RequestInit = {}) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}
