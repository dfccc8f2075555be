import { setTimeout as sleep } from 'node:timers/promises'
import {
  asAdmin,
  checkAtMost,
  checkThat,
  type FaultScenario,
  formatNumber,
  readStatus,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { formatPost, sendTraffic, type TrafficReport } from '../support/faults/traffic.ts'
import { sendRequest } from '../support/kalends-process.ts'
import { campaign, donation } from '../support/services.ts'

/** Five times as many donations as the program can process: accepted requests are fast, the others get 503 at once. */
export const overload: FaultScenario = {
  name: 'overload',
  run: async given => {
    const { databaseUrl } = await startDatabaseServer(given)
    const { url } = await startProgram(given, { DATABASE_URL: databaseUrl })
    const port = Number(new URL(url).port)
    const made = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
    const request = () => formatPost(`/campaigns/${made.body.id}/donations`, donation)
    const ms = given.quick ? 5000 : 20_000
    await sendTraffic({ port, ms: 3000, connections: 32, request })
    const peak = await sendTraffic({ port, ms: 5000, connections: 32, request })
    given.log(`at its best ${formatNumber(peak.perSecond)} donations a second`)

    const probing = probe(url, ms)
    const flood = await sendTraffic({ port, ms, connections: 3000, perSecond: peak.perSecond * 5, request })
    const probes = await probing
    given.log(`offered ${formatNumber(peak.perSecond * 5)} a second: ${spelled(flood)}, ${flood.unsent} not sent`)
    const after: number[] = []
    const began = performance.now()
    // Well again is a second in which a usual load is served as ever.
    let recoveredMs = Number.POSITIVE_INFINITY
    while (performance.now() - began < 15_000 && recoveredMs === Number.POSITIVE_INFINITY) {
      const calm = await sendTraffic({ port, ms: 1000, connections: 32, perSecond: peak.perSecond * 0.5, request })
      after.push(calm.p99Ms)
      if (Object.keys(calm.statuses).join() === '201' && calm.p99Ms < 250) recoveredMs = performance.now() - began
    }

    const told = Object.keys(flood.statuses).every(status => ['201', '429', '503'].includes(status))
    return [
      checkThat('every request is answered', told, spelled(flood), '201, 429 or 503'),
      checkThat('some are sent away', (flood.statuses[503] ?? 0) > 0, `${flood.statuses[503] ?? 0}`, '> 0'),
      checkAtMost('those who are let in, p99', flood.p99Ms, 1000, 'ms'),
      checkThat(
        'donations a second, of those at its best',
        // Sending the others away takes its share, and so does this program, which sends them.
        flood.perSecond >= peak.perSecond * 0.2,
        `${formatNumber(flood.perSecond)} of ${formatNumber(peak.perSecond)}`,
        '≥ 20 %'
      ),
      checkThat(
        'liveness meanwhile',
        probes.every(status => status === 200),
        `${probes.length} × 200`,
        '200'
      ),
      checkAtMost('well again after', recoveredMs, 10_000, 'ms')
    ]
  }
}

async function probe(url: string, ms: number): Promise<number[]> {
  const statuses: number[] = []
  for (const end = performance.now() + ms; performance.now() < end; await sleep(250)) {
    statuses.push(await readStatus(`${url}/livez`))
  }
  return statuses
}

function spelled({ statuses }: TrafficReport): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}
