import { parseArgs } from 'node:util'
import { record } from '#platform/activity/activity.ts'
import { type Taken, writeArchive } from '#platform/archive/archive.ts'
import type { Store } from '#platform/database.ts'
import { appliedMigrations, knownMigrations } from '#platform/migrate.ts'
import { toFileOrStdout } from './file.ts'
import { migrations } from './migrations.ts'
import { commandLine, withUntouchedStore } from './store.ts'
import { UsageError } from './usage.ts'

/** Everything into one file, while others go on. Tables that wait for a migration are taken as they are: before an upgrade is when backups are made. */
export async function run(words: string[]): Promise<void> {
  const { positionals } = parseArgs({ args: words, allowPositionals: true })
  const [path = defaultName(new Date()), ...rest] = positionals
  if (rest.length > 0) throw new UsageError('backup takes one file, or - for standard output.')
  await withUntouchedStore(async store => {
    const taken = await toFileOrStdout(path, async to => await writeArchive(store.connection, migrations, to, 'backup'))
    console.error(`${path === '-' ? 'Backup' : path}: ${summaryOf(taken)}.`)
    console.error(whereTheKeyIs)
    await recordTaken(store, taken)
  })
}

export const whereTheKeyIs =
  'Account numbers, links of donors, and secrets of webhooks and authenticator apps in it are sealed. Keep the key apart from it (ENCRYPTION_KEY, or encryption.key in DATA_DIR): ' +
  'without it they cannot be read.'

/** `kalends-2026-11-15T1200Z.backup`: sorts by time, and has no character that a file system minds. */
function defaultName(now: Date): string {
  return `kalends-${now.toISOString().slice(0, 16).replace(':', '')}Z.backup`
}

export function summaryOf({ manifest, rows, bytes }: Taken): string {
  const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })
  return `${number.format(rows)} rows of ${manifest.tables.length} tables, ${number.format(bytes / 1e6)} MB`
}

/** So that everybody can see when the last one was taken, and `doctor` can say when it is long ago. */
async function recordTaken(store: Store, { manifest, rows, bytes }: Taken): Promise<void> {
  const [applied, known] = await Promise.all([appliedMigrations(store), knownMigrations(migrations)])
  if (Object.entries(known).some(([part, number]) => applied[part] !== number)) {
    console.error('The tables are older than this program, so that the backup is not noted in the activity.')
    return
  }
  await store.transaction(async tx => {
    const what = { subject: 'backup', id: manifest.takenAt ?? '', details: { rows, bytes } }
    await record(tx, commandLine, new Date(), 'backup.taken', what)
  })
}
