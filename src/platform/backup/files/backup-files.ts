import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Caller } from '../../caller.ts'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { BackupSettings } from '../../settings/backup-settings.ts'
import { withBackupLock } from '../session.ts'
import { findBackupStatus, recordBackup, recordBackupFailure } from '../status.ts'
import { writeVerifiedBackup } from '../verified-file.ts'
import { type BackupKind, buildFileName, findBackupKind } from './names.ts'
import type { BackupOperations } from './operations.ts'
import { newBackupNotFoundProblem, newBackupRunningProblem } from './problems.ts'
import type { Backup, BackupOverview } from './schema.ts'

/** Backups that people create are kept in this number, so that they never fill the disk. */
export const keptCounts: Record<Exclude<BackupKind, 'scheduled'>, number> = {
  manual: 5,
  'before-restore': 3,
  uploaded: 1
}
/** Only backups of the console are removed; those of the command line have no kind in their names. */
const removablePattern = /^kalends-(?:manual|before-restore|uploaded)-/
const unfinishedPattern = /\.unfinished-\d+$/

/** The backups in the folder, newest first. */
export async function listBackups(folder: string): Promise<Backup[]> {
  const backups: Backup[] = []
  for (const name of await listNames(folder)) {
    const kind = findBackupKind(name)
    const found = kind === undefined ? undefined : await statIfExists(join(folder, name))
    if (kind !== undefined && found !== undefined) {
      backups.push({ name, kind, bytes: found.size, createdAt: found.mtime.toISOString() })
    }
  }
  return backups.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
}

export async function requireBackup(folder: string, name: string): Promise<Backup & { path: string }> {
  const kind = findBackupKind(name)
  const path = join(folder, name)
  const found = kind === undefined ? undefined : await statIfExists(path)
  if (kind === undefined || found === undefined) throw newBackupNotFoundProblem()
  return { name, kind, path, bytes: found.size, createdAt: found.mtime.toISOString() }
}

export async function buildOverview(db: Database, settings: BackupSettings): Promise<BackupOverview> {
  const { folder, scheduleMinute, keepDays, keepMonths, maxAgeDays, s3 } = settings
  // Before the list: a file that is completed meanwhile is in one of both.
  const unfinished = await findUnfinished(folder)
  const [backups, status] = await Promise.all([listBackups(folder), findBackupStatus(db)])
  const { lastAt = null, failure = null, lastRestore } = status
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  return {
    backups,
    running: unfinished === undefined ? null : { bytes: unfinished, expectedBytes: backups[0]?.bytes ?? null },
    lastAt,
    failure,
    schedule:
      scheduleMinute === undefined
        ? null
        : {
            time: `${twoDigits(Math.floor(scheduleMinute / 60))}:${twoDigits(scheduleMinute % 60)}`,
            keepDays,
            keepMonths,
            isCopied: s3 !== undefined
          },
    maxAgeDays,
    lastRestore:
      lastRestore === undefined
        ? null
        : { ...lastRestore, takenAt: lastRestore.takenAt ?? null, failure: lastRestore.failure ?? null }
  }
}

/** Starts a backup into the folder, and returns its name while it is being written. */
export async function startBackup(
  db: Database,
  by: Caller,
  { connection, migrations, settings, log }: BackupOperations & { settings: BackupSettings; log: Log }
): Promise<string> {
  const name = buildFileName('manual', new Date())
  return await new Promise((resolve, reject) => {
    withBackupLock(connection, async () => {
      try {
        // Resolves once the file exists, so that a list requested after the response contains the backup.
        const onWrite = () => resolve(name)
        const written = await writeVerifiedBackup(connection, join(settings.folder, name), migrations, { onWrite })
        await removeOldest(settings.folder, 'manual')
        await recordBackup(db, by, written)
        log.info({ name, bytes: written.bytes }, 'backup taken')
      } catch (error) {
        log.error({ err: error }, 'backup failed')
        await recordBackupFailure(db, by, error instanceof Error ? error.message : String(error))
      }
      resolve(name)
      return name
    }).then(
      started => {
        if (started === undefined) reject(newBackupRunningProblem())
      },
      (error: unknown) => {
        log.error({ err: error }, 'backup failed')
        reject(error)
      }
    )
  })
}

/** Removes all but the newest of a kind, and what killed processes left unfinished. */
export async function removeOldest(folder: string, kind: Exclude<BackupKind, 'scheduled'>): Promise<void> {
  const own = (await listBackups(folder)).filter(one => one.kind === kind && removablePattern.test(one.name))
  for (const { name } of own.slice(keptCounts[kind])) await rm(join(folder, name), { force: true })
}

/** Size of the file that is being written. One that has not grown for long is the rest of a killed process. */
async function findUnfinished(folder: string): Promise<number | undefined> {
  for (const name of await listNames(folder)) {
    if (!unfinishedPattern.test(name)) continue
    const found = await statIfExists(join(folder, name))
    if (found !== undefined && Date.now() - found.mtimeMs < staleMs) return found.size
  }
  return undefined
}

const staleMs = 60_000

/** The folder is created with the first backup. */
export async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function statIfExists(path: string): Promise<{ size: number; mtime: Date; mtimeMs: number } | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
