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
import { sendTraffic } from '../support/faults/traffic.ts'
import { createVisitorRequests } from '../support/faults/visitors.ts'
import { sendRequest } from '../support/kalends-process.ts'

const megabyte = 1024 ** 2

/** 70 % of what it can do, for long: nothing fails, nothing gets slower, nothing grows. */
export const steadyLoad: FaultScenario = {
  name: 'steady-load',
  run: async given => {
    const { databaseUrl } = await startDatabaseServer(given)
    const { url } = await startProgram(given, { DATABASE_URL: databaseUrl })
    const port = Number(new URL(url).port)
    const request = await createVisitorRequests(url)
    await sendTraffic({ port, ms: 5000, connections: 32, request })
    const peak = await sendTraffic({ port, ms: 5000, connections: 32, request })
    const perSecond = peak.perSecond * 0.7
    given.log(
      `at its best ${formatNumber(peak.perSecond)} a second; now ${formatNumber(perSecond)} for ${given.minutes} min`
    )

    let isOver = false
    const figures: Figures[] = []
    const watching = (async () => {
      while (!isOver) {
        figures.push(await figuresOf(url))
        for (let waited = 0; waited < 1000 && !isOver; waited += 100) await sleep(100)
      }
    })()
    const before = processorTicks()
    const seen = await sendTraffic({ port, ms: given.minutes * 60_000, connections: 256, perSecond, request })
    const after = processorTicks()
    isOver = true
    await watching
    const share = (after.taken - before.taken) / (after.all - before.all)
    given.log(
      `meanwhile ${formatNumber(share * 100)} % of the processors' time went to other machines of the same host`
    )

    // The first third is for compilers and caches to fill.
    const settled = figures.slice(Math.floor(figures.length / 3))
    const half = Math.floor(settled.length / 2)
    // The minimum is the heap after a garbage collection.
    const growth = (of: keyof Figures) =>
      Math.min(...settled.slice(half).map(one => one[of])) - Math.min(...settled.slice(0, half).map(one => one[of]))
    const failed = Object.entries(seen.statuses).filter(([status]) => Number(status) === 0 || Number(status) >= 400)
    const total = Object.values(seen.statuses).reduce((sum, count) => sum + count, 0)
    const last = settled.at(-1)
    return [
      checkThat(
        'none fails',
        failed.length === 0,
        `${total} requests, ${failed.map(pair => pair.join(': ')).join(', ') || 0} failed`,
        '0'
      ),
      checkAtMost('p99', seen.p99Ms, 250, 'ms'),
      // They are not in the figure above: more of them would make it a lie, a pause of a disk now and then does not.
      checkAtMost('could not be sent, as all connections waited', (seen.unsent / total) * 100, 0.1, '%'),
      checkAtMost('memory of the process at the end', (last?.resident ?? Number.NaN) / megabyte, 400, 'MB'),
      // By halves of the last two thirds: a leak of a few bytes for each request would be more.
      checkAtMost('growth of memory', growth('resident') / megabyte, 20, 'MB'),
      checkAtMost('growth of the heap', growth('heap') / megabyte, 15, 'MB'),
      checkAtMost('growth of open files', growth('files'), 5, ''),
      checkAtMost('event loop delay p99', getMedian(settled.map(({ lag }) => lag)) * 1000, 200, 'ms')
    ]
  }
}

/** CPU time stolen by the host of a virtual machine delays everything that is measured. */
function processorTicks(): { all: number; taken: number } {
  const ticks = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/ +/).slice(1).map(Number)
  return { all: ticks.slice(0, 8).reduce((sum, one) => sum + one, 0), taken: ticks[7] ?? 0 }
}

interface Figures {
  resident: number
  heap: number
  files: number
  lag: number
}

async function figuresOf(url: string): Promise<Figures> {
  const { text } = await sendRequest(`${url}/metrics`)
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    resident: figure('process_resident_memory_bytes'),
    heap: figure('nodejs_heap_size_used_bytes'),
    files: figure('process_open_fds'),
    lag: figure('nodejs_eventloop_lag_p99_seconds')
  }
}
