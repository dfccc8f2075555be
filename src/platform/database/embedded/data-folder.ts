import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Binaries } from './bundled-binaries.ts'
import { hasCode, readIfExists } from './file-access.ts'
import { launch } from './process.ts'
import { chownTo } from './runner.ts'
import type { ServerContext } from './server-context.ts'

export const user = 'kalends'

/** An unfinished first start this old is abandoned, even if its process id is in use again. */
const abandonedMs = 10 * 60_000

export async function refuseOtherVersion(dataDir: string, dataFolder: string, binaries: Binaries): Promise<void> {
  const version = (await readIfExists(join(dataFolder, 'PG_VERSION')))?.trim()
  if (version === undefined || version === binaries.major) return
  throw new Error(
    `The data folder ${dataDir} was made by PostgreSQL ${version}, but Kalends runs PostgreSQL ` +
      `${binaries.major} here (${binaries.postgres}), which cannot read it. Take a backup with the release of Kalends and the PostgreSQL you used before (kalends backup), and ` +
      'restore it into an empty DATA_DIR or a DATABASE_URL with this one (kalends restore).'
  )
}

/** First start: the folder gets its name only when it is complete, so a killed first start leaves nothing behind. */
export async function initializeDataFolder(site: ServerContext): Promise<void> {
  await removeAbandoned(site)
  if ((await readIfExists(join(site.dataFolder, 'PG_VERSION'))) !== undefined) return

  const began = Date.now()
  const fresh = `${site.dataFolder}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(fresh, { mode: 0o700 })
    await chownTo(fresh, site.runner)
    await runInitdb(site, fresh)
    await rename(fresh, site.dataFolder)
    const parent = await open(site.dataDir, 'r')
    await parent.sync().finally(() => parent.close())
    site.log.info(`created a new PostgreSQL data folder in ${Date.now() - began} ms`)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true, maxRetries: 10 })
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    // The first start of another process was faster: its folder is as good as ours.
    if ((await readIfExists(join(site.dataFolder, 'PG_VERSION'))) !== undefined) return
    throw new Error(
      `${site.dataFolder} holds files that are not PostgreSQL's. Move them away, or set another DATA_DIR.`,
      { cause: error }
    )
  }
}

async function runInitdb(site: ServerContext, folder: string): Promise<void> {
  const { child, exited } = launch(
    site.runner,
    site.binaries.initdb,
    [
      `--pgdata=${folder}`,
      `--username=${user}`,
      '--auth-local=trust',
      '--auth-host=reject',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C'
    ],
    'pipe'
  )
  site.onLaunch?.()
  const [output, errors, end] = await Promise.all([readAll(child.stdout), readAll(child.stderr), exited])
  if (end === 'exit code 0') return
  throw new Error(`PostgreSQL's initdb failed in ${folder} (${end}):\n${output}${errors}`)
}

async function readAll(stream: Readable | null): Promise<string> {
  return stream === null ? '' : text(stream)
}

/** Removes what killed first starts left behind; folders of processes that are still starting stay. */
async function removeAbandoned(site: ServerContext): Promise<void> {
  for (const name of await readdir(site.dataDir)) {
    const pid = /^postgres\.new-(\d+)-/.exec(name)?.[1]
    if (pid === undefined) continue
    const path = join(site.dataDir, name)
    const made = await lstat(path)
    if (isRunning(Number(pid)) && Date.now() - made.mtimeMs < abandonedMs) continue
    // Its initdb may be cleaning up by itself at this moment.
    await rm(path, { recursive: true, force: true, maxRetries: 10 })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
