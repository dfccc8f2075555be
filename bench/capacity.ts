// What a request costs in processor time, disk and log, and what that means for many of them: the tables of docs/scale.md.
import type { Store } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { fillCampaigns } from './campaigns.ts'
import { donation } from './donations.ts'
import { type Environment, get, post, type Sample } from './environment.ts'
import { measure, median, type Results } from './measure.ts'
import { usualSize } from './options.ts'
import { describeMachine } from './results.ts'
import { makeEventsDatabase } from './sample-events.ts'
import { formatTable, type Row } from './table.ts'

/** Of a core: above this, waiting grows faster than work. */
const fullAt = 0.6
/** Donors look at a list, a campaign and the form before, and at the thanks after; most visitors only look. */
const readsEach = 20
const steps = [10, 100, 1000, 10_000]
const eventsAtLast = 100_000_000

const warmAnswers = 5000
const warmMsMax = 30_000

const donating = 'POST donation, with a key'
const reading = 'GET one of 100 campaigns'
const cached = 'GET a campaign, from the response cache'

/** Microseconds of a core: of Kalends, and of PostgreSQL. */
interface Cost {
  own: number
  database: number
}

interface Size {
  rows: number
  bytes: number
  /** Bytes that have to reach the standby. */
  log: number
}

export async function benchCapacity(environment: Environment): Promise<Row[]> {
  const databaseUrl = await environment.database('capacity', fillCampaigns)
  const [kalends, caching] = [
    await environment.start(databaseUrl),
    await environment.start(databaseUrl, { RESPONSE_CACHE: '32' })
  ]
  const store = environment.store(databaseUrl)
  const inTurn = (path: (number: number) => string) => Array.from({ length: 100 }, (_, index) => get(path(index + 1)))
  let keys = 0
  /** Each with a key of its own, as clients send it that try again. */
  const donate = async (): Promise<Sample> => {
    const body = JSON.stringify(donation)
    const requests = Array.from({ length: 8000 }, () => {
      keys += 1
      return post(`/campaigns/${1 + (keys % 100)}/donations`, body, `Idempotency-Key: capacity-${keys}\r\n`)
    })
    return await environment.load({ target: kalends, requests, status: 201 })
  }

  // On a busy machine the first seconds are few answers, and code that has hardly run yet is slow code.
  for (let donated = 0, begin = Date.now(); donated < warmAnswers && Date.now() - begin < warmMsMax; ) {
    donated += (await donate()).perSecond
  }
  const before = await readSize(store)
  const results = await measure(environment, {
    [donating]: donate,
    [reading]: { target: kalends, requests: inTurn(number => `/campaigns/${number}`), status: 200 },
    'GET 10 campaigns': {
      target: kalends,
      requests: inTurn(number => `/campaigns?limit=10&offset=${number % 90}`),
      status: 200
    },
    'page of a campaign': {
      target: kalends,
      requests: inTurn(number => `/en/donate/${number}-campaign-${number}`),
      status: 200
    },
    [cached]: { target: caching, requests: [get('/campaigns/101')], status: 200 }
  })
  const after = await readSize(store)
  const donations = after.rows - before.rows
  await store.close()
  await Promise.all([kalends.stop(), caching.stop()])

  printCosts(results)
  printSteps(results, {
    rows: donations,
    bytes: (after.bytes - before.bytes) / donations,
    log: (after.log - before.log) / donations
  })
  await printEvents(environment)
  return []
}

async function readSize(store: Store): Promise<Size> {
  return await store.one(sql`
    select
      (select count(*) from fundraising.donations) as rows,
      pg_database_size(current_database()) as bytes,
      (pg_current_wal_insert_lsn() - '0/0')::bigint as log`)
}

function readCost(results: Results, name: string): Cost {
  const samples = results.get(name) ?? []
  return {
    own: median(samples.map(sample => sample.cpuMicroseconds)),
    database: median(samples.map(sample => sample.databaseMicroseconds))
  }
}

function printCosts(results: Results): void {
  const names = [...results.keys()]
  console.log(`${describeMachine()}\n`)
  printTable(
    ['one request', 'µs of Kalends', 'µs of PostgreSQL', 'a core of Kalends does', 'a core of PostgreSQL does'],
    names.map(name => {
      const { own, database } = readCost(results, name)
      return [
        name,
        formatWhole(own),
        formatWhole(database),
        `${formatWhole(1e6 / own)} /s`,
        database < 1 ? '' : `${formatWhole(1e6 / database)} /s`
      ]
    })
  )
}

/** How many cores are busy with so many donations a second, and with the visitors around them. */
function printSteps(results: Results, each: Size): void {
  const [write, read, hit] = [readCost(results, donating), readCost(results, reading), readCost(results, cached)]
  const cores = (perSecond: number, microseconds: number) => (perSecond * microseconds) / 1e6 / fullAt
  console.log(
    `A donation is ${formatWhole(each.bytes)} bytes on disk and ${formatWhole(each.log)} in the log (${formatWhole(each.rows)} were made).`
  )
  console.log(`${readsEach} reads for each; cores at ${fullAt * 100} % of what they can do.\n`)
  printTable(
    [
      'donations a second',
      'reads a second',
      'Kalends',
      '… with cached reads',
      'primary',
      'replicas',
      'log MB/s',
      'disk GB an hour'
    ],
    steps.map(donations => {
      const reads = donations * readsEach
      return [
        formatWhole(donations),
        formatWhole(reads),
        formatTenths(cores(donations, write.own) + cores(reads, read.own)),
        formatTenths(cores(donations, write.own) + cores(reads, hit.own)),
        formatTenths(cores(donations, write.database)),
        formatTenths(cores(reads, read.database)),
        formatTenths((donations * each.log) / 1e6),
        formatTenths((donations * each.bytes * 3600) / 1e9)
      ]
    })
  )
}

async function printEvents(environment: Environment): Promise<void> {
  const store = environment.store(await makeEventsDatabase(environment, usualSize))
  const { bytes } = await store.one<{ bytes: number }>(sql`
    select sum(pg_total_relation_size(oid))::bigint as bytes
    from pg_class
    where relnamespace = 'calendar'::regnamespace and relkind = 'r'`)
  const times: number[] = []
  let counted = 0
  for (let round = 0; round < 5; round += 1) {
    const begin = performance.now()
    const { count } = await store.one<{ count: number }>(sql`
      select count(*) from calendar.events
      where status = 'publish' and not hide_from_listings and published_at <= now() and starts_at >= now()`)
    times.push(performance.now() - begin)
    counted = count
  }
  await store.close()
  const perMillion = (median(times) / counted) * 1e6
  const lastGb = ((bytes / usualSize) * eventsAtLast) / 1e9
  console.log(
    `An event is ${formatWhole(bytes / usualSize)} bytes on disk (of ${formatWhole(usualSize)}): ${formatWhole(lastGb)} GB for ${formatWhole(eventsAtLast)}.`
  )
  console.log(`Counting a million of them takes ${formatWhole(perMillion)} ms.\n`)
}

function printTable(head: string[], lines: string[][]): void {
  console.log(formatTable(head, lines))
}

const formatWhole = (value: number) => Math.round(value).toLocaleString('en')
const formatTenths = (value: number) => (value < 10 ? value.toFixed(1) : formatWhole(value))
