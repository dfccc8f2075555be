import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Lab } from './lab.ts'
import { starts } from './options.ts'
import { medianOf, progress } from './rounds.ts'
import type { Row } from './table.ts'

/** From the command to the first answer, with the embedded store: on an empty folder, and on one that was used before. */
export async function benchStart(lab: Lab): Promise<Row[]> {
  const first: number[] = []
  const again: number[] = []
  for (let round = 1; round <= starts; round += 1) {
    progress(`starting, round ${round} of ${starts}`)
    const dataDir = mkdtempSync(join(lab.folder, 'start-'))
    first.push(await secondsToFirstAnswer(lab, dataDir))
    again.push(await secondsToFirstAnswer(lab, dataDir))
    rmSync(dataDir, { recursive: true })
  }
  const row = (name: string, seconds: number[], floor: number, goal: number): Row => ({
    ...{ name, unit: 's', value: medianOf(seconds), limit: null, ratio: null, floor, goal }
  })
  return [row('first start to first answer', first, 5, 3), row('restart to first answer', again, 1.5, 0.8)]
}

async function secondsToFirstAnswer(lab: Lab, dataDir: string): Promise<number> {
  const begin = performance.now()
  const kalends = await lab.start('', { DATA_DIR: dataDir })
  const answer = await fetch(`${kalends.url}/campaigns`)
  if (answer.status !== 200) throw new Error(`The first answer was ${answer.status}.`)
  const seconds = (performance.now() - begin) / 1000
  await kalends.stop()
  return seconds
}
