// Clients that donate while something fails, and repeat unanswered requests with the same idempotency key.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from './kalends-process.ts'
import { campaign, donation } from './services.ts'

/** The outcome of all donations. */
export interface LoadReport {
  /** Donations with the response 201. */
  acknowledged: number
  /** Requests that were sent again with the same key. */
  retried: number
  /** The retried requests that had been executed before, so that the stored response was sent again. */
  replayed: number
  /** Acknowledged donations that are missing or have another amount. */
  lost: string[]
  /** Keys with more than one donation, and donations that were never acknowledged. */
  doubled: string[]
  /** All other faults: wrong responses, failures without an injected fault, wrong totals. */
  faults: string[]
  /** The longest wait for one response of any status. */
  slowestMs: number
}

export interface Load {
  /** The number of donations with the response 201 so far. */
  acknowledged(): number
  /** Lets the clients finish their current donation, then verifies all of them. */
  stopAndVerify(): Promise<LoadReport>
  /** Stops the clients at once, for cleanup after a failure. */
  abort(): void
}

export interface LoadOptions {
  /** The URL of the program; resolves when it runs. */
  url(): Promise<string>
  adminKey: string
  clients?: number
  /** A random number generator. */
  random?: () => number
  /** True while requests may fail because of the injected fault. */
  isFaultActive(): boolean
}

interface Listed {
  id: string
  amount: number
  message: string
}

export async function startLoad(options: LoadOptions): Promise<Load> {
  const { url, adminKey, clients = 16, random = Math.random, isFaultActive } = options
  const headers = { authorization: `Bearer ${adminKey}` }
  const report: LoadReport = {
    acknowledged: 0,
    retried: 0,
    replayed: 0,
    lost: [],
    doubled: [],
    faults: [],
    slowestMs: 0
  }
  const acknowledged = new Map<string, { id: string; amount: number; path: string }>()
  let isStopped = false
  let isAborted = false

  const paths: string[] = []
  for (const name of ['Flood', 'Fire']) {
    const body = { ...campaign, name, targetAmount: 1_000_000 }
    const created = await sendRequest(`${await url()}/campaigns`, { method: 'POST', body, headers })
    paths.push(`/campaigns/${created.body.id}`)
  }
  const donors = Array.from({ length: clients }, async (_, number) => {
    try {
      await donate(number)
    } catch (error) {
      // The program is gone: record the reason, and verify what was stored.
      report.faults.push(`client ${number}: ${error}`)
    }
  })

  async function donate(client: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let number = 0; !isStopped; number += 1) {
      const path = paths[number % paths.length] ?? ''
      const amount = (500 + Math.floor(random() * 10_000)) / 100
      await donateUntilAcknowledged({ key: `client-${client}-donation-${number}`, path, amount }, agent)
    }
    agent.destroy()
  }

  async function donateUntilAcknowledged(
    { key, path, amount }: { key: string; path: string; amount: number },
    agent: Agent
  ): Promise<void> {
    const body = { ...donation, amount, message: key }
    const request = { method: 'POST', body, headers: { 'idempotency-key': key }, agent }
    for (let attempt = 1; !isAborted; attempt += 1) {
      if (attempt > 1) report.retried += 1
      const address = await url()
      const startedAt = performance.now()
      const wasFaultActive = isFaultActive()
      try {
        const { status, body, headers } = await sendRequest(`${address}${path}/donations`, request)
        if (status === 201) {
          if (headers['idempotent-replayed'] === 'true') report.replayed += 1
          acknowledged.set(key, { id: body.id, amount, path })
          return
        }
        // 409: another transaction with this key is still running.
        if (status !== 409 && !(status === 503 && (wasFaultActive || isFaultActive()))) {
          report.faults.push(`${key}: ${status} ${JSON.stringify(body)}`)
        }
      } catch (error) {
        if (!wasFaultActive && !isFaultActive()) report.faults.push(`${key}: ${error}`)
      } finally {
        report.slowestMs = Math.max(report.slowestMs, performance.now() - startedAt)
      }
      await sleep(20)
    }
  }

  async function verifyCampaign(address: string, path: string): Promise<void> {
    const listed = await listAll(address + path)
    const byId = new Map(listed.map(item => [item.id, item]))
    for (const [key, { id, amount, path: to }] of acknowledged) {
      const stored = byId.get(id)
      if (to === path && (stored?.message !== key || stored.amount !== amount))
        report.lost.push(`${key}: ${id}, ${amount}`)
    }
    for (const { id, message: key } of listed) {
      if (acknowledged.get(key)?.id !== id) report.doubled.push(`${key}: ${id}`)
    }

    const { body } = await sendRequest(address + path)
    const cents = listed.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    if (body.amountDonatedSoFar !== cents / 100 || body.donationCount !== listed.length) {
      const shown = `${body.donationCount} donations, ${body.amountDonatedSoFar}`
      report.faults.push(`${path} shows ${shown}, but has ${listed.length} donations, ${cents / 100}`)
    }
  }

  async function listAll(address: string): Promise<Listed[]> {
    const all: Listed[] = []
    let next: string | undefined = `${address}/donations?limit=200`
    while (next !== undefined) {
      const page = await sendRequest(next, { headers })
      all.push(...page.body)
      next = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1]
    }
    return all
  }

  return {
    acknowledged: () => acknowledged.size,
    stopAndVerify: async () => {
      isStopped = true
      await Promise.all(donors)
      report.acknowledged = acknowledged.size
      for (const path of paths) await verifyCampaign(await url(), path)
      return report
    },
    abort: () => {
      isStopped = true
      isAborted = true
    }
  }
}

/** Pseudorandom numbers from 0 to below 1, reproducible by the seed (mulberry32). */
export function newRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
