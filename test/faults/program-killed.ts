import { runCrashRounds } from '../support/crash.ts'
import {
  checkAtMost,
  checkNothingLost,
  checkThat,
  createDataDir,
  type FaultScenario,
  getMedian,
  type Result,
  type ScenarioContext,
  startDatabaseServer
} from '../support/faults/scenario.ts'

/** kill -9 of the program under load, on both stores; with the embedded one sometimes of PostgreSQL in the same moment. */
export const programKilled: FaultScenario = {
  name: 'program-killed',
  run: async given => [
    ...(await rounds(given, 'embedded store', { DATA_DIR: await createDataDir(given) })),
    ...(await rounds(given, 'server', { DATABASE_URL: (await startDatabaseServer(given)).databaseUrl }))
  ]
}

async function rounds(given: ScenarioContext, store: string, env: Record<string, string>): Promise<Result[]> {
  const count = given.quick ? 4 : 25
  const report = await runCrashRounds({
    rounds: count,
    seed: given.seed,
    env,
    onRound: ({ number, victims, acknowledged, restartMs }) =>
      given.log(
        `${store}, round ${number}: ${acknowledged} acknowledged, killed ${victims}, back after ${restartMs} ms`
      )
  })
  const times = report.rounds.map(({ restartMs }) => restartMs)
  return [
    { ...checkNothingLost(report), what: `${store}, ${count} times: donations kept, once, and in the totals` },
    checkAtMost(`${store}: start after a crash, median`, getMedian(times), 3000, 'ms'),
    checkThat(`${store}: doctor finds nothing`, report.doctor.code === 0, `exit ${report.doctor.code}`, 'exit 0')
  ]
}
