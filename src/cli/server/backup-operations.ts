import { listArchiveKeys, requireArchiveKeys } from '#fundraising/encryption/archive-keys.ts'
import type { BackupOperations } from '#platform/backup/files/operations.ts'
import type { Settings } from '#platform/config.ts'
import { migrations } from '../support/migrations.ts'

/** The server itself knows neither the tables of all parts nor how they are encrypted. */
export function newBackupOperations(settings: Settings): Pick<BackupOperations, 'migrations' | 'requireKeys'> {
  return {
    migrations,
    requireKeys: async archive => await requireArchiveKeys(await listArchiveKeys(archive), settings)
  }
}
