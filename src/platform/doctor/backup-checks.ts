import { newObjectStore, ObjectStoreError } from '../backup/scheduled/s3.ts'
import { findBackupStatus } from '../backup/status.ts'
import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Finding } from './check.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A new installation has a day to set its backups up: until then only a warning. */
export async function checkBackup(db: Database, { backup }: Settings, now: Date): Promise<Finding> {
  const { scheduleMinute, maxAgeDays } = backup
  if (maxAgeDays === 0) return { level: 'ok', about: 'backup: not checked (BACKUP_MAX_AGE_DAYS=0)' }
  const { lastAt, failure } = await findBackupStatus(db)
  const about = `backup: ${lastAt === undefined ? 'none yet' : `last one ${describeAge(lastAt, now)}`}`
  if (failure !== undefined && scheduleMinute !== undefined) {
    const details = [`The scheduled backup of ${failure.at} failed: ${failure.reason}`]
    return { level: 'FAULT', about, details, remedy: 'Remove the cause, then run kalends backup --scheduled.' }
  }
  const remedy =
    'Set BACKUP_SCHEDULE, or run kalends backup every night. If the database is backed up in another way, set BACKUP_MAX_AGE_DAYS=0.'
  if (lastAt === undefined) return { level: (await isNew(db, now)) ? 'WARN' : 'FAULT', about, remedy }
  if (now.getTime() - Date.parse(lastAt) < maxAgeDays * dayMs) return { level: 'ok', about }
  return {
    level: 'FAULT',
    about,
    details: [`It must not be older than ${maxAgeDays} days (BACKUP_MAX_AGE_DAYS).`],
    remedy
  }
}

function describeAge(at: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(at)) / dayMs)
  return days <= 0 ? 'within a day' : days === 1 ? 'a day ago' : `${days} days ago`
}

async function isNew(db: Database, now: Date): Promise<boolean> {
  const { since } = await db.one<{ since: string }>(sql`select min(applied_at) as since from platform.migrations`)
  return now.getTime() - Date.parse(since) < dayMs
}

/** Lists the objects, which needs the endpoint, the bucket and the credentials. */
export async function checkBackupCopies({ backup: { s3 } }: Settings): Promise<Finding[]> {
  if (s3 === undefined) return []
  const about = `backup copies: ${s3.endpoint}/${s3.bucket}/${s3.prefix}`
  try {
    const count = (await newObjectStore(s3).list()).length
    return [{ level: 'ok', about: `${about} (objects: ${count})` }]
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error
    return [
      { level: 'FAULT', about, details: [error.message], remedy: 'Check the BACKUP_S3_… settings and network access.' }
    ]
  }
}
