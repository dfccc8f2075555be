import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { bareInsertName, newBareInsert } from './bare-insert.ts'
import { fillCampaigns } from './campaigns.ts'
import { type Environment, type Kalends, post } from './environment.ts'
import { compare, measure, median, type Results } from './measure.ts'
import type { Row } from './table.ts'

const campaigns = 100

/** What donors send in the benchmark. */
export const donation = {
  amount: 25,
  donorName: 'Ada Lovelace',
  receiptRequested: true,
  status: 'IN_PROCESS',
  account: { iban: 'DE02120300000000202051', name: 'Ada Lovelace', nameOfBank: 'Example Bank' }
} as const

/** Jobs after donations run once or twice a second: a shorter sample would count one of them or none. */
const sampleMs = 1000

const toAll = 'POST donation, 100 campaigns'
const toOne = 'POST donation, one campaign'
const raw = 'node:http, POST'

export async function benchDonations(environment: Environment): Promise<Row[]> {
  const databaseUrl = await environment.database('donations', fillCampaigns)
  const kalends = await environment.start(databaseUrl)
  const body = JSON.stringify(donation)
  const donateTo = (campaign: number) => post(`/campaigns/${campaign}/donations`, body)
  const requests = Array.from({ length: campaigns }, (_, index) => donateTo(index + 1))
  const all = { target: kalends, requests, status: 201, sampleMs }
  const store = environment.store(databaseUrl)
  const results = await measure(
    environment,
    {
      // Right after the totals are up to date: nothing else writes.
      [bareInsertName]: await newBareInsert(environment, databaseUrl),
      [toAll]: all,
      [toOne]: { ...all, requests: [donateTo(7)] },
      [raw]: await environment.createRawLimit(all, 'ready')
    },
    async () => await waitUntilFolded(store, kalends)
  )
  await store.close()
  await kalends.stop()
  const section = 'donations'
  return [
    compare(results, { section, name: toAll, limit: bareInsertName, floor: 0.05, goal: 0.15 }),
    compareCpu(results, {
      name: 'processor time of PostgreSQL for a donation',
      limit: bareInsertName,
      of: 'databaseMicroseconds',
      bound: { of: 'ratio', is: 'at most', floor: 7, goal: 3 }
    }),
    compareCpu(results, {
      name: 'processor time of the process for a donation',
      limit: raw,
      of: 'cpuMicroseconds',
      bound: { of: 'value', is: 'at most', floor: 980, goal: 490 }
    }),
    compare(results, { section, name: toOne, limit: toAll, floor: 0.9, goal: 1 })
  ]
}

interface CpuComparison {
  name: string
  limit: string
  of: 'cpuMicroseconds' | 'databaseMicroseconds'
  bound: Row['bound']
}

function compareCpu(results: Results, { name, limit: against, of, bound }: CpuComparison): Row {
  const read = (measurement: string) => median((results.get(measurement) ?? []).map(sample => sample[of]))
  const [value, limit] = [read(toAll), read(against)]
  return { section: 'donations', name, against, unit: 'µs', value, limit, ratio: value / limit, bound }
}

/** The totals of one round must not be folded while the next is measured. */
async function waitUntilFolded(store: Store, kalends: Kalends): Promise<void> {
  await fetch(`${kalends.url}/campaigns/1/donations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(donation)
  })
  for (let left = 1; left > 0; ) {
    await sleep(50)
    left = (await store.one<{ left: number }>(sql`select count(*) as left from fundraising.deltas`)).left
  }
}
