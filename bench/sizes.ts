import { eventsOf } from './events-content.ts'
import { get, type Lab } from './lab.ts'
import { busy, sizes } from './options.ts'
import { compared, type Measurement, measure } from './rounds.ts'
import type { Row } from './table.ts'

const nameOf = (size: number) => `list of 10 of ${size.toLocaleString('en')} events`

/** Whether a list stays as fast as it is while the calendar grows; and what is asked for less often. */
export async function benchSizes(lab: Lab): Promise<Row[]> {
  const works: Record<string, Measurement> = {}
  for (const size of sizes) {
    const target = await lab.start(await eventsOf(lab, size))
    works[nameOf(size)] = { target, requests: [get('/calendar/events/v1/events')], status: 200 }
  }
  const results = await measure(lab, works, { at: [busy] })
  const [smallest = 0, ...larger] = sizes.toSorted((a, b) => a - b)
  return larger.flatMap(size => {
    const bounds = size === 1_000_000 ? { floor: 0.7, goal: 0.9 } : {}
    return compared(results, { what: nameOf(size), limit: nameOf(smallest), at: [busy], ...bounds })
  })
}
