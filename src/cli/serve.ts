import cluster from 'node:cluster'
import { loadSettings, type Settings, SettingsError } from '#platform/config.ts'
import { openStore } from '#platform/database/database.ts'
import { messageFolders } from '#platform/language.ts'
import { type Log, newLog } from '#platform/log.ts'
import { hasSiteCatalogues } from '#platform/messages/catalogue-files.ts'
import type { Server } from '#platform/server.ts'
import type { StartOptions } from './server/lifecycle.ts'
import { newRestoreStarter } from './server/start-restore.ts'

export async function run(words: string[]): Promise<void> {
  const settings = loadSettings()
  if (!cluster.isWorker) await requireUsableMessages()
  const log = newLog(settings.logLevel, settings.logFormat)
  if (settings.databaseUrl !== undefined && !cluster.isWorker) exitOnSignalWhileWaiting()
  if (cluster.isWorker) {
    const { runWorker } = await import('./cluster/worker.ts')
    await runWorker(settings, log, async options => await start(words, options))
  } else if (settings.workers > 1) {
    const { runPrimary: superviseProcesses } = await import('./cluster/primary.ts')
    await superviseProcesses(settings, log)
  } else {
    await serveAlone(words, settings, log)
  }
}

/** A message of the site's own catalogues that cannot be used would break the page that shows it. */
async function requireUsableMessages(): Promise<void> {
  if (!hasSiteCatalogues()) return
  const { listFaults } = await import('#platform/messages/check-catalogues.ts')
  const faults = listFaults()
  if (faults.length > 0) throw new SettingsError(faults.map(fault => `messages: ${messageFolders[1]}: ${fault}`))
}

/** The only process of this server, which can also stop, restore a backup and serve again. */
async function serveAlone(
  words: string[],
  settings: Settings,
  log: Log,
  beforeListen?: () => Promise<void>
): Promise<void> {
  let onLaunch = () => {}
  const launched = new Promise<void>(resolve => {
    onLaunch = resolve
  })
  const opening = openStore(settings, 'serving', log, onLaunch)
  // Loading modules occupies this thread, which would delay every step until PostgreSQL is launched.
  if (settings.databaseUrl === undefined) await Promise.race([launched, opening])
  await start(words, {
    settings,
    log,
    opening,
    beforeListen,
    startRestore: newRestoreStarter({
      settings,
      log,
      // The settings that the site had changed are read again with the restored data.
      serveAgain: async ({ port, beforeListen: closePage }) =>
        await serveAlone(words, { ...loadSettings(), port }, log, closePage)
    })
  })
}

/**
 * The wait for a database server may take long. A signal ends it, also in a container, where the first process has no
 * default action for signals. The server has its own handlers later, which run instead.
 */
function exitOnSignalWhileWaiting(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      if (process.listenerCount(signal) === 0) process.exit(0)
    })
  }
}

/** The database starts while the modules are loaded. */
async function start(words: string[], { opening, ...options }: StartOptions): Promise<Server> {
  const loading = Promise.all([import('./server/services.ts'), import('./server/lifecycle.ts')])
  const [opened, loaded] = await Promise.allSettled([opening, loading])
  if (opened.status === 'rejected') throw opened.reason
  if (loaded.status === 'rejected') {
    await opened.value.close()
    throw loaded.reason
  }
  const [{ selectServices, listJobs, listActivityTypes }, { serve }] = loaded.value
  return await serve({
    ...options,
    store: opened.value,
    parts: () => selectServices(words),
    listJobs: listJobs,
    listActivityTypes: listActivityTypes
  })
}
