import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Text } from '#platform/language.ts'
import { lockAll } from './queries.ts'
import type { SubscriptionProblem } from './schema.ts'

/** How long a runner may go without renewing its lease before another one takes over. */
const leaseSeconds = 45
const newLease = sql`now() + make_interval(secs => ${toLiteral(leaseSeconds)})`
/** How many times a subscription may be claimed without finishing. */
export const attemptsMax = 5

/**
 * Claims the subscription that is due longest. One at a time per site, and none while an import runs: they would block
 * each other and other jobs.
 */
export async function claim(
  db: Database,
  owner: string,
  now: Date
): Promise<{ id: number; attempts: number } | undefined> {
  return await db.transaction(async tx => {
    await lockAll(tx)
    return await tx.maybeOne(sql`
      update calendar.subscriptions as subscription
      set attempts = subscription.attempts + 1, leased_by = ${owner}, leased_until = ${newLease}
      where subscription.id = (
        select due.id
        from calendar.subscriptions as due
        where due.next_run_at <= ${now} and not due.is_paused
          and (due.leased_until is null or due.leased_until < now())
        order by due.next_run_at, due.id
        limit 1
      ) and not exists (
        select from calendar.subscriptions as other where other.leased_until >= now()
      ) and not exists (
        select from calendar.imports as import where import.status in ('running', 'undoing') and import.leased_until >= now()
      )
      returning subscription.id, subscription.attempts`)
  })
}

/** Renews the lease; false if another process has taken over, or if it was deleted or paused. */
export async function renewLease(db: Database, id: number, owner: string): Promise<boolean> {
  const renewed = await db.run(sql`
    update calendar.subscriptions
    set leased_until = ${newLease}
    where id = ${id} and leased_by = ${owner} and deleted_at is null and not is_paused`)
  return renewed === 1
}

export async function release(db: Database, id: number, owner: string): Promise<void> {
  await db.run(sql`
    update calendar.subscriptions set leased_by = null, leased_until = null where id = ${id} and leased_by = ${owner}`)
}

/** What reading the source told. Without ETag and hash if it was cut off, so that it is read again as a whole. */
export interface ReadFeed {
  source: 'ical' | 'tec'
  feedName: string | null
  feedMinutes: number | null
  etag: string | null
  lastModified: string | null
  contentHash: Buffer | null
}

/** The source was read; without details it has not changed. */
export async function setSucceeded(
  tx: Database,
  id: number,
  { read, now, nextRunAt }: { read?: ReadFeed; now: Date; nextRunAt: Date }
): Promise<void> {
  const details =
    read === undefined
      ? emptySql
      : sql`
        source = ${read.source}, feed_name = ${read.feedName}, feed_minutes = ${read.feedMinutes}, etag = ${read.etag},
        last_modified = ${read.lastModified}, content_hash = ${read.contentHash},
        parsed_at = ${now}, is_approved = false,`
  await tx.run(sql`
    update calendar.subscriptions
    set ${details}
      problem = null, error = null, failures = 0, failing_since = null, attempts = 0, last_run_at = ${now},
      next_run_at = ${nextRunAt}
    where id = ${id}`)
}

/** The source could not be read. */
export async function setFailed(
  tx: Database,
  id: number,
  failed: { error: Text; now: Date; nextRunAt: Date | null; isPaused: boolean }
): Promise<void> {
  await tx.run(sql`
    update calendar.subscriptions
    set failures = failures + 1, failing_since = coalesce(failing_since, ${failed.now}), attempts = 0,
      error = ${JSON.stringify(failed.error)}, last_run_at = ${failed.now}, next_run_at = ${failed.nextRunAt},
      is_paused = is_paused or ${failed.isPaused},
      problem = case when ${failed.isPaused} then 'failing' else problem end
    where id = ${id}`)
}

/** The source was read, but must not be applied before an editor says so. */
export async function setStopped(
  tx: Database,
  id: number,
  { problem, error, now, source }: { problem: SubscriptionProblem; error: Text; now: Date; source: ReadFeed['source'] }
): Promise<void> {
  await tx.run(sql`
    update calendar.subscriptions
    set problem = ${problem}, error = ${JSON.stringify(error)}, source = ${source}, failures = 0, failing_since = null, attempts = 0,
      last_run_at = ${now}, next_run_at = null
    where id = ${id}`)
}
