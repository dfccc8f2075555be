import { buildPageRequests } from './calendar-size.ts'
import { type Environment, get } from './environment.ts'
import { compare, type Measurement, measure } from './measure.ts'
import { isQuick, serialMark } from './options.ts'
import { makeWeeklyDatabase, venues } from './sample-series.ts'
import type { Row } from './table.ts'

const [series, dates] = isQuick ? [200, 50] : [1000, 50]

/** Feeds take long: with more, requests would wait longer than the timeout of a statement. */
const connections = 4
/** A process sends ten feeds in a second. */
const sampleMs = 2000

/** Each with a URL of its own, so that no response is cached. */
const repeatRequest = (getPath: (index: number) => string) =>
  Array.from({ length: 5000 }, (_, index) => get(`/calendar/events/v1/${getPath(index)}&request=${serialMark}`))

/** Whether events of series are read as fast as single events. */
export async function benchSeries(environment: Environment): Promise<Row[]> {
  const month = new Date().toISOString().slice(0, 7)
  const requests = {
    list: buildPageRequests(),
    month: repeatRequest(() => `days?from=${month}-01&to=${month}-28&per_day=3`),
    feed: repeatRequest(index => `events.ics?venue=${1 + (index % venues)}`)
  }
  const kinds = { series: true, single: false }
  const workloads: Record<string, Measurement> = {}
  for (const [kind, isRepeated] of Object.entries(kinds)) {
    const database = await makeWeeklyDatabase(environment, { series, dates, isRepeated })
    const target = await environment.start(database, { RESPONSE_CACHE: '32' })
    for (const [name, list] of Object.entries(requests)) {
      workloads[formatName(name, kind)] = { target, requests: list, status: 200, connections, sampleMs }
    }
  }
  const results = await measure(environment, workloads)
  return Object.keys(requests).map(name =>
    compare(results, {
      section: 'size of the calendar',
      name: formatName(name, 'series'),
      limit: formatName(name, 'single'),
      floor: 0.9
    })
  )
}

const formatName = (request: string, kind: string) =>
  kind === 'series'
    ? `${request} with ${series.toLocaleString('en')} series of ${dates} events`
    : `${request} with ${(series * dates).toLocaleString('en')} single events`
