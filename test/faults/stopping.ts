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

/** SIGTERM under load, twice each time, repeatedly: requests in flight get their responses, later connections are refused. */
export const stopping: FaultScenario = {
  name: 'stopping',
  run: async context => {
    const { databaseUrl } = await startDatabaseServer(context)
    const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info', DRAIN_SECONDS: '1' }
    let started: RunningKalends = await startProgram(context, env)
    let running: Promise<RunningKalends> = Promise.resolve(started)
    let isStopping = false
    const url = async () => (await running).url
    const load = await startLoad({ url, adminKey, clients: 32, isFaultActive: () => isStopping })
    context.onCleanup(async () => load.abort())
    const rounds = context.quick ? 2 : 10
    const codes: (number | null)[] = []
    let slowestMs = 0
    let servedDuringDrain = 0

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
      servedDuringDrain += load.acknowledged() - then
      isStopping = true
      const next = ended.then(() => startProgram(context, env))
      running = next
      codes.push(await ended)
      slowestMs = Math.max(slowestMs, performance.now() - began)
      started = await next
      isStopping = false
      context.log(`round ${round}: exit ${codes.at(-1)} after ${Math.round(performance.now() - began)} ms`)
    }
    const tally = await load.stopAndVerify()
    return [
      checkThat(
        'exit code 0, also with a second SIGTERM',
        codes.every(code => code === 0),
        codes.join(' '),
        'exit 0'
      ),
      checkAtMost('the longest stop', slowestMs, 10_000, 'ms'),
      checkThat('requests are served during the drain period', servedDuringDrain > 0, `${servedDuringDrain} donations`),
      // Donations in flight at the shutdown got their responses: no client had to repeat a stored donation.
      checkThat('lost responses', tally.replayed === 0, String(tally.replayed), '0'),
      checkNothingLost(tally)
    ]
  }
}
