import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  checkAtMost,
  checkThat,
  type FaultScenario,
  formatNumber,
  getMedian,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { findP99, sendTraffic, type TrafficReport } from '../support/faults/traffic.ts'
import { createVisitorRequests } from '../support/faults/visitors.ts'
import { sendRequest } from '../support/kalends-process.ts'

const megabyte = 1024 ** 2
const maximumMs = 1500
const periodMs = 8500

interface Period {
  perSecond: number
  report: TrafficReport
  /** False if the maximum was less than 80 % afterwards, so that the load was more than 87 % of it. */
  isSteady: boolean
}

/**
 * A load of 70 % of the maximum for a long time: no request fails, response times and memory do not grow. The maximum is
 * measured every ten seconds, because other machines of the same host can halve the speed of a virtual machine.
 */
export const steadyLoad: FaultScenario = {
  name: 'steady-load',
  run: async context => {
    const { databaseUrl } = await startDatabaseServer(context)
    const { url } = await startProgram(context, { DATABASE_URL: databaseUrl })
    const port = Number(new URL(url).port)
    const request = await createVisitorRequests(url)
    await sendTraffic({ port, ms: 5000, connections: 32, request })

    const measureMaximum = async () => (await sendTraffic({ port, ms: maximumMs, connections: 32, request })).perSecond

    let isOver = false
    const figures: Figures[] = []
    const watching = (async () => {
      while (!isOver) {
        figures.push(await readFigures(url))
        for (let waited = 0; waited < 1000 && !isOver; waited += 100) await sleep(100)
      }
    })()
    const before = readProcessorTicks()
    const periods: Period[] = []
    let maximum = await measureMaximum()
    for (const end = performance.now() + context.minutes * 60_000; performance.now() < end; ) {
      const perSecond = maximum * 0.7
      const report = await sendTraffic({ port, ms: periodMs, connections: 256, perSecond, request })
      const maximumAfter = await measureMaximum()
      periods.push({ perSecond, report, isSteady: maximumAfter >= maximum * 0.8 })
      maximum = maximumAfter
    }
    const after = readProcessorTicks()
    isOver = true
    await watching
    const share = (after.taken - before.taken) / (after.all - before.all)
    context.log(`${formatNumber(share * 100)} % of the processor time was stolen by other machines of the same host`)

    // In the first third code is compiled and caches are filled.
    const settled = figures.slice(Math.floor(figures.length / 3))
    const half = Math.floor(settled.length / 2)
    // The minimum is the heap after a garbage collection.
    const measureGrowth = (of: keyof Figures) =>
      Math.min(...settled.slice(half).map(one => one[of])) - Math.min(...settled.slice(0, half).map(one => one[of]))
    const steady = periods.filter(({ isSteady }) => isSteady).map(({ report }) => report)
    const rates = periods.map(({ perSecond }) => perSecond)
    context.log(`${formatNumber(Math.min(...rates))} to ${formatNumber(Math.max(...rates))} requests a second`)
    const statuses = periods.flatMap(({ report, isSteady }) =>
      Object.entries(report.statuses).map(([status, count]) => ({ status: Number(status), count, isSteady }))
    )
    const total = statuses.reduce((sum, { count }) => sum + count, 0)
    // A machine that became slower has to refuse requests, but only as overload.
    const failed = statuses.filter(
      ({ status, isSteady }) => (status === 0 || status >= 400) && (isSteady || status !== 503)
    )
    const sent = steady.reduce((sum, { latenciesMs }) => sum + latenciesMs.length, 0)
    const unsent = steady.reduce((sum, report) => sum + report.unsent, 0)
    const latencies = steady.flatMap(({ latenciesMs }) => latenciesMs).sort((one, other) => one - other)
    const last = settled.at(-1)
    return [
      checkThat(
        'no request fails',
        failed.length === 0,
        `${total} requests, ${failed.map(({ status, count }) => `${status}: ${count}`).join(', ') || 0} failed`,
        '0'
      ),
      checkAtMost(
        'periods in which the machine became slower, which the next two rows leave out',
        (1 - steady.length / periods.length) * 100,
        50,
        '%'
      ),
      checkAtMost('p99', findP99(latencies), 250, 'ms'),
      // These are not in p99: more of them would falsify it, a short pause of the disk does not.
      checkAtMost('could not be sent, as all connections waited', (unsent / sent) * 100, 0.1, '%'),
      checkAtMost('memory of the process at the end', (last?.resident ?? Number.NaN) / megabyte, 400, 'MB'),
      // Compared between the halves of the last two thirds: a leak of a few bytes per request would exceed the limits.
      checkAtMost('growth of memory', measureGrowth('resident') / megabyte, 20, 'MB'),
      checkAtMost('growth of the heap', measureGrowth('heap') / megabyte, 15, 'MB'),
      checkAtMost('growth of open files', measureGrowth('files'), 5, ''),
      checkAtMost('event loop delay p99', getMedian(settled.map(({ lag }) => lag)) * 1000, 200, 'ms')
    ]
  }
}

/** CPU time stolen by the host of a virtual machine delays everything that is measured. */
function readProcessorTicks(): { all: number; taken: number } {
  const ticks = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/ +/).slice(1).map(Number)
  return { all: ticks.slice(0, 8).reduce((sum, one) => sum + one, 0), taken: ticks[7] ?? 0 }
}

interface Figures {
  resident: number
  heap: number
  files: number
  lag: number
}

async function readFigures(url: string): Promise<Figures> {
  const { text } = await sendRequest(`${url}/metrics`)
  const readMetric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    resident: readMetric('process_resident_memory_bytes'),
    heap: readMetric('nodejs_heap_size_used_bytes'),
    files: readMetric('process_open_fds'),
    lag: readMetric('nodejs_eventloop_lag_p99_seconds')
  }
}
