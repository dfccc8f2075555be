// Clients that donate while something fails, and repeat unanswered requests with the same idempotency key.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from './kalends-process.ts'
import { campaign, donation } from './services.ts'

/** The outcome of all donations. */
export interface LoadReport {
  /** Donations that were answered with 201. */
  acknowledged: number
  /** Requests that had to be sent again with the same key. */
  retried: number
  /** Of those, how many had been done before, so that only the answer came again. */
  replayed: number
  /** Acknowledged, and not there any more, or with another amount. */
  lost: string[]
  /** Keys with more than one donation, and donations that were never acknowledged. */
  doubled: string[]
  /** Everything else that must not be: wrong answers, failures without a reason, wrong totals. */
  faults: string[]
  /** The longest wait for one response of any status. */
  slowestMs: number
}

export interface Load {
  /** How many donations were answered with 201 so far. */
  acknowledged(): number
  /** Lets the clients finish their current donation, then verifies all of them. */
  stopAndVerify(): Promise<LoadReport>
  /** Stops the clients at once, for cleanup after a failure. */
  abort(): void
}

export interface LoadOptions {
  /** The URL of the program, once it is up. */
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
  const { url, adminKey, clients = 16, random: chance = Math.random, isFaultActive: isTrouble } = options
  const headers = { authorization: `Bearer ${adminKey}` }
  const tally: LoadReport = {
    acknowledged: 0,
    retried: 0,
    replayed: 0,
    lost: [],
    doubled: [],
    faults: [],
    slowestMs: 0
  }
  const acknowledged = new Map<string, { id: string; amount: number; path: string }>()
  let enough = false
  let scattered = false

  const paths: string[] = []
  for (const name of ['Flood', 'Fire']) {
    const body = { ...campaign, name, targetAmount: 1_000_000 }
    const made = await sendRequest(`${await url()}/campaigns`, { method: 'POST', body, headers })
    paths.push(`/campaigns/${made.body.id}`)
  }
  const people = Array.from({ length: clients }, async (_, number) => {
    try {
      await donate(number)
    } catch (error) {
      // The program is gone: record the reason, and verify what was stored.
      tally.faults.push(`client ${number}: ${error}`)
    }
  })

  async function donate(client: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let number = 0; !enough; number += 1) {
      const path = paths[number % paths.length] ?? ''
      const amount = (500 + Math.floor(chance() * 10_000)) / 100
      await untilAcknowledged({ key: `client-${client}-donation-${number}`, path, amount }, agent)
    }
    agent.destroy()
  }

  async function untilAcknowledged(
    { key, path, amount }: { key: string; path: string; amount: number },
    agent: Agent
  ): Promise<void> {
    const body = { ...donation, amount, message: key }
    const request = { method: 'POST', body, headers: { 'idempotency-key': key }, agent }
    for (let attempt = 1; !scattered; attempt += 1) {
      if (attempt > 1) tally.retried += 1
      const address = await url()
      const began = performance.now()
      const wasTrouble = isTrouble()
      try {
        const { status, body, headers } = await sendRequest(`${address}${path}/donations`, request)
        if (status === 201) {
          if (headers['idempotent-replayed'] === 'true') tally.replayed += 1
          acknowledged.set(key, { id: body.id, amount, path })
          return
        }
        // 409: worked on by a transaction that is about to end with what it belongs to.
        if (status !== 409 && !(status === 503 && (wasTrouble || isTrouble()))) {
          tally.faults.push(`${key}: ${status} ${JSON.stringify(body)}`)
        }
      } catch (error) {
        if (!wasTrouble && !isTrouble()) tally.faults.push(`${key}: ${error}`)
      } finally {
        tally.slowestMs = Math.max(tally.slowestMs, performance.now() - began)
      }
      await sleep(20)
    }
  }

  async function countAt(address: string, path: string): Promise<void> {
    const listed = await listAll(address + path)
    const byId = new Map(listed.map(one => [one.id, one]))
    for (const [key, { id, amount, path: to }] of acknowledged) {
      const kept = byId.get(id)
      if (to === path && (kept?.message !== key || kept.amount !== amount)) tally.lost.push(`${key}: ${id}, ${amount}`)
    }
    for (const { id, message: key } of listed) {
      if (acknowledged.get(key)?.id !== id) tally.doubled.push(`${key}: ${id}`)
    }

    const { body } = await sendRequest(address + path)
    const cents = listed.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    if (body.amountDonatedSoFar !== cents / 100 || body.donationCount !== listed.length) {
      const shown = `${body.donationCount} donations, ${body.amountDonatedSoFar}`
      tally.faults.push(`${path} shows ${shown}, but has ${listed.length} donations, ${cents / 100}`)
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
      enough = true
      await Promise.all(people)
      tally.acknowledged = acknowledged.size
      for (const path of paths) await countAt(await url(), path)
      return tally
    },
    abort: () => {
      enough = true
      scattered = true
    }
  }
}

/** Numbers from 0 up to 1 by chance, the same ones for the same seed (mulberry32). */
export function newRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
