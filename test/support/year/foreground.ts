import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { waitUntil } from '../kalends-process.ts'
import type { Machine } from './machine.ts'

/** Runs lines that start the program in the foreground, as at a terminal, until they have printed its address. */
export async function startInForeground(
  { environment }: Machine,
  lines: string,
  cwd: string
): Promise<{ url: string; stop(): Promise<void> }> {
  const env = { ...environment, PORT: '0' }
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', lines], { cwd, env, detached: true })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', text => (printed += text))
  const ended = once(shell, 'close')
  const find = () => /listening at (http:\/\/\S+)/.exec(printed)?.[1]
  await waitUntil(() => find() !== undefined || shell.exitCode !== null, 120_000)
  const url = find()
  if (url === undefined || shell.pid === undefined) throw new Error(`These lines failed:\n${lines}\n${printed}`)
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
