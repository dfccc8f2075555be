import { parseArgs } from 'node:util'
import { record } from '#platform/activity/activity.ts'
import { type WrittenArchive, writeArchive } from '#platform/backup/archive.ts'
import type { Store } from '#platform/database/database.ts'
import { findAppliedVersions, findKnownVersions } from '#platform/database/migrate.ts'
import { migrations } from './support/migrations.ts'
import { writeToFileOrStdout } from './support/output-file.ts'
import { commandLineCaller, withUnmigratedStore } from './support/store.ts'
import { UsageError } from './support/usage.ts'

/**
 * Writes everything into one file while the server keeps running. Does not migrate first: people back up
 * before an upgrade.
 */
export async function run(words: string[]): Promise<void> {
  const { positionals } = parseArgs({ args: words, allowPositionals: true })
  const [path = getDefaultName(new Date()), ...rest] = positionals
  if (rest.length > 0) throw new UsageError('backup takes one file, or - for standard output.')
  await withUnmigratedStore(async store => {
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

/** Records when the last backup was taken: admins can see it, and `doctor` warns when it is too old. */
async function recordTaken(store: Store, { manifest, rows, bytes }: WrittenArchive): Promise<void> {
  const [applied, known] = await Promise.all([findAppliedVersions(store), findKnownVersions(migrations)])
  if (Object.entries(known).some(([part, number]) => applied[part] !== number)) {
    console.error('The database has pending migrations, so the backup is not recorded in the activity log.')
    return
  }
  await store.transaction(async tx => {
    const what = { subject: 'backup', id: manifest.takenAt ?? '', details: { rows, bytes } }
    await record(tx, { by: commandLineCaller, now: new Date() }, 'backup.taken', what)
  })
}
