// Runs the real program for a while under low load, with a webhook receiver that fails 7 % of the time and restarts twice.
// Prints a line per minute, and fails if memory or tables grow, or if messages are left at the end.
//   npm run test:soak                                20 minutes
//   npm run test:soak -- --minutes 3 --per-second 50
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { checkAtMost, checkThat, formatNumber, type Result } from '#test/support/faults/scenario.ts'
import { createDataLocation, type DataLocation, sendRequest, startKalends } from '#test/support/kalends-process.ts'
import { calendar, campaign, donation, event } from '#test/support/services.ts'
import { startSoakReceiver } from '#test/support/soak/receiver.ts'

const adminKey = 'the-key-of-the-soak-programme'
const asAdmin = { authorization: `Bearer ${adminKey}` }
const megabyte = 1024 ** 2
/** Every second request is a donation. */
const donationShare = 0.5
/** Attempts of a request, and why they failed. On a busy machine a single one may. */
const attemptsMax = 5
const failures = new Map<string, number>()
/** How long a receiver is down at each of its two restarts. */
const restartMs = 20_000
/** A message that failed twice, and was sent twice while the receiver was down, waits for ten minutes. */
const oldestSecondsMax = 900
const drainMs = oldestSecondsMax * 1000

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, 'per-second': { type: 'string', default: '20' } }
})
const minutes = Number(values.minutes)
const perSecond = Number(values['per-second'])
if (!(minutes >= 1 && perSecond > 0)) throw new Error('--minutes is at least 1, and --per-second more than 0.')

interface Sample {
  minute: number
  requests: number
  failed: number
  residentMb: number
  heapMb: number
  files: number
  waiting: number
  oldestSeconds: number
  streamLagSeconds: number
  /** Rows of tables that are emptied again and again. */
  passingRows: number
  databaseMb: number
}

// Otherwise the first start of the program would build it.
if (spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1)

const data = await createDataLocation()
const receiver = await startSoakReceiver(0.07)
const program = await startKalends({
  ...data.env,
  LOG_LEVEL: 'warn',
  ADMIN_KEY: adminKey,
  ALLOW_PRIVATE_ADDRESSES: 'true',
  RATE_LIMIT: '0',
  RATE_LIMIT_DONATIONS: '0',
  RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0'
})
let results: Result[] = []
try {
  results = await runSoak()
} finally {
  await program.stop()
  await receiver.stop()
  await data.remove()
}
for (const [reason, count] of failures) console.log(`${count} attempts failed: ${reason}`)
for (const { what, measured, limit, passed } of results) {
  console.log(`${passed ? 'passed' : 'FAILED'}  ${what}: ${measured} (limit ${limit})`)
}
process.exit(results.every(({ passed }) => passed) ? 0 : 1)

async function runSoak(): Promise<Result[]> {
  const { url } = program
  const campaignId = await createContent(url)
  await post(`${url}/webhooks`, { url: receiver.url, actions: ['*'] })
  const counts = { requests: 0, failed: 0, donations: 0, isOver: false }
  const samples: Sample[] = []
  const sending = sendRequests(url, campaignId, counts)
  const restarting = restartReceiver()
  console.log('minute  requests  failed  resident  heap  files  waiting  oldest  stream lag  passing rows  database')
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(60_000)
    const sample = await takeSample(url, minute, counts)
    samples.push(sample)
    console.log(formatSample(sample))
  }
  counts.isOver = true
  await Promise.all([sending, restarting])
  receiver.setFailureShare(0)
  const drainedMs = await drain(url)
  const last = await takeSample(url, minutes + 1, counts)
  return [...checkSamples(samples), ...(await checkEnd(counts, last, drainedMs))]
}

async function createContent(url: string): Promise<number> {
  const { id } = await post(`${url}/campaigns`, { ...campaign, targetAmount: 1_000_000 })
  for (let day = 1; day <= 28; day += 1) {
    const date = `2027-06-${String(day).padStart(2, '0')}`
    await post(`${url}${calendar}/events`, {
      ...event,
      title: `Event ${day}`,
      start_date: `${date} 19:00:00`,
      end_date: `${date} 21:00:00`
    })
  }
  return id
}

async function post(address: string, body: object): Promise<{ id: number }> {
  const { status, body: created, text } = await sendRequest(address, { method: 'POST', body, headers: asAdmin })
  if (status !== 201) throw new Error(`${address}: ${status} ${text}`)
  return created
}

/** Sends requests at an even rate, and follows the event stream meanwhile. */
async function sendRequests(
  url: string,
  campaignId: number,
  counts: { requests: number; failed: number; donations: number; isOver: boolean }
): Promise<void> {
  const reads = [`/campaigns/${campaignId}`, `${calendar}/events?per_page=10`, '/en/events.ics', '/en', '/campaigns']
  const stream = new AbortController()
  const following = fetch(`${url}/stream`, { signal: stream.signal }).then(async response => {
    for await (const _ of response.body ?? []);
  })
  following.catch(ignoreAbort)
  const open = new Set<Promise<void>>()
  const beganAt = performance.now()
  while (!counts.isOver) {
    const number = counts.requests
    counts.requests += 1
    const isDonation = number % 10 < donationShare * 10
    const path = isDonation ? `/campaigns/${campaignId}/donations` : (reads[number % reads.length] ?? '/')
    const sent = sendUntilAnswered(
      url + path,
      isDonation ? { ...donation, message: `Number ${number}` } : undefined
    ).then(reason => {
      if (reason !== undefined) counts.failed += 1
      else if (isDonation) counts.donations += 1
    })
    open.add(sent)
    void sent.finally(() => open.delete(sent))
    await sleep(Math.max(0, beganAt + (counts.requests / perSecond) * 1000 - performance.now()))
  }
  await Promise.all(open)
  stream.abort()
}

