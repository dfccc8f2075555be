import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export interface Started {
  url: string
  pid: number
  child: ChildProcess
  /** All it has written so far. */
  output(): string
  /** Sends the signal and waits for the end; answers the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** The real program as its own process group on a port of its own, ready to answer. */
export async function startKalends(env: Record<string, string>, words: string[] = ['serve']): Promise<Started> {
  const child = runKalends(words, env)
  let output = ''
  child.stdout?.on('data', text => (output += text))
  child.stderr?.on('data', text => (output += text))
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /listening at (http:\/\/\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', code => reject(new Error(`Kalends ended with ${code} before it listened:\n${output}`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    child,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const [code] = await ended
      return code
    }
  }
}

/** A command that ends by itself. */
export async function kalends(
  words: string[],
  env: Record<string, string>
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = runKalends(words, env)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', text => (stdout += text))
  child.stderr?.on('data', text => (stderr += text))
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

function runKalends(words: string[], env: Record<string, string>): ChildProcess {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  return spawn(process.execPath, ['scripts/kalends.mjs', ...words], {
    cwd: root,
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true
  })
}
