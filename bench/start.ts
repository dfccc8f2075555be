import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Lab, startKalends } from './lab.ts'
import { rounds } from './options.ts'
import { medianOf, progress } from './rounds.ts'
import type { Row } from './table.ts'

/** From the command to the first answer, with the embedded store: on an empty folder, and on one that was used before. */
export async function benchStart({ folder }: Lab): Promise<Row[]> {
  const logFile = openSync(join(folder, 'log'), 'a')
  const first: number[] = []
  const again: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    progress(`starting, round ${round} of ${rounds}`)
    const dataDir = mkdtempSync(join(tmpdir(), 'kalends-start-'))
    first.push(await secondsToFirstAnswer(dataDir, logFile))
    again.push(await secondsToFirstAnswer(dataDir, logFile))
    rmSync(dataDir, { recursive: true })
  }
  const row = (name: string, seconds: number[], floor: number, goal: number): Row => ({
    ...{ name, unit: 's', value: medianOf(seconds), limit: null, ratio: null, floor, goal }
  })
  return [row('first start to first answer', first, 5, 3), row('restart to first answer', again, 1.5, 0.8)]
}

async function secondsToFirstAnswer(dataDir: string, logFile: number): Promise<number> {
  const begin = performance.now()
  const kalends = await startKalends({ DATABASE_URL: '', DATA_DIR: dataDir }, logFile)
  const answer = await fetch(`${kalends.url}/campaigns`)
  if (answer.status !== 200) throw new Error(`The first answer was ${answer.status}.`)
  const seconds = (performance.now() - begin) / 1000
  await kalends.stop()
  return seconds
}
