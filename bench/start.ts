import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from './environment.ts'
import { median, showProgress } from './measure.ts'
import { starts } from './options.ts'
import { newValueRow, type Row } from './table.ts'

/** The program requests the first pages itself by then (src/cli/server/warm-up.ts). */
const firstVisitorMs = 2000

/** From the command to the first answer, with the embedded store: on an empty folder, and on one that was used before. */
export async function benchStart(environment: Environment): Promise<Row[]> {
  const first: number[] = []
  const again: number[] = []
  const firstPages: number[] = []
  const laterPages: number[] = []
  for (let round = 1; round <= starts; round += 1) {
    showProgress(`starting, round ${round} of ${starts}`)
    const dataDir = mkdtempSync(join(environment.folder, 'start-'))
    first.push(await measureStart(environment, dataDir))
    again.push(await measureStart(environment, dataDir))
    for (let times = 1; times <= 2; times += 1) {
      const [firstPage = Number.NaN, ...others] = await measurePages(environment, dataDir)
      firstPages.push(firstPage)
      laterPages.push(others.at(-1) ?? Number.NaN)
    }
    rmSync(dataDir, { recursive: true })
  }
  const common = { section: 'start and memory', unit: 's' } as const
  return [
    newValueRow({ ...common, name: 'first start to first answer', value: median(first), floor: 5, goal: 3 }),
    newValueRow({ ...common, name: 'restart to first answer', value: median(again), floor: 2, goal: 1.2 }),
    {
      section: 'start and memory',
      name: 'home page, 2 s after the start',
      against: 'its tenth request',
      unit: 'ms',
      value: median(firstPages),
      limit: median(laterPages),
      ratio: median(firstPages) / median(laterPages),
      bound: { of: 'ratio', is: 'at most', floor: 3, goal: null }
    }
  ]
}

/** Milliseconds of ten requests for the home page in turn, each with a URL of its own. */
async function measurePages(environment: Environment, dataDir: string): Promise<number[]> {
  const kalends = await environment.start('', { DATA_DIR: dataDir, RESPONSE_CACHE: '32' })
  const measure = async (path: string) => {
    const begin = performance.now()
    const answer = await fetch(kalends.url + path, { headers: { accept: 'text/html' } })
    await answer.text()
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}.`)
    return performance.now() - begin
  }
  // The connection of the client is not what is measured.
  await measure('/livez')
  await sleep(firstVisitorMs)
  const times: number[] = []
  for (let count = 1; count <= 10; count += 1) times.push(await measure(`/en?request=${count}`))
  await kalends.stop()
  return times
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
