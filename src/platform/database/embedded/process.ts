import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Runner } from './runner.ts'

/** Hint in errors for a machine that cannot run the built-in PostgreSQL. */
export const useDatabaseUrlHint = 'or set DATABASE_URL to use a PostgreSQL server of your own.'

/** The port only names the socket's file (`.s.PGSQL.5432`): nothing listens on the network. */
export const socketName = '.s.PGSQL.5432'

/** The kernel sends SIGINT, PostgreSQL's fast shutdown, the moment this process ends, even by kill -9. */
export const pdeathsigPrefix = ['setpriv', '--pdeathsig', 'INT']

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

/** Creates the data folder. What root creates inside an ordinary user's folder is that user's. */
export async function makeDataDir(dataDir: string): Promise<void> {
  const topmost = await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (topmost === undefined || process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(topmost))
  for (let folder = dataDir; folder.length >= topmost.length; folder = dirname(folder)) await chown(folder, uid, gid)
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

export async function run(
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
