import { buildPageRequests } from './calendar-size.ts'
import { type Environment, get } from './environment.ts'
import { compare, measure } from './measure.ts'
import { serialMark, usualSize } from './options.ts'
import { readProcessMetrics } from './process-metrics.ts'
import { makeEventsDatabase } from './sample-events.ts'
import { newValueRow, type Row } from './table.ts'

const ns = '/calendar/events/v1'
const fiftyPath = `${ns}/events?per_page=50`
const fiftyName = 'GET list of 50 events, cached'
const codings = ['gzip', 'br']
const pagesName = `GET 50 different pages of ${usualSize.toLocaleString('en')} events`

/** Reading events, and the memory of the process after that. */
export async function benchEvents(environment: Environment): Promise<Row[]> {
  const databaseUrl = await makeEventsDatabase(environment, usualSize)
  const uncached = await environment.start(databaseUrl)
  const caching = await environment.start(databaseUrl, { RESPONSE_CACHE: '32' })
  const response = await fetch(`${uncached.url}${ns}/events`)
  const { events } = (await response.json()) as { events: { id: number }[] }
  const firstId = events[0]?.id ?? 0

  const one = { target: uncached, requests: [get(`${ns}/events/${firstId}`)], status: 200 }
  const list = { target: uncached, requests: [get(`${ns}/events`)], status: 200 }
  const cached = { ...list, target: caching }
  const conditional = await environment.toConditional(cached)
  const fifty = { ...cached, requests: [get(fiftyPath)] }
  const toCompressed = (coding: string) => ({
    ...fifty,
    requests: [get(fiftyPath, `Accept-Encoding: ${coding}\r\n`)]
  })
  // Each with a URL of its own, so that no response is cached.
  const eachOne = Array.from({ length: 100 }, (_, index) =>
    get(`${ns}/events/${firstId + index}?request=${serialMark}`)
  )
  // Resets the measured delay of the event loop.
  await readProcessMetrics(uncached)

  const results = await measure(environment, {
    'node:http': await environment.createRawLimit(one, 'serialised'),
    'GET 100 different events': { ...one, target: caching, requests: eachOne },
    'node:http, list': await environment.createRawLimit(list, 'serialised'),
    [pagesName]: { ...list, target: caching, requests: buildPageRequests() },
    'node:http, ready list': await environment.createRawLimit(cached, 'ready'),
    'GET list of 10 events, cached': cached,
    'node:http, 304': await environment.createRawLimit(conditional, 'ready'),
    'GET list of 10 events, 304': conditional,
    [fiftyName]: fifty,
    ...Object.fromEntries(codings.map(coding => [`${fiftyName}, ${coding}`, toCompressed(coding)]))
  })
  const sizes = await Promise.all(
    ['identity', ...codings].map(async coding => {
      const { headers } = await fetch(caching.url + fiftyPath, { headers: { 'accept-encoding': coding } })
      return newValueRow({
        section: 'what browsers load',
        name: `list of 50 events, ${coding}`,
        unit: 'KB',
        value: Number(headers.get('content-length')) / 1024
      })
    })
  )
  const metrics = [await readProcessMetrics(uncached), await readProcessMetrics(caching)]
  await Promise.all([uncached.stop(), caching.stop()])

  const inTurn = { section: 'different requests in turn' } as const
  const cachedBounds = { section: 'cached', floor: 0.45, goal: 0.7 } as const
  const highest = (read: (each: (typeof metrics)[number]) => number) => Math.max(...metrics.map(read))
  const inProcess = { section: 'start and memory' } as const
  return [
    compare(results, { ...inTurn, name: 'GET 100 different events', limit: 'node:http', floor: 0.15, goal: 0.45 }),
    compare(results, { ...inTurn, name: pagesName, limit: 'node:http, list', floor: 0.14, goal: 0.5 }),
    compare(results, { ...cachedBounds, name: 'GET list of 10 events, cached', limit: 'node:http, ready list' }),
    compare(results, { ...cachedBounds, name: 'GET list of 10 events, 304', limit: 'node:http, 304' }),
    ...codings.map(coding =>
      compare(results, { section: 'cached', name: `${fiftyName}, ${coding}`, limit: fiftyName })
    ),
    ...sizes,
    newValueRow({
      ...inProcess,
      name: 'memory of the process after load',
      unit: 'MB',
      value: highest(each => each.residentMb),
      floor: 250,
      goal: 150
    }),
    newValueRow({ ...inProcess, name: 'of it objects in use', unit: 'MB', value: highest(each => each.heapMb) }),
    newValueRow({
      ...inProcess,
      name: 'delay of the event loop, 99th percentile',
      unit: 'ms',
      value: highest(each => each.eventLoopDelayMs),
      floor: 50
    })
  ]
}
