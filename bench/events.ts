import { eventsOf } from './events-content.ts'
import { figuresOf } from './figures.ts'
import { get, type Lab } from './lab.ts'
import { busy, usualSize } from './options.ts'
import { compared, measure } from './rounds.ts'
import type { Row } from './table.ts'

const ns = '/calendar/events/v1'

/** Reading events out of a hundred thousand, and what that does to the process. */
export async function benchEvents(lab: Lab): Promise<Row[]> {
  const databaseUrl = await eventsOf(lab, usualSize)
  const [kalends, remembering] = [await lab.start(databaseUrl), await lab.start(databaseUrl, { RESPONSE_CACHE: '32' })]
  const first = await fetch(`${kalends.url}${ns}/events`)
  const { events } = (await first.json()) as { events: { id: number }[] }
  const firstId = events[0]?.id ?? 0

  const one = { target: kalends, requests: [get(`${ns}/events/${firstId}`)], status: 200 }
  const list = { target: kalends, requests: [get(`${ns}/events`)], status: 200 }
  const known = { ...list, target: remembering }
  const unchanged = await lab.unchanged(known)
  const eachOne = Array.from({ length: 100 }, (_, index) => get(`${ns}/events/${firstId + index}`))
  const eachPage = Array.from({ length: 50 }, (_, index) => get(`${ns}/events?page=${index + 1}`))
  const before = await figuresOf(kalends)

  const results = await measure(
    lab,
    {
      'node:http': await lab.limit(one, 'serialised'),
      'GET one event, from the database': one,
      'node:http, list': await lab.limit(list, 'serialised'),
      'GET list of 10 events, from the database': list,
      'node:http, list ready': await lab.limit(known, 'ready'),
      'GET list of 10 events, from the response cache': known,
      'node:http, 304': await lab.limit(unchanged, 'ready'),
      'GET list of 10 events, 304': unchanged
    },
    // Nobody shares an answer here: what each costs alone.
    {
      alsoFirst: {
        'GET 100 events in turn': { ...one, requests: eachOne },
        'GET 50 pages of events in turn': { ...list, requests: eachPage }
      }
    }
  )
  const after = await figuresOf(kalends)
  await Promise.all([kalends.stop(), remembering.stop()])

  return [
    ...[
      { what: 'GET one event, from the database', limit: 'node:http', floor: 0.3, goal: 0.45 },
      { what: 'GET 100 events in turn', limit: 'node:http', at: [busy] },
      { what: 'GET list of 10 events, from the database', limit: 'node:http, list', floor: 0.35, goal: 0.5 },
      { what: 'GET 50 pages of events in turn', limit: 'node:http, list', at: [busy] },
      {
        what: 'GET list of 10 events, from the response cache',
        limit: 'node:http, list ready',
        floor: 0.7,
        goal: 0.95
      },
      { what: 'GET list of 10 events, 304', limit: 'node:http, 304', floor: 0.8, goal: 1 }
    ].flatMap(row => compared(results, row)),
    { name: 'memory of the process before', unit: 'MB', value: before.residentMb, ...unbound },
    { name: 'memory of the process after', unit: 'MB', value: after.residentMb, ...unbound, goal: 150 },
    { name: 'of it objects in use', unit: 'MB', value: after.heapMb, ...unbound },
    { name: 'delay of the event loop, 99th percentile', unit: 'ms', value: after.delayMs, ...unbound, floor: 50 }
  ]
}

const unbound = { limit: null, ratio: null, floor: null, goal: null }
