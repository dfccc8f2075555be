import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { waitUntil } from '../kalends-process.ts'
import type { Machine } from './machine.ts'

/** Runs shell lines that start the program in the foreground, as in a terminal; resolves when the program has printed its URL. */
export async function startInForeground(
  { environment }: Machine,
  lines: string,
  cwd: string
): Promise<{ url: string; stop(): Promise<void> }> {
  const env = { ...environment, PORT: '0' }
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', lines], { cwd, env, detached: true })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  const ended = once(shell, 'close')
  const findUrl = () => /listening at (http:\/\/\S+)/.exec(output)?.[1]
  await waitUntil(() => findUrl() !== undefined || shell.exitCode !== null, 120_000)
  const url = findUrl()
  if (url === undefined || shell.pid === undefined) throw new Error(`These lines failed:\n${lines}\n${output}`)
  const group = -shell.pid
  return {
    url,
    // Ctrl-C reaches all processes of the terminal.
    stop: async () => {
      process.kill(group, 'SIGINT')
      await ended
    }
  }
}
