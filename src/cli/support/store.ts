import { statSync } from 'node:fs'
import { join } from 'node:path'
import { newSystemCaller } from '#platform/caller.ts'
import { loadSettings, type Settings } from '#platform/config.ts'
import { openStore, type Store } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { prepareQueue } from '#platform/jobs/jobs.ts'
import { type Log, newLog } from '#platform/log.ts'
import { followSite } from '#platform/site/site.ts'
import { migrations } from './migrations.ts'

/** The actor of everything a command does. */
export const commandLineCaller = newSystemCaller('command line')

/** Connects to the running database, or starts it for the duration of the command. */
export async function withStore(work: (store: Store, settings: Settings) => Promise<void>): Promise<void> {
  await withUnmigratedStore(async (store, settings, log) => {
    await migrate(store, migrations, log)
    await prepareQueue(store, log)
    const site = await followSite(store, settings, log)
    site.close()
    await work(store, settings)
  })
}

/** For commands that only read: they must not create an empty database where there is none. */
export async function withExistingStore(
  work: (store: Store, settings: Settings, log: Log) => Promise<void>
): Promise<void> {
  const settings = loadSettings()
  if (settings.databaseUrl === undefined && isMissing(join(settings.dataDir, 'postgres', 'PG_VERSION'))) {
    throw new Error(
      `There is no database in ${settings.dataDir}, and nothing was created. Run this in the folder of the .env file, or set DATA_DIR or DATABASE_URL; kalends serve creates a database.`
    )
  }
  await withUnmigratedStore(work)
}

/** Same, without migrating: for commands that inspect, back up or replace the tables. */
export async function withUnmigratedStore(
  work: (store: Store, settings: Settings, log: Log) => Promise<void>
): Promise<void> {
  const settings = loadSettings()
  const log = newLog(settings.logLevel === 'info' ? 'warn' : settings.logLevel, settings.logFormat)
  const store = await openStore(settings, 'command', log)
  try {
    await work(store, settings, log)
  } finally {
    await store.close()
  }
}

/** A file that this user may not see is not missing. */
function isMissing(path: string): boolean {
  try {
    statSync(path)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
