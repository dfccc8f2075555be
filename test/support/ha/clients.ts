import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../kalends-process.ts'
import { adminKey, campaign, donation } from '../services.ts'
import type { Cluster } from './cluster.ts'

/** People who donate and people who look, as the load balancer sees them. */
export interface Clients {
  /** Until every writer has had an answer to something that it began after now. */
  untilAllWrote(withinMs: number): Promise<void>
  stop(): Promise<Outcome>
}

export interface Outcome {
  acknowledged: number
  /** Requests of writers that had to be sent again. */
  retried: number
  read: number
  /** The longest that one client waited, from the first try of something to the answer. */
  writeGapMs: number
  readGapMs: number
  /** Acknowledged, and not there any more, or different. */
  lost: string[]
  /** Stored more than once, or without an acknowledgement. */
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
  const began: number[] = []
  let enough = false

  async function write(writer: number): Promise<void> {
    for (let number = 0; !enough; number += 1) {
      const begin = Date.now()
      const key = `${part}-${writer}-${number}`
      const campaign = campaigns[number % campaigns.length] ?? 0
      const cents = 500 + ((writer * 7919 + number * 104_729) % 10_000)
      const id = await untilAcknowledged(key, campaign, cents)
      acknowledged.set(key, { id, cents, campaign })
      outcome.writeGapMs = Math.max(outcome.writeGapMs, Date.now() - begin)
      began[writer] = begin
      await sleep(20)
    }
  }

  async function untilAcknowledged(key: string, campaign: number, cents: number): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > 1) outcome.retried += 1
      const answer = await ask(`${cluster.url}/campaigns/${campaign}/donations`, writeTimeoutMs, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ ...donation, amount: cents / 100, message: key })
      })
      if (answer?.status === 201) return (JSON.parse(answer.text) as { id: string }).id
      if (answer !== undefined && !isWorthAnotherTry(answer.status)) {
        outcome.faults.push(`${key}: ${answer.status} ${answer.text.slice(0, 200)}`)
      }
      await sleep(200)
    }
  }

  async function look(reader: number): Promise<void> {
    const paths = [`/campaigns/${campaigns[reader % 3]}`, '/campaigns?limit=10', '/calendar/events/v1/events', '/']
    for (let number = reader; !enough; number += 1) {
      const begin = Date.now()
      const path = paths[number % paths.length] ?? '/'
      for (;;) {
        const answer = await ask(cluster.url + path, readTimeoutMs)
        if (answer?.status === 200) break
        if (answer !== undefined && !isWorthAnotherTry(answer.status)) {
          outcome.faults.push(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`)
        }
        await sleep(100)
      }
      outcome.read += 1
      outcome.readGapMs = Math.max(outcome.readGapMs, Date.now() - begin)
      await sleep(50)
    }
  }

  const people = [
    ...Array.from({ length: writers }, (_, number) => write(number)),
    ...Array.from({ length: readers }, (_, number) => look(number))
  ]

  return {
    untilAllWrote: async withinMs => {
      const now = Date.now()
      await waitUntil(() => began.length === writers && began.every(begin => begin > now), withinMs)
    },
    stop: async () => {
      enough = true
      await Promise.all(people)
      outcome.acknowledged = acknowledged.size
      await compare()
      return outcome
    }
  }

  /** Compares the acknowledgements with the database and with the totals that the service shows. */
  async function compare(): Promise<void> {
    const kept = await cluster.query<{ id: string; cents: string; campaign: string; key: string }>(`
      select id, amount_cents as cents, campaign_id as campaign, message as key
      from fundraising.donations
      where campaign_id in (${campaigns.join()})`)
    const byId = new Map(kept.map(one => [one.id, one]))
    for (const [key, { id, cents, campaign }] of acknowledged) {
      const found = byId.get(id)
      const isSame = found?.key === key && Number(found.cents) === cents && Number(found.campaign) === campaign
      if (!isSame) outcome.lost.push(`${key}: ${id}, ${cents}`)
    }
    for (const { id, key } of kept) if (acknowledged.get(key)?.id !== id) outcome.doubled.push(`${key}: ${id}`)

    for (const campaign of campaigns) {
      const own = kept.filter(one => Number(one.campaign) === campaign)
      const expected = own.reduce((sum, { cents }) => sum + Number(cents), 0) / 100
      const shown = async () => {
        const answer = await ask(`${cluster.url}/campaigns/${campaign}`, readTimeoutMs)
        return answer?.status === 200 ? JSON.parse(answer.text) : undefined
      }
      try {
        await waitUntil(async () => {
          const found = await shown()
          return found?.amountDonatedSoFar === expected && found.donationCount === own.length
        }, 10_000)
      } catch {
        const found = await shown()
        const total = `${found?.donationCount} donations, ${found?.amountDonatedSoFar}`
        outcome.faults.push(`campaign ${campaign} shows ${total}, but has ${own.length} donations, ${expected}`)
      }
    }
  }
}

/** Busy, away, or cut off by the load balancer. */
const isWorthAnotherTry = (status: number) => [409, 502, 503, 504].includes(status)

async function newCampaign(cluster: Cluster, name: string): Promise<number> {
  const answer = await ask(`${cluster.url}/campaigns`, writeTimeoutMs, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminKey}` },
    body: JSON.stringify({ ...campaign, name })
  })
  if (answer?.status !== 201) throw new Error(`A campaign could not be made: ${answer?.status} ${answer?.text}`)
  return (JSON.parse(answer.text) as { id: number }).id
}

/** Undefined where the connection broke or nothing came in time. */
async function ask(url: string, timeoutMs: number, how: RequestInit = {}) {
  try {
    const answer = await fetch(url, { ...how, signal: AbortSignal.timeout(timeoutMs) })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return undefined
  }
}
