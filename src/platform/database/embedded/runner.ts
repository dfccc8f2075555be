import { chown, lchown, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Binaries } from './bundled-binaries.ts'
import { hasCode, readIfExists, readLstatIfExists, readStatIfExists } from './file-access.ts'
import { pdeathsigPrefix, run, useDatabaseUrlHint } from './process.ts'

/** How to start PostgreSQL's programs here: as which user, and so that they end when this process does. */
export interface Runner {
  user: { uid: number; gid: number } | undefined
  prefix: readonly string[]
  supervised: boolean
}

/**
 * PostgreSQL refuses to run as user 0. In a user namespace of its own root's processes are seen as 65534 ("nobody"),
 * yet keep root's files: no folder has to change hands, and folders that only root may enter work as well.
 */
const userNamespacePrefix = ['unshare', '--user', '--map-user=65534', '--map-group=65534']

/** Decides as which user PostgreSQL runs. `dataDir` must exist; as root without user namespaces it may change owner. */
export async function chooseRunner(dataDir: string, dataFolder: string, binaries: Binaries): Promise<Runner> {
  const self = process.getuid?.() ?? 0
  const made = await readStatIfExists(dataFolder)
  assertOwnData(dataFolder, made)
  // Root running a command on the folder of an ordinary user must not leave files there which that user cannot read.
  const owner = self === 0 ? (made ?? (await stat(dataDir))) : { uid: self, gid: process.getgid?.() ?? 0 }
  let user = owner.uid === self ? undefined : { uid: owner.uid, gid: owner.gid }

  let prefix: readonly string[] = []
  if (owner.uid === 0 || !(await hasUserName(owner.uid))) {
    if ((await run([...userNamespacePrefix, 'true'], user)).ok) prefix = userNamespacePrefix
    else if (owner.uid === 0) user = await chownToPostgresUser(dataDir, dataFolder, binaries)
    else {
      throw new Error(
        `User id ${owner.uid} has no name on this system, and PostgreSQL insists on one. Add it to /etc/passwd, ${useDatabaseUrlHint}`
      )
    }
  }
  const [{ ok: canEndWithParent }] = await Promise.all([
    run([...pdeathsigPrefix, 'true'], user),
    self === 0 ? assertReachable(dataDir, binaries, prefix, user) : undefined
  ])
  return { user, prefix, supervised: !canEndWithParent }
}

/** Throws if the folder belongs to another ordinary user, or to root; root itself can use any folder. */
export function assertOwnData(folder: string, found: { uid: number } | undefined): void {
  const self = process.getuid?.() ?? 0
  if (self === 0 || found === undefined || found.uid === self) return
  throw new Error(
    `The data folder ${folder} belongs to another user (id ${found.uid}; this is ${self}). Start Kalends as ` +
      'that user, give the folder to this one with chown, or set another DATA_DIR.'
  )
}

/** Gives a new file or folder to the user PostgreSQL runs as. */
export async function chownTo(path: string, runner: Runner): Promise<void> {
  if (runner.user !== undefined) await chown(path, runner.user.uid, runner.user.gid)
}

/** The fallback for root where user namespaces are forbidden, as in many containers: the system's postgres user. */
async function chownToPostgresUser(
  dataDir: string,
  dataFolder: string,
  binaries: Binaries
): Promise<{ uid: number; gid: number }> {
  const fields = (await readPasswdEntries()).find(entry => entry[0] === 'postgres')
  if (fields === undefined) {
    throw new Error(
      'PostgreSQL refuses to run as root; this system neither allows user namespaces nor has a user "postgres". ' +
        `Start Kalends as an ordinary user, ${useDatabaseUrlHint}`
    )
  }
  const user = { uid: Number(fields[2]), gid: Number(fields[3]) }
  await assertReachable(dirname(dataDir), binaries, [], user)
  await chown(dataDir, user.uid, user.gid)
  if ((await readLstatIfExists(dataFolder)) !== undefined) {
    for (const name of await readdir(dataFolder, { recursive: true })) {
      await lchown(join(dataFolder, name), user.uid, user.gid)
    }
    // The folder itself comes last: its owner shows whether any file still has to change owner.
    await chown(dataFolder, user.uid, user.gid)
  }
  return user
}

async function assertReachable(
  folder: string,
  binaries: Binaries,
  prefix: readonly string[],
  user: { uid: number; gid: number } | undefined
): Promise<void> {
  const script = 'cd -- "$1" && test -x "$2" && test -x "$3"'
  const command = [...prefix, '/bin/sh', '-c', script, 'sh', folder, binaries.postgres, binaries.initdb]
  if ((await run(command, user)).ok) return
  throw new Error(
    `PostgreSQL refuses to run with root's rights, and without them (as user id ${user?.uid ?? 0}) it cannot reach ` +
      `${folder} or ${binaries.postgres}. Start Kalends as the user who owns these folders, set another DATA_DIR, ${useDatabaseUrlHint}`
  )
}

async function hasUserName(uid: number): Promise<boolean> {
  if (uid !== process.getuid?.()) return (await readPasswdEntries()).some(entry => Number(entry[2]) === uid)
  try {
    return userInfo().username !== ''
  } catch (error) {
    if (hasCode(error, 'ERR_SYSTEM_ERROR', 'ENOENT')) return false
    throw error
  }
}

async function readPasswdEntries(): Promise<string[][]> {
  const text = (await readIfExists('/etc/passwd')) ?? ''
  return text.split('\n').map(line => line.split(':'))
}
