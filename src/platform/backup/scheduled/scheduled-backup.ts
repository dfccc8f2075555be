import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caller, newSystemCaller } from '../../caller.ts'
import type { Settings } from '../../config.ts'
import type { Database, Store } from '../../database/database.ts'
import type { Migrations } from '../../database/migrate.ts'
import type { Job } from '../../jobs/jobs.ts'
import type { Log } from '../../log.ts'
import type { WrittenArchive } from '../archive.ts'
import { withBackupLock } from '../session.ts'
import { findBackupStatus, recordBackup, recordBackupFailure } from '../status.ts'
import { writeVerifiedBackup } from '../verified-file.ts'
import { buildBackupName, listExpired } from './retention.ts'
import { newObjectStore } from './s3.ts'
import { isBackupDue } from './schedule.ts'

export const scheduleCaller = newSystemCaller('scheduled backup')

export interface ScheduledBackup {
  path: string
  written: WrittenArchive
  /** Backups that were removed, because newer ones replace them. */
  removed: string[]
}

interface BackupOptions {
  settings: Settings
  migrations: Migrations[]
  by: Caller
  /** The process is shutting down: gives up without recording a failure. */
  stopping?: AbortSignal
}

/** The job that takes a backup when one is due; none if BACKUP_SCHEDULE is not set. */
export function buildBackupJobs(settings: Settings, migrations: Migrations[], log: Log): Job[] {
  const { scheduleMinute } = settings.backup
  if (scheduleMinute === undefined) return []
  return [
    {
      name: 'take-scheduled-backup',
      schedule: '*/5 * * * *',
      run: async (store, _, stopping) => {
        const isDue = async () => {
          const { lastScheduledAt, failure } = await findBackupStatus(store)
          const schedule = { scheduleMinute, timezone: settings.timezone }
          return isBackupDue(schedule, { lastAt: lastScheduledAt, failedAt: failure?.at }, new Date())
        }
        if (!(await isDue())) return
        await withBackupLock(store.connection, async () => {
          if (!(await isDue())) return
          try {
            const { path, written, removed } = await takeBackup(store, {
              settings,
              migrations,
              by: scheduleCaller,
              stopping
            })
            log.info({ path, bytes: written.bytes, removed: removed.length }, 'backup taken')
          } catch (error) {
            if (stopping.aborted) return
            // Recorded, and tried again in an hour; the queue would try again at once.
            log.error({ err: error }, 'backup failed')
          }
        })
      }
    }
  ]
}

/**
 * Takes a backup into the folder, verifies it, copies it to the object store, and removes expired ones. The caller holds
 * the backup lock, so an unfinished file is one of a process that was killed.
 */
export async function takeBackup(
  store: Store,
  { settings: { backup }, migrations, by, stopping }: BackupOptions
): Promise<ScheduledBackup> {
  const name = buildBackupName(new Date())
  const path = join(backup.folder, name)
  try {
    const written = await writeVerifiedBackup(store.connection, path, migrations, { stopping })
    const removed = await removeExpired(newFolder(backup.folder), backup)
    if (backup.s3 !== undefined) {
      const objects = newObjectStore(backup.s3)
      stopping?.throwIfAborted()
      await objects.upload(path, name)
      await removeExpired(objects, backup)
    }
    await recordBackup(store, by, written, name)
    return { path, written, removed }
  } catch (error) {
    if (stopping?.aborted !== true) await recordFailure(store, by, error)
    throw error
  }
}

function newFolder(folder: string): BackupLocation {
  return {
    list: async () => await readdir(folder),
    remove: async name => await rm(join(folder, name), { force: true })
  }
}

interface BackupLocation {
  list(): Promise<string[]>
  remove(name: string): Promise<void>
}

async function removeExpired(
  { list, remove }: BackupLocation,
  keep: { keepDays: number; keepMonths: number }
): Promise<string[]> {
  const expired = listExpired(await list(), keep)
  for (const name of expired) await remove(name)
  return expired
}

async function recordFailure(db: Database, by: Caller, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error)
  try {
    await recordBackupFailure(db, by, reason)
  } catch (recordError) {
    throw new AggregateError([error, recordError], `${reason} This could not be recorded either.`)
  }
}
