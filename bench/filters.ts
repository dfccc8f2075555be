import { eventsOf } from './events-content.ts'
import { get, type Lab } from './lab.ts'
import { busy, sizes } from './options.ts'
import { compared, type Measurement, measure } from './rounds.ts'
import type { Row } from './table.ts'

const plain = 'list of 10'

/** Lists that are narrowed in different ways, beside the plain one, in the largest calendar: whether every plan is a good one. */
export async function benchFilters(lab: Lab): Promise<Row[]> {
  const size = Math.max(...sizes)
  const target = await lab.start(await eventsOf(lab, size))
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
  const results = await measure(lab, { [plain]: list(''), ...filtered }, { at: [busy] })
  await target.stop()
  return Object.keys(filtered).flatMap(what => compared(results, { what, limit: plain, at: [busy] }))
}
