import { loadSettings } from '#platform/config.ts'
import type { Store } from '#platform/database/database.ts'
import { newLog } from '#platform/log.ts'
import { createServer } from '#platform/server.ts'
import { newBackupOperations } from './server/backup-operations.ts'
import { findServices } from './server/services.ts'

export async function run(words: string[]): Promise<void> {
  // No requests are handled, so there is nothing to cache.
  const settings = { ...loadSettings(), responseCache: 0 }
  // Platform routes belong to no service and are always included.
  const services = findServices(words.filter(word => word !== 'platform')).map(part => part(settings))
  const backups = { ...newBackupOperations(settings), startRestore: () => false }
  const server = await createServer(services, { store: noStore, settings, log: newLog('silent'), backups })
  console.log(JSON.stringify(server.buildOpenApi(words[0]), undefined, 2))
  await server.drain()
}

/** Routes need a database to register, but never query it while they are only described: there are no commits either. */
const noStore = new Proxy({ onCommit: () => () => {} } as unknown as Store, {
  get: (store, name) =>
    Reflect.get(store, name) ??
    (() => {
      throw new Error(`No database available (${String(name)}).`)
    })
})
