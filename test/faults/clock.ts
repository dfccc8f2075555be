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

/** The system clock is set while the program runs, and dates that programs often get wrong. */
export const clockSet: FaultScenario = {
  name: 'clock-set',
  run: async given => {
    const library = findLibrary()
    if (library === undefined)
      return [checkThat('left out: Debian’s faketime cannot be installed', true, 'without root', '')]
    return [
      ...(await jumps(given, library)),
      ...(await dayAt(given, library, '2028-02-29T23:59:50Z', ['2028-02-29', '2028-03-01'])),
      ...(await dayAt(given, library, '9999-06-15T12:00:00Z', ['9999-06-15']))
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

/** The program's clock jumps, that of the database does not. */
async function jumps(given: ScenarioContext, library: string): Promise<Result[]> {
  const { databaseUrl } = await startDatabaseServer(given)
  const file = join(await createDataDir(given), 'clock')
  writeFileSync(file, '+0')
  const env = { DATABASE_URL: databaseUrl }
  const words = ['user', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--role', 'admin']
  const created = await runKalends(words, env)
  const password = created.stdout.trim()
  const clock = { ...fakeClock(library), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' }
  const program = await startProgram(given, { ...env, ...clock })
  const session = await sendRequest(`${program.url}/sessions`, {
    method: 'POST',
    body: { email: 'ada@example.org', password }
  })
  if (session.status !== 201) throw new Error(`${session.status} ${session.text}\n${created.stdout}${created.stderr}`)
  const mine = { authorization: `Bearer ${session.body.token}` }
  const made = await sendRequest(`${program.url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
  const path = `${program.url}/campaigns/${made.body.id}`
  const wrong: string[] = []
  let asked = 0
  let saw = 0

  for (const jump of ['+0', '+1h', '-1h', '+0', '-1h', '+1h', '+0']) {
    writeFileSync(file, jump)
    const key = { 'idempotency-key': `at-${asked}` }
    const requests: [string, Parameters<typeof sendRequest>[1]][] = [
      [`${path}/donations`, { method: 'POST', body: donation, headers: key }],
      [`${path}/donations`, { method: 'POST', body: donation, headers: key }],
      [path, {}],
      [path, { method: 'PUT', body: campaign, headers: mine }],
      [`${program.url}/sessions/current`, { headers: mine }],
      [`${program.url}/donations?limit=5`, { headers: mine }],
      [`${program.url}/readyz`, {}]
    ]
    for (const [url, request] of requests) {
      const { status, text, body } = await sendRequest(url, request)
      asked += 1
      if (status >= 300) wrong.push(`${jump} ${url}: ${status} ${text.slice(0, 200)}`)
      const ahead = Math.round((Date.parse(body.createdAt) - Date.now()) / 3_600_000)
      if (url.endsWith('/donations') && ahead === Number.parseInt(jump, 10)) saw += 1
    }
  }
  const { body } = await sendRequest(path)
  const negative = await negativeFigures(program)
  for (const line of wrong) given.log(line)
  return [
    checkThat(
      'the clock jumps by an hour and back, six times',
      wrong.length === 0 && saw === 14,
      `${asked} requests, ${wrong.length} failed, ${saw} of 14 saw it`,
      '0 failed'
    ),
    checkThat('each donation once', body.donationCount === 7, `${body.donationCount} of 7`, '7'),
    checkThat('no duration is negative', negative.length === 0, negative.join(', ') || 'none', 'none')
  ]
}

/** The program in another time than its database, with some seconds to pass. */
async function dayAt(given: ScenarioContext, library: string, moment: string, days: string[]): Promise<Result[]> {
  const clock = { ...fakeClock(library), FAKETIME: `+${Math.round((Date.parse(moment) - Date.now()) / 1000) - 5}s` }
  const { databaseUrl } = await startDatabaseServer(given)
  const program = await startProgram(given, { DATABASE_URL: databaseUrl, ...clock })
  const made = await sendRequest(`${program.url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
  const path = `${program.url}/campaigns/${made.body.id}`
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
  for (const line of wrong.slice(0, 5)) given.log(line)
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

/** Of what the program has measured. */
async function negativeFigures({ url }: RunningKalends): Promise<string[]> {
  const { text } = await sendRequest(`${url}/metrics`)
  return [...text.matchAll(/^(kalends_http_request_duration_seconds_sum\S*) (-\S+)$/gm)].map(([line]) => line)
}
