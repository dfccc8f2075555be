import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  adminKey,
  asAdmin,
  checkAtMost,
  checkNothingLost,
  checkThat,
  createDataDir,
  type FaultScenario,
  type ScenarioContext,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { sendRequest } from '../support/kalends-process.ts'
import { startLoad } from '../support/load.ts'
import { root } from '../support/project-root.ts'

/** Migrations of newer releases on the most used tables; one file for each table. */
const changes: Record<string, string[]> = {
  fundraising: [
    'alter table fundraising.donations add column fault_note_NUMBER text',
    'alter table fundraising.campaigns add column fault_count_NUMBER integer not null default 0',
    'create index on fundraising.donations (campaign_id, fault_note_NUMBER)'
  ],
  calendar: ['alter table calendar.events add column fault_note_NUMBER text'],
  platform: ['alter table platform.activity add column fault_note_NUMBER text']
}

/** Each new release is started beside the previous one, migrates the tables under load, and takes over. */
export const migrationUnderLoad: FaultScenario = {
  name: 'migration-under-load',
  run: async context => {
    const { databaseUrl } = await startDatabaseServer(context)
    const env = { DATABASE_URL: databaseUrl, DRAIN_SECONDS: '1' }
    let current = await startProgram(context, env)
    let isHandedOver = false
    const load = await startLoad({ url: async () => current.url, adminKey, isFaultActive: () => isHandedOver })
    const readers = startReaders(
      () => current.url,
      () => isHandedOver
    )
    context.onCleanup(async () => load.abort())
    context.onCleanup(async () => await readers.stop())
    const releases = context.quick ? 2 : 5
    const codes: (number | null)[] = []

    for (let number = 1; number <= releases; number += 1) {
      await sleep(1000)
      const next = await startProgram(context, env, await createRelease(context, number))
      // Both run for a while, as behind a proxy that sends requests to both.
      const old = current
      await sleep(500)
      current = next
      await sleep(500)
      isHandedOver = true
      codes.push(await old.stop())
      isHandedOver = false
      context.log(`release ${number} has migrated the tables and taken over; the old one ended with ${codes.at(-1)}`)
    }
    const tally = await load.stopAndVerify()
    const { wrong, slowestMs, reads } = await readers.stop()
    for (const line of wrong.slice(0, 10)) context.log(line)
    return [
      checkNothingLost(tally),
      checkThat(
        'no request of readers and editors fails',
        wrong.length === 0,
        `${reads} requests, ${wrong.length} failed`,
        '0'
      ),
      checkAtMost('the longest wait', Math.max(tally.slowestMs, slowestMs), 2500, 'ms'),
      checkThat(
        'the old releases exit with code 0',
        codes.every(code => code === 0),
        codes.join(' '),
        'exit 0'
      )
    ]
  }
}

/** A copy of the program with the additional migrations of this release. */
async function createRelease(context: ScenarioContext, number: number): Promise<string> {
  const folder = await createDataDir(context)
  for (const name of ['dist', 'package.json', 'fonts'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'data'))
  const program = join(folder, 'dist', readFileSync(join(folder, 'dist', 'current'), 'utf8'))
  for (const [part, texts] of Object.entries(changes)) {
    const migrations = join(program, part === 'platform' ? 'platform/database' : part, 'migrations')
    const known = readdirSync(migrations).filter(name => name.endsWith('.sql')).length
    const releases = Array.from({ length: number }, (_, index) => String(index + 1))
    const all = releases.flatMap(release => texts.map(text => text.replaceAll('NUMBER', release)))
    for (const [index, text] of all.entries()) {
      writeFileSync(join(migrations, `${String(known + index + 1).padStart(3, '0')}_fault.sql`), text)
    }
  }
  return join(folder, 'dist', 'main.js')
}

/** Reads and edits continuously. */
function startReaders(url: () => string, isFaultActive: () => boolean) {
  const wrong: string[] = []
  let slowestMs = 0
  let reads = 0
  let isOver = false
  const one = async (number: number) => {
    while (!isOver) {
      const requests: [string, Parameters<typeof sendRequest>[1]][] = [
        ['/campaigns?limit=10', {}],
        ['/calendar/events/v1/events', {}],
        ['/donations?limit=10', { headers: asAdmin }],
        ['/calendar/events/v1/tags', { method: 'POST', body: { name: `tag ${number} ${reads}` }, headers: asAdmin }]
      ]
      const [path, request] = requests[reads % requests.length] ?? ['/', {}]
      reads += 1
      const began = performance.now()
      const wasFaultActive = isFaultActive()
      try {
        const { status, text } = await sendRequest(url() + path, request)
        if (status >= 300) wrong.push(`${path}: ${status} ${text.slice(0, 200)}`)
      } catch (error) {
        if (!wasFaultActive && !isFaultActive()) wrong.push(`${path}: ${error}`)
      }
      slowestMs = Math.max(slowestMs, performance.now() - began)
      await sleep(5)
    }
  }
  const all = Promise.all([1, 2, 3, 4].map(one))
  return {
    stop: async () => {
      isOver = true
      await all
      return { wrong, slowestMs, reads }
    }
  }
}
