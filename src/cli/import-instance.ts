import { deleteUnusedKey, listArchiveKeys, requireArchiveKeys } from '#fundraising/encryption/archive-keys.ts'
import { openArchive, restoreArchive } from '#platform/backup/restore.ts'
import { describeContent } from './restore.ts'
import { migrations } from './support/migrations.ts'
import { withUnmigratedStore } from './support/store.ts'
import { UsageError } from './support/usage.ts'

/** Imports into an empty instance, which is then identical to the exported one; the import itself is not logged. */
export async function run([path, ...rest]: string[]): Promise<void> {
  if (path === undefined || path === '-' || rest.length > 0) throw new UsageError('import instance takes one file.')
  const archive = await openArchive(path)
  try {
    const keys = await listArchiveKeys(archive)
    await withUnmigratedStore(async (store, settings) => {
      await requireArchiveKeys(keys, settings)
      await restoreArchive(store.connection, archive, migrations, { mayReplace: async () => false })
      await deleteUnusedKey(store, keys, settings)
    })
    console.log(`Imported ${describeContent(archive)}.`)
  } finally {
    await archive.close()
  }
}
