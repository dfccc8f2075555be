import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Clock ticks per second in /proc, the same on every Linux that Node supports. */
const ticksPerSecond = 100

/**
 * The processor time of the child processes of this process that have ended, with that of their own children, in whole
 * seconds; 0 where there is no /proc. Other work on the machine changes it little, unlike the time on the clock.
 */
export function readChildCpuSeconds() {
  const file = '/proc/self/stat'
  if (!existsSync(file)) return 0
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Math.round((Number(fields[13]) + Number(fields[14])) / ticksPerSecond)
}

/** Writes down what a test file took, for the list at the end of the run (run-tests.mjs). */
export function recordCpuTime(file, seconds) {
  const folder = process.env.TEST_CPU_TIMES
  if (folder !== undefined) writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify({ file, seconds }))
}
