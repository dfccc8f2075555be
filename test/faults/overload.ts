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
  run: async context => {
    const { databaseUrl } = await startDatabaseServer(context)
    const { url } = await startProgram(context, { DATABASE_URL: databaseUrl })
    const port = Number(new URL(url).port)
    const created = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
    const request = () => formatPost(`/campaigns/${created.body.id}/donations`, donation)
    const ms = context.quick ? 5000 : 20_000
    await sendTraffic({ port, ms: 3000, connections: 32, request })
    const peak = await sendTraffic({ port, ms: 5000, connections: 32, request })
    context.log(`peak: ${formatNumber(peak.perSecond)} donations a second`)

    const probing = probe(url, ms)
    const flood = await sendTraffic({ port, ms, connections: 3000, perSecond: peak.perSecond * 5, request })
    const probes = await probing
    context.log(
      `offered ${formatNumber(peak.perSecond * 5)} a second: ${formatStatuses(flood)}, ${flood.unsent} not sent`
    )
    const after: number[] = []
    const began = performance.now()
    // Recovered: a second in which a normal load is served as before.
    let recoveredMs = Number.POSITIVE_INFINITY
    while (performance.now() - began < 15_000 && recoveredMs === Number.POSITIVE_INFINITY) {
      const calm = await sendTraffic({ port, ms: 1000, connections: 32, perSecond: peak.perSecond * 0.5, request })
      after.push(calm.p99Ms)
      if (Object.keys(calm.statuses).join() === '201' && calm.p99Ms < 250) recoveredMs = performance.now() - began
    }

    const areStatusesExpected = Object.keys(flood.statuses).every(status => ['201', '429', '503'].includes(status))
    return [
      checkThat('every request gets a response', areStatusesExpected, formatStatuses(flood), '201, 429 or 503'),
      checkThat('some requests are shed', (flood.statuses[503] ?? 0) > 0, `${flood.statuses[503] ?? 0}`, '> 0'),
      checkAtMost('accepted requests, p99', flood.p99Ms, 1000, 'ms'),
      checkThat(
        'donations a second, compared with the peak',
        // Refusing requests takes processor time, and so does this test, which sends them.
        flood.perSecond >= peak.perSecond * 0.2,
        `${formatNumber(flood.perSecond)} of ${formatNumber(peak.perSecond)}`,
        '≥ 20 %'
      ),
      checkThat(
        'liveness at the same time',
        probes.every(status => status === 200),
        `${probes.length} × 200`,
        '200'
      ),
      checkAtMost('recovered after', recoveredMs, 10_000, 'ms')
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

function formatStatuses({ statuses }: TrafficReport): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}
