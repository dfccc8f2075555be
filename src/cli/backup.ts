import { parseArgs } from 'node:util'
import { type WrittenArchive, writeArchive } from '#platform/backup/archive.ts'
import { writeToFileOrStdout } from '#platform/backup/output-file.ts'
import { takeBackup } from '#platform/backup/scheduled/scheduled-backup.ts'
import { withBackupLock } from '#platform/backup/session.ts'
import { recordBackup } from '#platform/backup/status.ts'
import type { Store } from '#platform/database/database.ts'
import { findAppliedVersions, findKnownVersions } from '#platform/database/migrate.ts'
import { migrations } from './support/migrations.ts'
import { commandLineCaller, withExistingStore } from './support/store.ts'
import { UsageError } from './support/usage.ts'

/**
 * Writes everything into one file while the server keeps running. Does not migrate first: people back up
 * before an upgrade.
 */
export async function run(words: string[]): Promise<void> {
  const options = { scheduled: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
  const [path = getDefaultName(new Date()), ...rest] = positionals
  if (rest.length > 0) throw new UsageError('backup takes one file, or - for standard output.')
  if (values.scheduled === true) {
    if (positionals.length > 0) throw new UsageError('backup --scheduled takes no file: BACKUP_DIR is the folder.')
    return await takeScheduledBackup()
  }
  await withExistingStore(async store => {
    const taken = await writeToFileOrStdout(
      path,
      async to => await writeArchive(store.connection, migrations, to, 'backup')
    )
    console.error(`${path === '-' ? 'Backup' : path}: ${formatSummary(taken)}.`)
    console.error(encryptionKeyHint)
    await recordTaken(store, taken)
  })
}

export const encryptionKeyHint =
  'IBANs, donor links, and secrets of webhooks and authenticator apps are encrypted in it. Store the key separately (ENCRYPTION_KEY, or encryption.key in DATA_DIR): ' +
  'without it they cannot be read.'

/** `kalends-2026-11-15T1200Z.backup`: sorts by time and is a valid file name on every file system. */
function getDefaultName(now: Date): string {
  return `kalends-${now.toISOString().slice(0, 16).replace(':', '')}Z.backup`
}

export function formatSummary({ manifest, rows, bytes }: WrittenArchive): string {
  const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })
  return `${number.format(rows)} rows of ${manifest.tables.length} tables, ${number.format(bytes / 1e6)} MB`
}

/** Does what the schedule does, at once: a test of the settings, and for installations that use cron instead. */
async function takeScheduledBackup(): Promise<void> {
  await withExistingStore(async (store, settings) => {
    const taken = await withBackupLock(
      store.connection,
      async () => await takeBackup(store, { settings, migrations, by: commandLineCaller })
    )
    if (taken === undefined) throw new Error('Another process is creating a scheduled backup at the moment.')
    console.error(`${taken.path}: ${formatSummary(taken.written)}.`)
    const { s3 } = settings.backup
    if (s3 !== undefined) console.error(`Copied to ${s3.endpoint}/${s3.bucket}/${s3.prefix}.`)
    if (taken.removed.length > 0) console.error(`Removed ${taken.removed.length} expired.`)
    console.error(encryptionKeyHint)
  })
}

async function recordTaken(store: Store, taken: WrittenArchive): Promise<void> {
  const [applied, known] = await Promise.all([findAppliedVersions(store), findKnownVersions(migrations)])
  if (Object.entries(known).some(([part, number]) => applied[part] !== number)) {
    console.error('The database has pending migrations, so the backup is not recorded in the activity log.')
    return
  }
  await recordBackup(store, commandLineCaller, taken)
}
