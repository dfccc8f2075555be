import { forgetUnusedKey, keysIn, refuseWithoutKeys } from '#fundraising/sealing/archive-keys.ts'
import { openArchive, restoreArchive } from '#platform/archive/restore.ts'
import { migrations } from './migrations.ts'
import { contentOf } from './restore.ts'
import { withUntouchedStore } from './store.ts'
import { UsageError } from './usage.ts'

/** Into an empty instance, which is then exactly the one that was exported; not even this is noted in its activity. */
export async function run([path, ...rest]: string[]): Promise<void> {
  if (path === undefined || path === '-' || rest.length > 0) throw new UsageError('import instance takes one file.')
  const archive = await openArchive(path)
  try {
    const keys = await keysIn(archive)
    await withUntouchedStore(async (store, settings) => {
      await refuseWithoutKeys(keys, settings)
      await restoreArchive(store.connection, archive, migrations, { mayReplace: async () => false })
      await forgetUnusedKey(store, keys, settings)
    })
    console.log(`Imported ${contentOf(archive)}.`)
  } finally {
    await archive.close()
  }
}
