import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, statfsSync, unlinkSync, writeSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mustRun } from '../support/debian.ts'
import {
  adminKey,
  checkAtMost,
  checkNothingLost,
  checkThat,
  type FaultScenario,
  measureUntil,
  type Result,
  readStatus,
  type ScenarioContext,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { waitUntil } from '../support/kalends-process.ts'
import { startLoad } from '../support/load.ts'

/** No room left for tables, and no room left for PostgreSQL's log of changes. Each is a small disk in memory. */
export const diskFull: FaultScenario = {
  name: 'disk-full',
  needsRoot: true,
  run: async given => [...(await noRoomForTables(given)), ...(await noRoomForChanges(given))]
}

async function noRoomForTables(given: ScenarioContext): Promise<Result[]> {
  const disk = await aDisk(given, 200)
  const server = await startDatabaseServer(given, { folder: disk.folder, walFolder: await aFolder(given) })
  const program = await startProgram(given, { DATABASE_URL: server.databaseUrl })
  let trouble = false
  const load = await startLoad({ url: async () => program.url, adminKey, isFaultActive: () => trouble })
  given.onCleanup(async () => load.abort())
  await sleep(1000)
  trouble = true
  disk.fill()
  // Free space in the last pages is used up first.
  const full = await measureUntil(async () => {
    const before = load.acknowledged()
    await sleep(1000)
    return load.acknowledged() === before
  }, 60_000)
  const probes = await probesOf(program.url)
  const readable = await readStatus(`${program.url}/campaigns`)
  const lived = server.isRunning()
  given.log('the disk of the tables is full: nothing is taken any more')
  disk.empty()
  const then = load.acknowledged()
  const recovery = await measureUntil(async () => load.acknowledged() > then, 30_000)
  await sleep(200)
  trouble = false
  await sleep(500)
  return [
    checkThat('tables: writes are answered 503, reads 200', full < 60_000 && readable === 200, `reads ${readable}`),
    checkThat('tables: the program and PostgreSQL live on', probes.livez === 200 && lived, `livez ${probes.livez}`),
    checkAtMost('tables: donations again after there is room', recovery, 10_000, 'ms'),
    { ...checkNothingLost(await load.stopAndVerify()), what: 'tables: donations kept, once, and in the totals' }
  ]
}

async function noRoomForChanges(given: ScenarioContext): Promise<Result[]> {
  const disk = await aDisk(given, 120)
  const server = await startDatabaseServer(given, {
    folder: await aFolder(given),
    walFolder: disk.folder,
    // Small files, so that the next one is needed soon.
    initdb: ['--wal-segsize=1'],
    settings: { max_wal_size: '16MB', min_wal_size: '2MB' }
  })
  const program = await startProgram(given, { DATABASE_URL: server.databaseUrl })
  let trouble = false
  const load = await startLoad({ url: async () => program.url, adminKey, isFaultActive: () => trouble })
  given.onCleanup(async () => load.abort())
  await sleep(1000)
  trouble = true
  disk.fill()
  await waitUntil(() => !server.isRunning(), 120_000)
  const probes = await probesOf(program.url)
  const write = await readStatus(`${program.url}/campaigns`)
  given.log('the disk of the changes is full: PostgreSQL gave up')
  disk.empty()
  await server.start()
  const then = load.acknowledged()
  const recovery = await measureUntil(async () => load.acknowledged() > then, 30_000)
  await waitUntil(async () => (await readStatus(`${program.url}/readyz`)) === 200)
  await sleep(200)
  trouble = false
  await sleep(500)
  return [
    checkThat(
      'changes: PostgreSQL ends, the program lives on and says 503',
      probes.livez === 200 && probes.readyz === 503 && write === 503,
      `livez ${probes.livez}, readyz ${probes.readyz}, requests ${write}`
    ),
    checkAtMost('changes: donations again after room and a start of PostgreSQL', recovery, 10_000, 'ms'),
    { ...checkNothingLost(await load.stopAndVerify()), what: 'changes: donations kept, once, and in the totals' }
  ]
}

async function probesOf(url: string): Promise<{ livez: number; readyz: number }> {
  const [livez, readyz] = await Promise.all([readStatus(`${url}/livez`), readStatus(`${url}/readyz`)])
  return { livez, readyz }
}

/** A folder that the postgres user can enter; removed after the scenario. */
async function aFolder(given: ScenarioContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-disk-'))
  mustRun(['chmod', '755', folder])
  given.onCleanup(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A disk of so many megabytes that can be filled and emptied. */
async function aDisk(
  given: ScenarioContext,
  megabytes: number
): Promise<{ folder: string; fill(): void; empty(): void }> {
  const mount = await aFolder(given)
  mustRun(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'kalends', mount])
  given.onCleanup(async () => mustRun(['umount', mount]))
  const folder = join(mount, 'disk')
  mkdirSync(folder, { mode: 0o755 })
  const ballast = join(mount, 'ballast')
  return {
    folder,
    fill: () => {
      const file = openSync(ballast, 'w')
      const block = Buffer.alloc(64 * 1024)
      const { bavail, bsize } = statfsSync(mount)
      ftruncateSync(file, 0)
      let left = bavail * bsize
      try {
        while (left > 0) {
          writeSync(file, block, 0, Math.min(block.length, left))
          left -= block.length
        }
      } catch (error) {
        // PostgreSQL took the last of it meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    empty: () => unlinkSync(ballast)
  }
}
