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

/** For a second after the last poll of the changes, reads may be answered from the response cache. */
const cachedForMs = 1100

/** SIGSTOP of PostgreSQL: connections are neither refused nor answered. */
export const databaseFrozen: FaultScenario = {
  name: 'database-frozen',
  run: async context => {
    const server = await startDatabaseServer(context)
    const { url } = await startProgram(context, { DATABASE_URL: server.databaseUrl })
    let isFrozen = false
    const load = await startLoad({ url: async () => url, adminKey, isFaultActive: () => isFrozen })
    context.onCleanup(async () => load.abort())
    const { body } = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
    const requests: [string, object][] = [
      [`/campaigns/${body.id}`, {}],
      ['/campaigns', {}],
      [`/campaigns/${body.id}/donations`, { method: 'POST', body: donation }],
      [`/campaigns/${body.id}`, { method: 'PUT', body: campaign, headers: asAdmin }],
      ['/calendar/events/v1/events', {}],
      ['/', { headers: { accept: 'text/html' } }]
    ]
    const rounds = context.quick ? 1 : 5
    let slowestMs = 0
    let slowestRecoveryMs = 0
    const wrong: string[] = []
    const probes: string[] = []

    for (let round = 1; round <= rounds; round += 1) {
      await sleep(500)
      isFrozen = true
      const frozen = server.pids()
      for (const pid of frozen.toReversed()) process.kill(pid, 'SIGSTOP')
      context.onCleanup(async () => resume(frozen))
      const sent = requests.map(async ([path, request]) => {
        if (!('method' in request)) await sleep(cachedForMs)
        const began = performance.now()
        const status = await readStatus(url + path, request)
        slowestMs = Math.max(slowestMs, performance.now() - began)
        if (status !== 503) wrong.push(`${path}: ${status}`)
      })
      const [livez, readyz] = await Promise.all([readStatus(`${url}/livez`), readStatus(`${url}/readyz`)])
      probes.push(`${livez}/${readyz}`)
      await Promise.all(sent)
      resume(frozen)
      const before = load.acknowledged()
      const recoveryMs = await measureUntil(async () => load.acknowledged() > before, 20_000)
      slowestRecoveryMs = Math.max(slowestRecoveryMs, recoveryMs)
      await waitUntil(async () => (await readStatus(`${url}/readyz`)) === 200)
      await sleep(200)
      isFrozen = false
      context.log(
        `round ${round}: 503 within ${Math.round(slowestMs)} ms, recovered after ${Math.round(recoveryMs)} ms`
      )
    }

    return [
      checkThat(
        'every request gets 503',
        wrong.length === 0,
        wrong.join(', ') || `${rounds * requests.length} of them`
      ),
      // Five seconds are guaranteed; the rest is a margin for a busy machine.
      checkAtMost('the longest wait for the 503', slowestMs, 5500, 'ms'),
      checkThat(
        'liveness and readiness at the same time',
        probes.every(one => one === '200/503'),
        probes.join(' '),
        '200/503'
      ),
      checkAtMost('time until donations work again', slowestRecoveryMs, 2000, 'ms'),
      checkNothingLost(await load.stopAndVerify())
    ]
  }
}

function resume(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGCONT')
    } catch (error) {
      // A frozen process that got a signal ends when it is resumed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
