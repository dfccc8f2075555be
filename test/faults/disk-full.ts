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

/** A full disk for tables, and a full disk for the write-ahead log of PostgreSQL. Each is a small disk in memory. */
export const diskFull: FaultScenario = {
  name: 'disk-full',
  needsRoot: true,
  run: async context => [...(await fillTableDisk(context)), ...(await fillWalDisk(context))]
}

async function fillTableDisk(context: ScenarioContext): Promise<Result[]> {
  const disk = await createDisk(context, 200)
  const server = await startDatabaseServer(context, { folder: disk.folder, walFolder: await createFolder(context) })
  const program = await startProgram(context, { DATABASE_URL: server.databaseUrl })
  let isFull = false
  const load = await startLoad({ url: async () => program.url, adminKey, isFaultActive: () => isFull })
  context.onCleanup(async () => load.abort())
  await sleep(1000)
  isFull = true
  disk.fill()
  // Free space in the last pages is used up first.
  const full = await measureUntil(async () => {
    const before = load.acknowledged()
    await sleep(1000)
    return load.acknowledged() === before
  }, 60_000)
  const probes = await readProbes(program.url)
  const readable = await readStatus(`${program.url}/campaigns`)
  const isServerAlive = server.isRunning()
  context.log('the disk of the tables is full: writes are refused')
  disk.empty()
  const then = load.acknowledged()
  const recovery = await measureUntil(async () => load.acknowledged() > then, 30_000)
  await sleep(200)
  isFull = false
  await sleep(500)
  return [
    checkThat('tables: writes get 503, reads 200', full < 60_000 && readable === 200, `reads ${readable}`),
    checkThat(
      'tables: the program and PostgreSQL keep running',
      probes.livez === 200 && isServerAlive,
      `livez ${probes.livez}`
    ),
    checkAtMost('tables: time until donations work after space is freed', recovery, 10_000, 'ms'),
    { ...checkNothingLost(await load.stopAndVerify()), what: 'tables: each donation is stored once and in the totals' }
  ]
}

async function fillWalDisk(context: ScenarioContext): Promise<Result[]> {
  const disk = await createDisk(context, 120)
  const server = await startDatabaseServer(context, {
    folder: await createFolder(context),
    walFolder: disk.folder,
    // Small files, so that the next one is needed soon.
    initdb: ['--wal-segsize=1'],
    settings: { max_wal_size: '16MB', min_wal_size: '2MB' }
  })
  const program = await startProgram(context, { DATABASE_URL: server.databaseUrl })
  let isFull = false
  const load = await startLoad({ url: async () => program.url, adminKey, isFaultActive: () => isFull })
  context.onCleanup(async () => load.abort())
  await sleep(1000)
  isFull = true
  disk.fill()
  await waitUntil(() => !server.isRunning(), 120_000)
  const probes = await readProbes(program.url)
  const write = await readStatus(`${program.url}/campaigns`)
  context.log('the disk of the write-ahead log is full: PostgreSQL has ended')
  disk.empty()
  await server.start()
  const then = load.acknowledged()
  const recovery = await measureUntil(async () => load.acknowledged() > then, 30_000)
  await waitUntil(async () => (await readStatus(`${program.url}/readyz`)) === 200)
  await sleep(200)
  isFull = false
  await sleep(500)
  return [
    checkThat(
      'write-ahead log: PostgreSQL ends, the program keeps running and responds 503',
      probes.livez === 200 && probes.readyz === 503 && write === 503,
      `livez ${probes.livez}, readyz ${probes.readyz}, requests ${write}`
    ),
    checkAtMost(
      'write-ahead log: time until donations work after space is freed and PostgreSQL restarted',
      recovery,
      10_000,
      'ms'
    ),
    {
      ...checkNothingLost(await load.stopAndVerify()),
      what: 'write-ahead log: each donation is stored once and in the totals'
    }
  ]
}

async function readProbes(url: string): Promise<{ livez: number; readyz: number }> {
  const [livez, readyz] = await Promise.all([readStatus(`${url}/livez`), readStatus(`${url}/readyz`)])
  return { livez, readyz }
}

/** A folder that the postgres user can access; removed after the scenario. */
async function createFolder(context: ScenarioContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-disk-'))
  mustRun(['chmod', '755', folder])
  context.onCleanup(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A disk of this size that can be filled and emptied. */
async function createDisk(
  context: ScenarioContext,
  megabytes: number
): Promise<{ folder: string; fill(): void; empty(): void }> {
  const mount = await createFolder(context)
  mustRun(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'kalends', mount])
  context.onCleanup(async () => mustRun(['umount', mount]))
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
        // PostgreSQL used the last of it in the meantime.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    empty: () => unlinkSync(ballast)
  }
}
