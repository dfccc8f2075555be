import { parseArgs } from 'node:util'
import { loadOrCreateKey } from '#fundraising/encryption/key.ts'
import { newSystemCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Store } from '#platform/database/database.ts'
import { type RemovedSamples, removeSamples } from '#platform/samples/sample.ts'
import { seedServices } from '#platform/samples/seed.ts'
import { findServices } from './server/services.ts'
import { withStore } from './support/store.ts'

export async function run(words: string[]): Promise<void> {
  const { values } = parseArgs({ args: words, options: { remove: { type: 'boolean' } } })
  await withStore(async (store, settings) => {
    await loadOrCreateKey(store, settings)
    console.log(values.remove === true ? await remove(store, settings) : await seed(store, settings))
  })
}

async function seed(store: Store, settings: Settings): Promise<string> {
  const services = findServices([]).map(part => part(settings))
  const made = (await seedServices(store, settings, services))
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} in ${name}`)
  return made.length === 0 ? 'Sample content already exists.' : `Created sample content: ${made.join(', ')}.`
}

async function remove(store: Store, settings: Settings): Promise<string> {
  const removers = findServices([]).map(part => part(settings).removeSamples)
  const { removed, kept } = await removeSamples(store, newSystemCaller('command line'), settings, removers)
  const first = removed.length > 0 ? `Deleted sample content: ${listRemoved(removed)}.` : 'No sample content to delete.'
  return [first, ...kept.map(({ kind, name, reason }) => `Kept the ${kind} ${name}: ${reason.en}`)].join('\n')
}

function listRemoved(removed: RemovedSamples['removed']): string {
  return removed.map(({ kind, count }) => `${count} ${count === 1 ? kind : plurals[kind]}`).join(', ')
}

const plurals: Record<string, string> = {
  campaign: 'campaigns',
  donation: 'donations',
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
  image: 'images'
}
