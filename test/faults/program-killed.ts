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

/** kill -9 of the program under load, on both stores; with the embedded one sometimes of PostgreSQL at the same time. */
export const programKilled: FaultScenario = {
  name: 'program-killed',
  run: async context => [
    ...(await runRounds(context, 'embedded store', { DATA_DIR: await createDataDir(context) })),
    ...(await runRounds(context, 'server', { DATABASE_URL: (await startDatabaseServer(context)).databaseUrl }))
  ]
}

async function runRounds(context: ScenarioContext, store: string, env: Record<string, string>): Promise<Result[]> {
  const count = context.quick ? 4 : 25
  const report = await runCrashRounds({
    rounds: count,
    seed: context.seed,
    env,
    onRound: ({ number, victims, acknowledged, restartMs }) =>
      context.log(
        `${store}, round ${number}: ${acknowledged} acknowledged, killed ${victims}, restarted after ${restartMs} ms`
      )
  })
  const times = report.rounds.map(({ restartMs }) => restartMs)
  return [
    { ...checkNothingLost(report), what: `${store}, ${count} times: each donation is stored once and in the totals` },
    checkAtMost(`${store}: start after a crash, median`, getMedian(times), 3000, 'ms'),
    checkThat(`${store}: doctor finds no problem`, report.doctor.code === 0, `exit ${report.doctor.code}`, 'exit 0')
  ]
}
