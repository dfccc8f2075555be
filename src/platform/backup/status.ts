import { record } from '../activity/activity.ts'
import type { Caller } from '../caller.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { WrittenArchive } from './archive.ts'

export interface BackupStatus {
  /** When the newest backup was taken; undefined if there is none. The archive that was restored counts, too. */
  lastAt: string | undefined
  /** When the newest scheduled backup was taken. */
  lastScheduledAt: string | undefined
  /** The last failure of a backup, if no backup was taken since. */
  failure: { at: string; reason: string } | undefined
  /** The last restore, with the reason if it failed and changed nothing. */
  lastRestore: { at: string; takenAt: string | undefined; by: string; failure: string | undefined } | undefined
}

export async function findBackupStatus(db: Database): Promise<BackupStatus> {
  const [taken, scheduled, restored, failed, notRestored] = await Promise.all([
    findLast(db, 'backup.taken'),
    findLast(db, 'backup.taken', sql`and details->>'file' is not null`),
    findLast(db, 'backup.restored'),
    findLast(db, 'backup.failed'),
    findLast(db, 'backup.restore_failed')
  ])
  const times = [taken?.at, restored?.details.takenAt].filter(at => typeof at === 'string')
  const lastAt = times.sort().at(-1)
  const isOver = failed === undefined || (taken !== undefined && taken.id > failed.id)
  return {
    lastAt,
    lastScheduledAt: scheduled?.at,
    failure: isOver ? undefined : { at: failed.at, reason: String(failed.details.reason ?? '') },
    lastRestore: toLastRestore(restored, notRestored)
  }
}

function toLastRestore(
  restored: BackupRecord | undefined,
  failed: BackupRecord | undefined
): BackupStatus['lastRestore'] {
  const last = restored === undefined || (failed !== undefined && failed.id > restored.id) ? failed : restored
  if (last === undefined) return undefined
  const { takenAt, reason } = last.details
  return {
    at: last.at,
    by: last.actor,
    takenAt: typeof takenAt === 'string' ? takenAt : undefined,
    failure: last === failed ? String(reason ?? '') : undefined
  }
}

interface BackupRecord {
  id: number
  at: string
  actor: string
  details: Record<string, unknown>
}

/** The newest record of this action; there is an index for it. */
async function findLast(db: Database, action: string, condition = sql``): Promise<BackupRecord | undefined> {
  return await db.maybeOne(sql`
    select id, at, actor, details from platform.activity where action = ${action} ${condition} order by id desc limit 1`)
}

/** Admins see when the last backup was taken, and `doctor` fails when it is too old. `file` marks a scheduled one. */
export async function recordBackup(
  db: Database,
  by: Caller,
  { manifest, rows, bytes }: WrittenArchive,
  file?: string
): Promise<void> {
  await db.transaction(async tx => {
    const details = { rows, bytes, ...(file === undefined ? {} : { file }) }
    const what = { subject: 'backup', id: manifest.takenAt ?? '', details }
    await record(tx, { by, now: new Date() }, 'backup.taken', what)
  })
}

export async function recordBackupFailure(db: Database, by: Caller, reason: string): Promise<void> {
  await db.transaction(async tx => {
    const now = new Date()
    await record(tx, { by, now }, 'backup.failed', { subject: 'backup', id: now.toISOString(), details: { reason } })
  })
}

/** A restore that failed has changed nothing, so the activity log is complete. */
export async function recordRestoreFailure(db: Database, by: Caller, reason: string): Promise<void> {
  await db.transaction(async tx => {
    const now = new Date()
    const what = { subject: 'backup', id: now.toISOString(), details: { reason } }
    await record(tx, { by, now }, 'backup.restore_failed', what)
  })
}

/** A backup contains all personal data, so that each download is recorded. */
export async function recordDownload(db: Database, by: Caller, name: string): Promise<void> {
  await db.transaction(async tx => {
    await record(tx, { by, now: new Date() }, 'backup.downloaded', { subject: 'backup', id: name })
  })
}
