import { type Environment, get } from './environment.ts'
import { compare, type Measurement, measure } from './measure.ts'
import { sizes } from './options.ts'
import { makeEventsDatabase } from './sample-events.ts'
import type { Row } from './table.ts'

const plain = 'list of 10'

/** Filtered lists compared with the plain one, in the largest calendar: whether PostgreSQL has a good plan for each. */
export async function benchFilters(environment: Environment): Promise<Row[]> {
  const size = Math.max(...sizes)
  const target = await environment.start(await makeEventsDatabase(environment, size))
  const list = (query: string): Measurement => ({
    target,
    requests: [get(`/calendar/events/v1/events${query}`)],
    status: 200
  })
  const { total } = (await (await fetch(`${target.url}/calendar/events/v1/events`)).json()) as { total: number }
  const filtered: Record<string, Measurement> = {
    category: list('?categories=3'),
    venue: list('?venue=7'),
    'running now': list('?ends_after=now'),
    'page in the middle': list(`?page=${Math.max(2, Math.floor(total / 20))}`),
    search: list(`?search=number%20${size - 7}`)
  }
  const results = await measure(environment, { [plain]: list(''), ...filtered })
  await target.stop()
  return Object.keys(filtered).map(name => compare(results, { section: 'filters', name, limit: plain }))
}
