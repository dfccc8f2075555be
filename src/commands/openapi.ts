import { settingsOfThisProcess } from '#platform/config.ts'
import type { Store } from '#platform/database.ts'
import { newLog } from '#platform/log.ts'
import { newServer } from '#platform/service.ts'
import { chosen } from './parts.ts'

export async function run(words: string[]): Promise<void> {
  // Nothing is asked, so nothing is kept either.
  const settings = { ...settingsOfThisProcess(), responseCache: 0 }
  // What belongs to no service is there beside any.
  const services = chosen(words.filter(word => word !== 'platform')).map(part => part(settings))
  const server = await newServer(services, noStore, settings, newLog('silent'))
  console.log(JSON.stringify(server.document(words[0]), undefined, 2))
  await server.drain()
}

/** The document needs routes, and routes need a store that they never ask while they are only described. */
const noStore = new Proxy({} as Store, {
  get: (_, name) => () => {
    throw new Error(`There is no database here (${String(name)}).`)
  }
})
