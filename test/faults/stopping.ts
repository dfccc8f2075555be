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

/** SIGTERM under load, twice each time, again and again: whoever is in gets the answer, whoever comes later is not let in. */
export const stopping: FaultScenario = {
  name: 'stopping',
  run: async given => {
    const { databaseUrl } = await startDatabaseServer(given)
    const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info', DRAIN_SECONDS: '1' }
    let started: RunningKalends = await startProgram(given, env)
    let up: Promise<RunningKalends> = Promise.resolve(started)
    let refused = false
    const url = async () => (await up).url
    const crowd = await startLoad({ url, adminKey, clients: 32, isFaultActive: () => refused })
    given.onCleanup(async () => crowd.abort())
    const rounds = given.quick ? 2 : 10
    const codes: (number | null)[] = []
    let slowestMs = 0
    let answeredMeanwhile = 0

    for (let round = 1; round <= rounds; round += 1) {
      const before = crowd.acknowledged()
      await waitUntil(() => crowd.acknowledged() > before + 100)
      const began = performance.now()
      const ended = started.stop('SIGTERM')
      await sleep(200)
      started.child.kill('SIGTERM')
      const then = crowd.acknowledged()
      // For the second that proxies get, everybody is served; then the door is shut, and only newcomers may be turned away.
      await sleep(600)
      answeredMeanwhile += crowd.acknowledged() - then
      refused = true
      const next = ended.then(() => startProgram(given, env))
      up = next
      codes.push(await ended)
      slowestMs = Math.max(slowestMs, performance.now() - began)
      started = await next
      refused = false
      given.log(`round ${round}: exit ${codes.at(-1)} after ${Math.round(performance.now() - began)} ms`)
    }
    const tally = await crowd.stopAndVerify()
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
      // Whoever had a donation under way when the door shut was told of it: nobody had to send again what was done.
      checkThat('answers that got lost', tally.replayed === 0, String(tally.replayed), '0'),
      checkNothingLost(tally)
    ]
  }
}
