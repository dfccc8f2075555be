import { setTimeout as sleep } from 'node:timers/promises'
import {
  adminKey,
  checkAtMost,
  checkNothingLost,
  checkThat,
  type FaultScenario,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { type RunningKalends, waitUntil } from '../support/kalends-process.ts'
import { startLoad } from '../support/load.ts'

/** SIGTERM under load, twice each time, repeatedly: requests in flight are answered, later connections are refused. */
export const stopping: FaultScenario = {
  name: 'stopping',
  run: async given => {
    const { databaseUrl } = await startDatabaseServer(given)
    const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info', DRAIN_SECONDS: '1' }
    let started: RunningKalends = await startProgram(given, env)
    let up: Promise<RunningKalends> = Promise.resolve(started)
    let refused = false
    const url = async () => (await up).url
    const load = await startLoad({ url, adminKey, clients: 32, isFaultActive: () => refused })
    given.onCleanup(async () => load.abort())
    const rounds = given.quick ? 2 : 10
    const codes: (number | null)[] = []
    let slowestMs = 0
    let answeredMeanwhile = 0

    for (let round = 1; round <= rounds; round += 1) {
      const before = load.acknowledged()
      await waitUntil(() => load.acknowledged() > before + 100)
      const began = performance.now()
      const ended = started.stop('SIGTERM')
      await sleep(200)
      started.child.kill('SIGTERM')
      const then = load.acknowledged()
      // During the drain period for proxies all requests are served; afterwards only new connections may be refused.
      await sleep(600)
      answeredMeanwhile += load.acknowledged() - then
      refused = true
      const next = ended.then(() => startProgram(given, env))
      up = next
      codes.push(await ended)
      slowestMs = Math.max(slowestMs, performance.now() - began)
      started = await next
      refused = false
      given.log(`round ${round}: exit ${codes.at(-1)} after ${Math.round(performance.now() - began)} ms`)
    }
    const tally = await load.stopAndVerify()
    return [
      checkThat(
        'it ends in order, a second SIGTERM changes nothing',
        codes.every(code => code === 0),
        codes.join(' '),
        'exit 0'
      ),
      checkAtMost('the longest stop', slowestMs, 10_000, 'ms'),
      checkThat(
        'requests are served while it says that it goes',
        answeredMeanwhile > 0,
        `${answeredMeanwhile} donations`
      ),
      // Donations in flight at the shutdown were answered: no client had to repeat a donation that was stored.
      checkThat('answers that got lost', tally.replayed === 0, String(tally.replayed), '0'),
      checkNothingLost(tally)
    ]
  }
}
