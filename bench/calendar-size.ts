import { type Environment, get } from './environment.ts'
import { compare, type Measurement, measure } from './measure.ts'
import { serialMark, sizes } from './options.ts'
import { makeEventsDatabase } from './sample-events.ts'
import type { Row } from './table.ts'

const formatName = (size: number) => `50 different pages of ${size.toLocaleString('en')} events`

/**
 * Fifty pages in turn, each with a URL of its own, so that no response is cached. The cache is on, because it has the
 * total of the list, which is the same on every page.
 */
export function buildPageRequests(): string[] {
  return Array.from({ length: 50 }, (_, index) =>
    get(`/calendar/events/v1/events?page=${index + 1}&request=${serialMark}`)
  )
}

/** Whether lists stay as fast as they are while the calendar grows. */
export async function benchCalendarSize(environment: Environment): Promise<Row[]> {
  const requests = buildPageRequests()
  const workloads: Record<string, Measurement> = {}
  for (const size of sizes) {
    const target = await environment.start(await makeEventsDatabase(environment, size), { RESPONSE_CACHE: '32' })
    workloads[formatName(size)] = { target, requests, status: 200 }
  }
  const results = await measure(environment, workloads)
  const [smallest = 0, ...larger] = sizes.toSorted((a, b) => a - b)
  return larger.map(size => {
    const bounds = size === 1_000_000 ? { floor: 0.7, goal: 0.9 } : {}
    const comparison = { section: 'size of the calendar', name: formatName(size), limit: formatName(smallest) } as const
    return compare(results, { ...comparison, ...bounds })
  })
}
