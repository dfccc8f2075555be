import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteUnusedKey, listArchiveKeys, requireArchiveKeys } from '#fundraising/encryption/archive-keys.ts'
import { removeOldest } from '#platform/backup/files/backup-files.ts'
import { buildFileName, findBackupKind } from '#platform/backup/files/names.ts'
import type { RestoreRequest } from '#platform/backup/files/operations.ts'
import { openArchive, restoreArchive } from '#platform/backup/restore.ts'
import { recordRestoreFailure } from '#platform/backup/status.ts'
import { writeVerifiedBackup } from '#platform/backup/verified-file.ts'
import { newSystemCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import { openStore, type Store } from '#platform/database/database.ts'
import type { Log } from '#platform/log.ts'
import { migrations } from '../support/migrations.ts'
import type { StoppableServer } from './lifecycle.ts'
import { newMaintenanceServer, type ReportProgress } from './maintenance-server.ts'

export interface RestoreOptions {
  settings: Settings
  log: Log
  /** Starts with the restored data; calls `beforeListen` when it needs the port. */
  serveAgain: (options: { port: number; beforeListen: () => Promise<void> }) => Promise<void>
}

/**
 * Stops the server, restores the backup and serves again, with a page about the progress on the same port. Database
 * connections, caches and settings of a running server belong to the data that is replaced, so that all of them are new
 * afterwards. If the restore fails, nothing has changed and the server starts with the data it had.
 */
export async function restoreAndServe(
  request: RestoreRequest,
  { port, stop }: StoppableServer,
  { settings, log, serveAgain }: RestoreOptions
): Promise<void> {
  const removeHandlers = exitOnSignal(log)
  const maintenance = newMaintenanceServer({ host: settings.host, port, log })
  const listening = maintenance.listen()
  await stop()
  await listening
  await restoreBackup(request, settings, log, maintenance.report)
  maintenance.report('starting', 1)
  removeHandlers()
  await serveAgain({ port, beforeListen: maintenance.close })
}

/** The restore is one transaction: the database rolls it back when the process ends. */
function exitOnSignal(log: Log): () => void {
  const exit = (signal: NodeJS.Signals) => {
    log.warn({ signal }, 'stopped during a restore; the data is unchanged unless it was complete')
    process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, exit)
  return () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, exit)
  }
}

async function restoreBackup(
  { path, by }: RestoreRequest,
  settings: Settings,
  log: Log,
  report: ReportProgress
): Promise<void> {
  const store = await openStore(settings, 'command', log)
  const caller = newSystemCaller(by)
  try {
    const archive = await openArchive(path)
    try {
      const keys = await listArchiveKeys(archive)
      await requireArchiveKeys(keys, settings)
      await saveBefore(store, settings, report)
      report('restoring', 0)
      await restoreArchive(store.connection, archive, migrations, {
        mayReplace: async () => true,
        recordedAs: caller,
        onProgress: share => report('restoring', share)
      })
      await deleteUnusedKey(store, keys, settings)
    } finally {
      await archive.close()
    }
    if (findBackupKind(path.slice(settings.backup.folder.length + 1)) === 'uploaded') await rm(path, { force: true })
    log.info({ path }, 'backup restored')
  } catch (error) {
    log.error({ err: error, path }, 'restore failed; nothing was changed')
    await recordRestoreFailure(store, caller, error instanceof Error ? error.message : String(error))
  } finally {
    await store.close()
  }
}

/** What the restore replaces is kept as a backup. */
async function saveBefore(store: Store, { backup }: Settings, report: ReportProgress): Promise<void> {
  report('saving', 0)
  const name = buildFileName('before-restore', new Date())
  await writeVerifiedBackup(store.connection, join(backup.folder, name), migrations)
  await removeOldest(backup.folder, 'before-restore')
}
