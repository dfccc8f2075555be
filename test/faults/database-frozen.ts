import { setTimeout as sleep } from 'node:timers/promises'
import {
  adminKey,
  asAdmin,
  checkAtMost,
  checkNothingLost,
  checkThat,
  type FaultScenario,
  measureUntil,
  readStatus,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { sendRequest, waitUntil } from '../support/kalends-process.ts'
import { startLoad } from '../support/load.ts'
import { campaign, donation } from '../support/services.ts'

/** SIGSTOP of PostgreSQL: nothing is refused, nothing answers. */
export const databaseFrozen: FaultScenario = {
  name: 'database-frozen',
  run: async given => {
    const server = await startDatabaseServer(given)
    const { url } = await startProgram(given, { DATABASE_URL: server.databaseUrl })
    let trouble = false
    const load = await startLoad({ url: async () => url, adminKey, isFaultActive: () => trouble })
    given.onCleanup(async () => load.abort())
    const { body } = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
    const requests: [string, object][] = [
      [`/campaigns/${body.id}`, {}],
      ['/campaigns', {}],
      [`/campaigns/${body.id}/donations`, { method: 'POST', body: donation }],
      [`/campaigns/${body.id}`, { method: 'PUT', body: campaign, headers: asAdmin }],
      ['/calendar/events/v1/events', {}],
      ['/', { headers: { accept: 'text/html' } }]
    ]
    const rounds = given.quick ? 1 : 5
    let slowestMs = 0
    let slowestThawMs = 0
    const wrong: string[] = []
    const probes: string[] = []

    for (let round = 1; round <= rounds; round += 1) {
      await sleep(500)
      trouble = true
      const frozen = server.pids()
      for (const pid of frozen.toReversed()) process.kill(pid, 'SIGSTOP')
      given.onCleanup(async () => thaw(frozen))
      const asked = requests.map(async ([path, request]) => {
        const began = performance.now()
        const status = await readStatus(url + path, request)
        slowestMs = Math.max(slowestMs, performance.now() - began)
        if (status !== 503) wrong.push(`${path}: ${status}`)
      })
      const [livez, readyz] = await Promise.all([readStatus(`${url}/livez`), readStatus(`${url}/readyz`)])
      probes.push(`${livez}/${readyz}`)
      await Promise.all(asked)
      thaw(frozen)
      const before = load.acknowledged()
      const thawMs = await measureUntil(async () => load.acknowledged() > before, 20_000)
      slowestThawMs = Math.max(slowestThawMs, thawMs)
      await waitUntil(async () => (await readStatus(`${url}/readyz`)) === 200)
      await sleep(200)
      trouble = false
      given.log(`round ${round}: answered 503 within ${Math.round(slowestMs)} ms, again after ${Math.round(thawMs)} ms`)
    }

    return [
      checkThat(
        'every request is answered 503',
        wrong.length === 0,
        wrong.join(', ') || `${rounds * requests.length} of them`
      ),
      // Five seconds are the promise; the rest is what a busy machine adds.
      checkAtMost('the longest wait for it', slowestMs, 5500, 'ms'),
      checkThat(
        'liveness and readiness meanwhile',
        probes.every(one => one === '200/503'),
        probes.join(' '),
        '200/503'
      ),
      checkAtMost('donations again after the thaw', slowestThawMs, 2000, 'ms'),
      checkNothingLost(await load.stopAndVerify())
    ]
  }
}

function thaw(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGCONT')
    } catch (error) {
      // A frozen process that got a signal ends when it is resumed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
