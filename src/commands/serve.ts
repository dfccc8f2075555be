import cluster from 'node:cluster'
import { settingsOfThisProcess } from '#platform/config.ts'
import { openStore, type Store } from '#platform/database.ts'
import { newLog } from '#platform/log.ts'
import type { Server } from '#platform/service.ts'
import type { Serving } from './serving.ts'

export async function run(words: string[]): Promise<void> {
  const settings = settingsOfThisProcess()
  const log = newLog(settings.logLevel)
  if (cluster.isWorker) {
    const { serveAmongOthers } = await import('./one-of-several.ts')
    await serveAmongOthers(settings, log, async options => await start(words, options))
  } else if (settings.workers > 1) {
    const { superviseProcesses } = await import('./processes.ts')
    await superviseProcesses(settings, log)
  } else {
    await start(words, { settings, log, opening: openStore(settings, 'serving', log) })
  }
}

export type Starting = Pick<Serving, 'settings' | 'log' | 'isPrepared' | 'announce'> & { opening: Promise<Store> }

/** The store starts while the program is loaded. */
async function start(words: string[], { opening, ...options }: Starting): Promise<Server> {
  const loading = Promise.all([import('./parts.ts'), import('./serving.ts')])
  const [opened, loaded] = await Promise.allSettled([opening, loading])
  if (opened.status === 'rejected') throw opened.reason
  if (loaded.status === 'rejected') {
    await opened.value.close()
    throw loaded.reason
  }
  const [{ chosenToServe, jobsOf, subjectsOf }, { serve }] = loaded.value
  return await serve({ ...options, store: opened.value, parts: () => chosenToServe(words), jobsOf, subjectsOf })
}
