import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../log.ts'
import { type Binaries, getNativeFolder, loadBinaries, prepareBinaries } from './bundled-binaries.ts'
import { hasCode, readIfExists } from './file-access.ts'

/** Where Debian and Ubuntu install PostgreSQL, a folder for each major version. */
const systemFolder = '/usr/lib/postgresql'

export interface BinariesOptions {
  log: Log
  /** PostgreSQL's own folder, which exists from the second start on. */
  dataFolder: string
  /** The folder of the programs to use, whatever else is installed. */
  postgresBin?: string | undefined
  /** Where to look for the programs of the system. */
  systemFolder?: string | undefined
}

/**
 * The programs to run PostgreSQL with: the configured ones; else those that npm installed, or the system's if they are
 * newer within the same major version. The system's get security fixes with the system, those of npm only when they are
 * packaged again.
 */
export async function chooseBinaries(
  nativeDir: string | undefined,
  { log, dataFolder, postgresBin, systemFolder: folder = systemFolder }: BinariesOptions
): Promise<Binaries> {
  if (postgresBin !== undefined) return await loadBinaries(postgresBin)
  const bundled = await prepareBinaries(nativeDir ?? getNativeFolder())
  const major = (await readIfExists(join(dataFolder, 'PG_VERSION')))?.trim() ?? bundled.major
  if (major !== bundled.major) return bundled
  const ofSystem = await findBinaries(join(folder, major, 'bin'), log)
  if (ofSystem === undefined || ofSystem.major !== major || ofSystem.minor <= bundled.minor) return bundled
  log.info(
    { folder: join(folder, major, 'bin'), version: `${major}.${ofSystem.minor}` },
    `uses the system's PostgreSQL, which is newer than the bundled ${bundled.major}.${bundled.minor}`
  )
  return ofSystem
}

/** The programs of a folder, if they exist and run. */
async function findBinaries(folder: string, log: Log): Promise<Binaries | undefined> {
  try {
    for (const name of ['initdb', 'postgres']) await access(join(folder, name), constants.X_OK)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined
    throw error
  }
  try {
    return await loadBinaries(folder)
  } catch (error) {
    log.warn({ err: error }, "the system's PostgreSQL does not run; the bundled one is used")
    return undefined
  }
}
