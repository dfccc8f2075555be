import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import pg from 'pg'
import { useEmbedded } from '#platform/database/embedded/store.ts'
import { createDatabase, encryptionKey, silent } from './database.ts'
import { root } from './project-root.ts'
import type { TestResponse } from './services.ts'

/** Whether this run tests with a PostgreSQL server; otherwise every process has its own embedded store. */
export const onServer = process.env.TEST_STORE === 'server' || process.env.TEST_STORE === 'citus'

/** Long timeouts: they are reached only if the program is broken. */
const startMs = 90_000
const endMs = 20_000

/** Where a process keeps its data, on the store of this run. */
export interface DataLocation {
  /** The settings that point to it. */
  env: Record<string, string>
  /** Queries the database directly, whether a process serves it or not. Returns the rows of the last statement. */
  query(statement: string): Promise<Record<string, unknown>[]>
  remove(): Promise<void>
}

export async function createDataLocation(): Promise<DataLocation> {
  if (onServer) {
    const { url, remove } = await createDatabase()
    return {
      env: { DATABASE_URL: url },
      query: async statement => await runQuery({ connectionString: url }, statement),
      remove
    }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'kalends-place-'))
  // A copy of a migrated data folder, because creating one takes a second. `-a` keeps the owner of the files.
  const ready = process.env.TEST_DATA_FOLDER
  if (ready !== undefined) await promisify(execFile)('cp', ['-a', `${ready}/.`, dataDir])
  return {
    env: { DATA_DIR: dataDir },
    query: async statement => {
      const embedded = await useEmbedded({ dataDir, log: silent })
      try {
        return await runQuery(embedded.connection, statement)
      } finally {
        await embedded.stop()
      }
    },
    remove: async () => await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function runQuery(connection: pg.ClientConfig, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const results = [await client.query(statement)].flat()
    return results.at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}

export interface RunningKalends {
  url: string
  pid: number
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Its output so far, of both streams. */
  output(): string
  /** Waits for its end and returns the exit code. */
  end(): Promise<number | null>
  /** Sends the signal, unless it has ended already, and waits for the end; returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Ends it and its whole process group at once, as a power cut would. */
  kill(): Promise<void>
}

export interface FinishedCommand {
  code: number | null
  stdout: string
  stderr: string
}

/** Starts the real program in a process group of its own on a free port; resolves when it listens. */
export async function startKalends(
  env: Record<string, string>,
  words: string[] = ['serve'],
  { cwd = root, program = ourProgram }: { cwd?: string; program?: string } = {}
): Promise<RunningKalends> {
  const { child, captured, ended } = spawnKalends(words, env, cwd, program)
  const output = () => captured.stdout + captured.stderr
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      killGroup(child)
      reject(new Error(`Kalends did not listen within ${startMs} ms:\n${output()}`))
    }, startMs)
    child.stdout?.on('data', () => {
      // The start message ends with an empty line: then all of it has been read.
      const found = /listening at (http:\/\/\S+)[\s\S]*\n\n$/.exec(captured.stdout)?.[1]
      if (found !== undefined) settle(() => resolve(found))
    })
    ended.then(code => settle(() => reject(new Error(`Kalends ended with ${code} before it listened:\n${output()}`))))
    function settle(how: () => void) {
      clearTimeout(timer)
      how()
    }
  })

  return {
    url,
    pid: child.pid ?? 0,
    child,
    stdout: () => captured.stdout,
    stderr: () => captured.stderr,
    output,
    end: async () => await waitForExit(child, ended, output),
    stop: async (signal = 'SIGTERM') => {
      if (isRunning(child)) child.kill(signal)
      return await waitForExit(child, ended, output)
    },
    kill: async () => {
      killGroup(child)
      await ended
    }
  }
}

/** Runs a command that ends by itself. */
export async function runKalends(
  words: string[],
  env: Record<string, string>,
  { cwd = root }: { cwd?: string } = {}
): Promise<FinishedCommand> {
  const { child, captured, ended } = spawnKalends(words, env, cwd)
  const code = await waitForExit(child, ended, () => captured.stdout + captured.stderr, startMs)
  return { code, ...captured }
}

/** `npm test` has built the program; for a test file that is run by itself, the script does so. */
const ourProgram = join(
  root,
  ...(process.env.TEST_STORE === undefined ? ['scripts', 'kalends.mjs'] : ['dist', 'main.js'])
)

function spawnKalends(words: string[], env: Record<string, string>, cwd: string, program = ourProgram) {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const child = spawn(process.execPath, [program, ...words], {
    cwd,
    // The same key for all processes, so that each can decrypt the data of others; with an empty key the program creates one.
    env: {
      ...{ PATH, HOME, PORT: '0', ENCRYPTION_KEY: encryptionKey },
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      ...env
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true
  })
  const captured = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    captured.stdout += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    captured.stderr += part
  })
  // Not `exit`: the last output has been read only when the pipes are closed.
  const ended: Promise<number | null> = once(child, 'close').then(([code]) => code)
  return { child, captured, ended }
}

async function waitForExit(
  child: ChildProcess,
  ended: Promise<number | null>,
  output: () => string,
  withinMs = endMs
): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      killGroup(child)
      reject(new Error(`Kalends did not end within ${withinMs} ms:\n${output()}`))
    }, withinMs)
  })
  try {
    return await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

function killGroup(child: ChildProcess): void {
  if (isRunning(child) && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
}

/** Sends a request over a new connection, or one of the agent. A truncated response is an error. */
export async function sendRequest(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    agent = false
  }: { method?: string; headers?: Record<string, string>; body?: unknown; agent?: Agent | false } = {}
): Promise<TestResponse> {
  const sent = request(url, {
    method,
    agent,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers }
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, 'response')
  const content = await text(response)
  const isJson = /json\b/.test(response.headers['content-type'] ?? '') && content !== ''
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isJson ? JSON.parse(content) : content,
    text: content
  }
}

/** Waits until the condition holds. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, withinMs = endMs): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${condition}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
