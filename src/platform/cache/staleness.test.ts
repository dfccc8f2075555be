// test: both stores
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { createDatabase } from '#test/support/database.ts'
import { createDataLocation, onServer, sendRequest, startKalends } from '#test/support/kalends-process.ts'
import { adminKey, calendar, campaign, donation, event, startCampaignsAndCalendar } from '#test/support/services.ts'

/** The maximum age of a response that another process has made stale, as Cache-Control says. */
const boundMs = 1000

/** Those with a new URL are not cached as responses: they are put together from cached events. */
const resources = [
  ...(['campaign', 'campaigns', 'event', 'events', 'donations'] as const),
  ...(['event with a new URL', 'events with a new URL'] as const)
]
const step = fc.record({
  at: fc.nat(1),
  of: fc.nat(1),
  what: fc.constantFrom('write', 'write', ...resources, ...resources)
})
/** The steps of one round run concurrently. */
const rounds = fc.array(fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 6 }), pauseMs: fc.nat(300) }), {
  minLength: 6,
  maxLength: 12
})

interface Written {
  version: number
  at: number
  ms: number
}

/** Asserts that acknowledged writes are visible: at the same process at once, at the other one within the bound. */
async function assertFreshness(urls: string[], runs: number): Promise<void> {
  const authorization = `Bearer ${adminKey}`
  const write = async (method: string, url: string, body: object) => {
    const response = await sendRequest(url, { method, body, headers: { authorization } })
    assert.ok(response.status < 300, response.text)
    return response.body
  }
  const nameOf = (version: number) => `Version ${version}`
  const versionIn = (name: string) => Number(/\d+$/.exec(name)?.[0])

  const property = fc.asyncProperty(rounds, async all => {
    const created = await Promise.all(
      [0, 1].map(async () => ({
        campaign: (await write('POST', `${urls[0]}/campaigns`, { ...campaign, name: nameOf(0) })).id as number,
        event: (await write('POST', `${urls[1]}${calendar}/events`, { ...event, title: nameOf(0) })).id as number,
        donations: [] as Written[],
        written: [] as Written[],
        /** Writes to one resource run one after the other, so that their order is known. */
        last: Promise.resolve()
      }))
    )
    await sleep(boundMs)
    let version = 0

    async function runStep({ at, of, what }: { at: number; of: number; what: string }): Promise<void> {
      const one = created[of]
      const url = urls[at]
      if (one === undefined || url === undefined) throw new Error('There are two of each.')
      if (what === 'write') {
        version += 1
        const mine = version
        one.last = one.last.then(async () => {
          await write('PUT', `${url}/campaigns/${one.campaign}`, { ...campaign, name: nameOf(mine) })
          await write('POST', `${url}${calendar}/events/${one.event}`, { title: nameOf(mine) })
          one.written.push({ version: mine, at, ms: performance.now() })
          await write('POST', `${url}/campaigns/${one.campaign}/donations`, donation)
          one.donations.push({ version: one.donations.length + 1, at, ms: performance.now() })
        })
        return await one.last
      }

      const ms = performance.now()
      const least = (list: Written[]) =>
        Math.max(0, ...list.filter(past => past.at === at || past.ms < ms - boundMs).map(past => past.version))
      const [leastVersion, leastDonations] = [least(one.written), least(one.donations)]
      const { body } = await sendRequest(url + pathOf(what, one))
      const listed = (list: { id: number }[], id: number) => list.find(other => other.id === id)
      const found =
        what === 'campaigns'
          ? listed(body, one.campaign)
          : what.startsWith('events')
            ? listed(body.events, one.event)
            : body
      const seen = what === 'donations' ? body.length : versionIn(found.name ?? found.title)
      const wanted = what === 'donations' ? leastDonations : leastVersion
      assert.ok(seen >= wanted, `${what} at ${at}: saw ${seen} after ${wanted} was known`)
      if (what === 'campaign') assert.ok(found.donationCount >= leastDonations, 'the number of donations')
    }

    for (const { steps, pauseMs } of all) {
      await Promise.all(steps.map(runStep))
      await sleep(pauseMs)
    }
    await sleep(boundMs)
    for (const at of [0, 1]) for (const of of [0, 1]) for (const what of resources) await runStep({ at, of, what })
  })
  await fc.assert(property, { seed: Number(process.env.TEST_SEED ?? 7), numRuns: runs, endOnFailure: true })
}

let requests = 0

function pathOf(what: string, one: { campaign: number; event: number }): string {
  requests += 1
  const events = `${calendar}/events?per_page=50&start_date=2027-01-01`
  if (what === 'campaign') return `/campaigns/${one.campaign}`
  if (what === 'campaigns') return '/campaigns'
  if (what === 'donations') return `/campaigns/${one.campaign}/donations?limit=200`
  if (what === 'event') return `${calendar}/events/${one.event}`
  if (what === 'event with a new URL') return `${calendar}/events/${one.event}?request=${requests}`
  return what === 'events' ? events : `${events}&request=${requests}`
}

test('with two servers on one database, a write is visible at once on the same server and within a second on the other', async () => {
  const database = await createDatabase()
  const shared = { url: database.url, remove: async () => {} }
  const env = { DRAIN_SECONDS: '0' }
  const servers = [
    await startCampaignsAndCalendar({ database: shared, env }),
    await startCampaignsAndCalendar({ database: shared, env })
  ]
  after(database.remove)
  const urls: string[] = []
  for (const { server } of servers) {
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    urls.push(`http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`)
  }
  await assertFreshness(urls, Number(process.env.TEST_RUNS ?? 2))
  for (const { server } of servers) assert.match(await server.metrics.render(), /^kalends_cache_hits [1-9]/m)
})

// An embedded store serves one process only.
test('with two processes on one database, a write is visible at once in the same process and within a second in the other', {
  skip: !onServer
}, async () => {
  const dataLocation = await createDataLocation()
  const env = { ...dataLocation.env, ADMIN_KEY: adminKey, WORKER: 'false', RATE_LIMIT: '0' }
  const processes = [await startKalends(env), await startKalends(env)]
  try {
    await assertFreshness(
      processes.map(({ url }) => url),
      Number(process.env.TEST_RUNS ?? 1)
    )
  } finally {
    await Promise.all(processes.map(async one => await one.stop()))
    await dataLocation.remove()
  }
})
