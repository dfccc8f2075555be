import { parseArgs } from 'node:util'
import { record } from '#platform/activity/activity.ts'
import { type WrittenArchive, writeArchive } from '#platform/backup/archive.ts'
import type { Store } from '#platform/database/database.ts'
import { findAppliedVersions, findKnownVersions } from '#platform/database/migrate.ts'
import { migrations } from './support/migrations.ts'
import { writeToFileOrStdout } from './support/output-file.ts'
import { commandLineCaller, withUnmigratedStore } from './support/store.ts'
import { UsageError } from './support/usage.ts'

/** Everything into one file, while others go on. Tables that wait for a migration are taken as they are: before an upgrade is when backups are made. */
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
  'Account numbers, links of donors, and secrets of webhooks and authenticator apps in it are encrypted. Keep the key apart from it (ENCRYPTION_KEY, or encryption.key in DATA_DIR): ' +
  'without it they cannot be read.'

/** `kalends-2026-11-15T1200Z.backup`: sorts by time, and has no character that a file system minds. */
function getDefaultName(now: Date): string {
  return `kalends-${now.toISOString().slice(0, 16).replace(':', '')}Z.backup`
}

export function formatSummary({ manifest, rows, bytes }: WrittenArchive): string {
  const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })
  return `${number.format(rows)} rows of ${manifest.tables.length} tables, ${number.format(bytes / 1e6)} MB`
}

/** So that everybody can see when the last one was taken, and `doctor` can say when it is long ago. */
async function recordTaken(store: Store, { manifest, rows, bytes }: WrittenArchive): Promise<void> {
  const [applied, known] = await Promise.all([findAppliedVersions(store), findKnownVersions(migrations)])
  if (Object.entries(known).some(([part, number]) => applied[part] !== number)) {
    console.error('The tables are older than this program, so that the backup is not noted in the activity.')
    return
  }
  await store.transaction(async tx => {
    const what = { subject: 'backup', id: manifest.takenAt ?? '', details: { rows, bytes } }
    await record(tx, commandLineCaller, new Date(), 'backup.taken', what)
  })
}
