import { crashRounds } from '../crash.ts'
import { aDataDir, aServer, atMost, type Given, isSo, medianOf, nothingLost, type Part, type Result } from './part.ts'

/** kill -9 of the program under load, on both stores; with the embedded one sometimes of PostgreSQL in the same moment. */
export const programKilled: Part = {
  name: 'program-killed',
  run: async given => [
    ...(await rounds(given, 'embedded store', { DATA_DIR: await aDataDir(given) })),
    ...(await rounds(given, 'server', { DATABASE_URL: (await aServer(given)).databaseUrl }))
  ]
}

async function rounds(given: Given, store: string, env: Record<string, string>): Promise<Result[]> {
  const count = given.quick ? 4 : 25
  const report = await crashRounds({
    rounds: count,
    seed: given.seed,
    env,
    onRound: ({ number, victims, acknowledged, restartMs }) =>
      given.say(
        `${store}, round ${number}: ${acknowledged} acknowledged, killed ${victims}, back after ${restartMs} ms`
      )
  })
  const times = report.rounds.map(({ restartMs }) => restartMs)
  return [
    { ...nothingLost(report), what: `${store}, ${count} times: donations kept, once, and in the totals` },
    atMost(`${store}: start after a crash, median`, medianOf(times), 3000, 'ms'),
    isSo(`${store}: doctor finds nothing`, report.doctor.code === 0, `exit ${report.doctor.code}`, 'exit 0')
  ]
}
