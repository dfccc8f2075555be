import { countSignInFailures } from './auth/brute-force-protection/failures.ts'
import { findBackupStatus } from './backup/status.ts'
import type { Database } from './database/database.ts'
import { DatabaseUnavailable } from './database/errors.ts'
import { sql } from './database/sql.ts'
import { countWaiting } from './email/queries.ts'
import { findLagSeconds } from './event-stream/queries.ts'
import { findQueueCounts } from './jobs/jobs.ts'
import type { Metrics } from './metrics.ts'

const gauges = {
  kalends_backup_age_seconds: 'Seconds since the last backup; +Inf if there is none.',
  kalends_backup_failed: '1 if the last scheduled backup failed, otherwise 0.',
  kalends_database_bytes: 'Size of the database on disk, in bytes.',
  kalends_jobs_due: 'Jobs that are due.',
  kalends_jobs_overdue_seconds: 'Seconds since the oldest due job became due.',
  kalends_jobs_failed: 'Jobs that failed permanently.',
  kalends_emails_queued: 'Emails in the outbox.',
  kalends_webhook_deliveries_waiting: 'Pending webhook deliveries.',
  kalends_webhook_oldest_waiting_seconds: 'Seconds since the event of the oldest pending webhook delivery.',
  kalends_webhooks_failing: 'Webhooks currently failing.',
  kalends_webhooks_switched_off: 'Webhooks disabled automatically after repeated failures.',
  kalends_stream_lag_seconds:
    'Seconds since the oldest event that /stream cannot send yet, because an earlier transaction has not ended.'
}

type GaugeValues = Record<keyof typeof gauges, number>

/** Gauges of the queues in the database, for monitoring. Every process reports the same values: take the maximum. */
export function registerDatabaseMetrics(metrics: Metrics, db: Database): void {
  metrics.addGauge('kalends_sign_ins_failed', 'Failed sign-in attempts since the start.', countSignInFailures)
  metrics.addGaugeGroup(gauges, async () => {
    try {
      return await readGauges(db)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      // /readyz reports that the database is unavailable; the metrics of the process can still be read.
      return Object.fromEntries(Object.keys(gauges).map(name => [name, Number.NaN])) as GaugeValues
    }
  })
}

async function readGauges(db: Database): Promise<GaugeValues> {
  const [queue, webhooks, emailsQueued, streamLagSeconds, backup] = await Promise.all([
    findQueueCounts(db),
    findWebhookCounts(db),
    countWaiting(db),
    findLagSeconds(db),
    findBackupStatus(db)
  ])
  return {
    kalends_backup_age_seconds:
      backup.lastAt === undefined ? Number.POSITIVE_INFINITY : (Date.now() - Date.parse(backup.lastAt)) / 1000,
    kalends_backup_failed: backup.failure === undefined ? 0 : 1,
    kalends_database_bytes: webhooks.bytes,
    kalends_jobs_due: queue.due,
    kalends_jobs_overdue_seconds: queue.overdueSeconds,
    kalends_jobs_failed: queue.failed,
    kalends_emails_queued: emailsQueued,
    kalends_webhook_deliveries_waiting: webhooks.waiting,
    kalends_webhook_oldest_waiting_seconds: webhooks.oldestSeconds,
    kalends_webhooks_failing: webhooks.failing,
    kalends_webhooks_switched_off: webhooks.switchedOff,
    kalends_stream_lag_seconds: streamLagSeconds
  }
}

async function findWebhookCounts(
  db: Database
): Promise<{ bytes: number; waiting: number; oldestSeconds: number; failing: number; switchedOff: number }> {
  return await db.one(sql`
    select
      pg_database_size(current_database())::float8 as bytes,
      max(backlog.waiting) as waiting,
      max(backlog.oldest_seconds) as "oldestSeconds",
      count(*) filter (where webhook.is_on and webhook.failing_since is not null)::int as failing,
      count(*) filter (where webhook.switched_off_at is not null)::int as "switchedOff"
    from (
      select
        count(*)::int as waiting,
        coalesce(greatest(0, extract(epoch from now() - min(delivery.at) filter (where sends.is_on))), 0)::float8 as oldest_seconds
      from platform.webhook_deliveries as delivery
      left join platform.webhooks as sends on sends.id = delivery.webhook_id
      where delivery.status = 'waiting'
    ) as backlog
    left join platform.webhooks as webhook on true`)
}