/** As clients do, repeats a request that failed with 503, without a response, or while the first one still runs (409); returns why it failed for good. */
async function sendUntilAnswered(address: string, body: object | undefined): Promise<string | undefined> {
  const request = body === undefined ? {} : { method: 'POST', body, headers: { 'idempotency-key': randomUUID() } }
  for (let attempt = 1; ; attempt += 1) {
    const { status, reason } = await sendRequest(address, request).then(
      response => ({ status: response.status, reason: `${response.status} ${response.text.slice(0, 200)}` }),
      (error: unknown) => ({ status: 0, reason: String(error) })
    )
    if (status >= 200 && status < 400) return undefined
    const failure = `${new URL(address).pathname}: ${reason}`
    failures.set(failure, (failures.get(failure) ?? 0) + 1)
    if (attempt === attemptsMax || ![0, 409, 503].includes(status)) return failure
    await sleep(1000)
  }
}

/** The stream ends with the program. */
function ignoreAbort(): void {}

async function restartReceiver(): Promise<void> {
  for (let restart = 0; restart < 2; restart += 1) {
    await sleep((minutes * 60_000) / 3 - restartMs)
    await receiver.stop()
    await sleep(restartMs)
    await receiver.start()
  }
}

async function takeSample(
  url: string,
  minute: number,
  { requests, failed }: { requests: number; failed: number }
): Promise<Sample> {
  const { text } = await sendRequest(`${url}/metrics`)
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  const [rows] = await data.query(`
    select (select count(*) from fundraising.deltas) + (select count(*) from platform.counters)
      + (select count(*) from graphile_worker._private_jobs) + (select count(*) from platform.outbox) as passing`)
  return {
    minute,
    requests,
    failed,
    residentMb: read('process_resident_memory_bytes') / megabyte,
    heapMb: read('nodejs_heap_size_used_bytes') / megabyte,
    files: read('process_open_fds'),
    waiting: read('kalends_webhook_deliveries_waiting'),
    oldestSeconds: read('kalends_webhook_oldest_waiting_seconds'),
    streamLagSeconds: read('kalends_stream_lag_seconds'),
    passingRows: Number(rows?.passing),
    databaseMb: read('kalends_database_bytes') / megabyte
  }
}

function formatSample(sample: Sample): string {
  const widths = [6, 8, 6, 8, 4, 5, 7, 6, 10, 12, 8]
  return Object.values(sample)
    .map((value, index) => formatNumber(value).padStart(widths[index] ?? 0))
    .join('  ')
}

/** Waits until no delivery is left, and returns how long that took. */
async function drain(url: string): Promise<number> {
  const beganAt = performance.now()
  while (performance.now() - beganAt < drainMs) {
    if ((await takeSample(url, 0, { requests: 0, failed: 0 })).waiting === 0) break
    await sleep(1000)
  }
  return performance.now() - beganAt
}

/** Compares the halves of the last two thirds: the first third is for compilers and caches to fill. */
function checkSamples(samples: Sample[]): Result[] {
  const settled = samples.slice(Math.floor(samples.length / 3))
  const half = Math.ceil(settled.length / 2)
  const findGrowth = (of: keyof Sample) =>
    Math.min(...settled.slice(-half).map(one => one[of])) - Math.min(...settled.slice(0, half).map(one => one[of]))
  return [
    checkAtMost('growth of memory', findGrowth('residentMb'), 20, 'MB'),
    checkAtMost('growth of the heap', findGrowth('heapMb'), 15, 'MB'),
    checkAtMost('growth of open files', findGrowth('files'), 5, ''),
    checkAtMost('rows of tables that are emptied', Math.max(...samples.map(one => one.passingRows)), 3000, ''),
    checkAtMost('age of the oldest message', Math.max(...samples.map(one => one.oldestSeconds)), oldestSecondsMax, 's'),
    checkAtMost('lag of the stream', Math.max(...samples.map(one => one.streamLagSeconds)), 5, 's')
  ]
}

async function checkEnd(
  { requests, failed, donations }: { requests: number; failed: number; donations: number },
  last: Sample,
  drainedMs: number
): Promise<Result[]> {
  const [found] = await readTotals(data)
  const messages = Number(found?.messages)
  return [
    checkThat('requests succeed', failed === 0, `${requests} requests, ${failed} failed`, '0'),
    checkThat('donations are stored', Number(found?.donations) === donations, `${found?.donations} of ${donations}`),
    checkAtMost('messages left', last.waiting, 0, ''),
    checkAtMost('time until the backlog was empty', drainedMs / 1000, drainMs / 1000, 's'),
    checkThat(
      'every message arrived',
      receiver.countArrived() === messages && Number(found?.undelivered) === 0,
      `${receiver.countArrived()} of ${messages}; ${receiver.countRequests()} requests`
    ),
    checkThat('size per donation', true, `${formatNumber(Number(found?.bytes) / donations)} bytes`, 'none')
  ]
}

async function readTotals({ query }: DataLocation): Promise<Record<string, unknown>[]> {
  return await query(`
    select
      (select count(*) from fundraising.donations) as donations,
      (select count(*) from platform.webhook_deliveries) as messages,
      (select count(*) from platform.webhook_deliveries where status <> 'delivered') as undelivered,
      (
        select sum(pg_total_relation_size(oid)) from pg_class
        where relkind = 'r' and relnamespace in ('fundraising'::regnamespace, 'platform'::regnamespace)
      ) as bytes`)
}
