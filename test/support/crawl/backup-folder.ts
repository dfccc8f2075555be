import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { writeVerifiedBackup } from '#platform/backup/verified-file.ts'
import { migrations } from '../database.ts'

/** A `BACKUP_DIR` that is removed after the tests of the file. */
export async function createBackupFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-backups-'))
  after(async () => await rm(folder, { recursive: true, force: true }))
  let writing: Promise<unknown> | undefined

  /** Returns the name of a backup, the same one each time: reading and restoring in tests do not change it. */
  async function writeBackup({ connection }: { connection: Parameters<typeof writeVerifiedBackup>[0] }) {
    const name = 'kalends-manual-2026-11-15T120000Z.backup'
    writing ??= writeVerifiedBackup(connection, join(folder, name), migrations)
    await writing
    return name
  }

  return { folder, writeBackup }
}
