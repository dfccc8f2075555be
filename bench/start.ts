import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from './environment.ts'
import { median, showProgress } from './measure.ts'
import { starts } from './options.ts'
import { newValueRow, type Row } from './table.ts'

/** From the command to the first answer, with the embedded store: on an empty folder, and on one that was used before. */
export async function benchStart(environment: Environment): Promise<Row[]> {
  const first: number[] = []
  const again: number[] = []
  for (let round = 1; round <= starts; round += 1) {
    showProgress(`starting, round ${round} of ${starts}`)
    const dataDir = mkdtempSync(join(environment.folder, 'start-'))
    first.push(await measureStart(environment, dataDir))
    again.push(await measureStart(environment, dataDir))
    rmSync(dataDir, { recursive: true })
  }
  const common = { section: 'start and memory', unit: 's' } as const
  return [
    newValueRow({ ...common, name: 'first start to first answer', value: median(first), floor: 5, goal: 3 }),
    newValueRow({ ...common, name: 'restart to first answer', value: median(again), floor: 2, goal: 1.2 })
  ]
}

async function measureStart(environment: Environment, dataDir: string): Promise<number> {
  const begin = performance.now()
  const kalends = await environment.start('', { DATA_DIR: dataDir })
  const answer = await fetch(`${kalends.url}/campaigns`)
  if (answer.status !== 200) throw new Error(`The first answer was ${answer.status}.`)
  const seconds = (performance.now() - begin) / 1000
  await kalends.stop()
  return seconds
}
