import { callerAtTheMachine } from '#platform/access.ts'
import { type Settings, settingsOfThisProcess } from '#platform/config.ts'
import { openStore, type Store } from '#platform/database.ts'
import { prepareQueue } from '#platform/jobs.ts'
import { type Log, newLog } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { followSite } from '#platform/site/site.ts'
import { migrations } from './migrations.ts'

/** Who does what a command does. */
export const commandLine = callerAtTheMachine('command line')

/** Opens the store that is in use, or starts it for as long as the command takes. */
export async function withStore(work: (store: Store, settings: Settings) => Promise<void>): Promise<void> {
  await withUntouchedStore(async (store, settings, log) => {
    await migrate(store, migrations, log)
    await prepareQueue(store, log)
    const site = await followSite(store, settings, log)
    site.close()
    await work(store, settings)
  })
}

/** The same, with its tables as they are: for what looks at them, takes them away, or brings its own. */
export async function withUntouchedStore(
  work: (store: Store, settings: Settings, log: Log) => Promise<void>
): Promise<void> {
  const settings = settingsOfThisProcess()
  const log = newLog(settings.logLevel === 'info' ? 'warn' : settings.logLevel)
  const store = await openStore(settings, 'command', log)
  try {
    await work(store, settings, log)
  } finally {
    await store.close()
  }
}
