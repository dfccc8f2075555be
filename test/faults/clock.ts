import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installFromDebian } from '../support/debian.ts'
import {
  asAdmin,
  checkThat,
  createDataDir,
  type FaultScenario,
  type Result,
  type ScenarioContext,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { type RunningKalends, runKalends, sendRequest } from '../support/kalends-process.ts'
import { campaign, donation } from '../support/services.ts'

/** The system clock is set while the program runs; and dates that often cause errors. */
export const clockSet: FaultScenario = {
  name: 'clock-set',
  run: async context => {
    const library = findLibrary()
    if (library === undefined)
      return [checkThat('skipped: Debian’s faketime cannot be installed', true, 'without root', '')]
    return [
      ...(await runJumps(context, library)),
      ...(await runAtTime(context, library, '2028-02-29T23:59:50Z', ['2028-02-29', '2028-03-01'])),
      ...(await runAtTime(context, library, '9999-06-15T12:00:00Z', ['9999-06-15']))
    ]
  }
}

function findLibrary(): string | undefined {
  const find = () =>
    readdirSync('/usr/lib')
      .map(folder => join('/usr/lib', folder, 'faketime', 'libfaketime.so.1'))
      .find(existsSync)
  if (find() === undefined) installFromDebian('faketime', 'faketime')
  return find()
}

/** Durations are measured with the monotonic clock, which cannot be set; only the time of day changes. */
const fakeClock = (library: string) => ({
  LD_PRELOAD: library,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1'
})

/** The clock of the program jumps, that of the database does not. */
async function runJumps(context: ScenarioContext, library: string): Promise<Result[]> {
  const { databaseUrl } = await startDatabaseServer(context)
  const file = join(await createDataDir(context), 'clock')
  writeFileSync(file, '+0')
  const env = { DATABASE_URL: databaseUrl }
  const words = ['user', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--role', 'admin']
  const user = await runKalends(words, env)
  const password = user.stdout.trim()
  const clock = { ...fakeClock(library), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' }
  const program = await startProgram(context, { ...env, ...clock })
  const session = await sendRequest(`${program.url}/sessions`, {
    method: 'POST',
    body: { email: 'ada@example.org', password }
  })
  if (session.status !== 201) throw new Error(`${session.status} ${session.text}\n${user.stdout}${user.stderr}`)
  const asUser = { authorization: `Bearer ${session.body.token}` }
  const created = await sendRequest(`${program.url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
  const path = `${program.url}/campaigns/${created.body.id}`
  const wrong: string[] = []
  let sentCount = 0
  let sawCount = 0

  for (const jump of ['+0', '+1h', '-1h', '+0', '-1h', '+1h', '+0']) {
    writeFileSync(file, jump)
    const key = { 'idempotency-key': `at-${sentCount}` }
    const requests: [string, Parameters<typeof sendRequest>[1]][] = [
      [`${path}/donations`, { method: 'POST', body: donation, headers: key }],
      [`${path}/donations`, { method: 'POST', body: donation, headers: key }],
      [path, {}],
      [path, { method: 'PUT', body: campaign, headers: asUser }],
      [`${program.url}/sessions/current`, { headers: asUser }],
      [`${program.url}/donations?limit=5`, { headers: asUser }],
      [`${program.url}/readyz`, {}]
    ]
    for (const [url, request] of requests) {
      const { status, text, body } = await sendRequest(url, request)
      sentCount += 1
      if (status >= 300) wrong.push(`${jump} ${url}: ${status} ${text.slice(0, 200)}`)
      const ahead = Math.round((Date.parse(body.createdAt) - Date.now()) / 3_600_000)
      if (url.endsWith('/donations') && ahead === Number.parseInt(jump, 10)) sawCount += 1
    }
  }
  const { body } = await sendRequest(path)
  const negative = await listNegativeDurations(program)
  for (const line of wrong) context.log(line)
  return [
    checkThat(
      'the clock jumps by an hour and back, six times',
      wrong.length === 0 && sawCount === 14,
      `${sentCount} requests, ${wrong.length} failed, ${sawCount} of 14 with the new time`,
      '0 failed'
    ),
    checkThat('each donation is stored once', body.donationCount === 7, `${body.donationCount} of 7`, '7'),
    checkThat('no duration is negative', negative.length === 0, negative.join(', ') || 'none', 'none')
  ]
}

/** The program at another time than its database, for some seconds. */
async function runAtTime(context: ScenarioContext, library: string, moment: string, days: string[]): Promise<Result[]> {
  const clock = { ...fakeClock(library), FAKETIME: `+${Math.round((Date.parse(moment) - Date.now()) / 1000) - 5}s` }
  const { databaseUrl } = await startDatabaseServer(context)
  const program = await startProgram(context, { DATABASE_URL: databaseUrl, ...clock })
  const created = await sendRequest(`${program.url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
  const path = `${program.url}/campaigns/${created.body.id}`
  const seen = new Set<string>()
  const wrong: string[] = []
  const until = performance.now() + 20_000
  while (seen.size < days.length && performance.now() < until) {
    for (const [url, request] of [
      [`${path}/donations`, { method: 'POST', body: donation }],
      [`${path}/donations?limit=5`, { headers: asAdmin }],
      [`${program.url}/calendar/events/v1/events`, {}],
      [`${program.url}/`, {}]
    ] as [string, Parameters<typeof sendRequest>[1]][]) {
      const { status, body, text } = await sendRequest(url, request)
      if (status >= 400) wrong.push(`${url}: ${status} ${text.slice(0, 200)}`)
      if (typeof body?.createdAt === 'string') seen.add(body.createdAt.slice(0, 10))
    }
    await new Promise(resolve => setTimeout(resolve, 300))
  }
  for (const line of wrong.slice(0, 5)) context.log(line)
  const code = await program.stop()
  const isRight = wrong.length === 0 && [...seen].sort().join() === days.join()
  return [
    checkThat(
      `at ${moment}`,
      isRight && code === 0,
      `days ${[...seen].join(', ')}; ${wrong.length} failed`,
      days.join(', ')
    )
  ]
}

/** Negative values among the measured durations. */
async function listNegativeDurations({ url }: RunningKalends): Promise<string[]> {
  const { text } = await sendRequest(`${url}/metrics`)
  return [...text.matchAll(/^(kalends_http_request_duration_seconds_sum\S*) (-\S+)$/gm)].map(([line]) => line)
}
