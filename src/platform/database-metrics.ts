import { countSignInFailures } from './auth/brute-force-protection/failures.ts'
import type { Database } from './database/database.ts'
import { DatabaseUnavailable } from './database/errors.ts'
import { sql } from './database/sql.ts'
import { countWaiting } from './email/queries.ts'
import { findQueueCounts } from './jobs/jobs.ts'
import type { Metrics } from './metrics.ts'

const gauges = {
  kalends_database_bytes: 'What the database takes on disk.',
  kalends_jobs_due: 'Jobs that could run now.',
  kalends_jobs_overdue_seconds: 'How long the oldest of them has waited.',
  kalends_jobs_failed: 'Jobs that failed as often as they are tried.',
  kalends_emails_queued: 'E-mails that wait to be sent.',
  kalends_webhook_deliveries_waiting: 'Deliveries that have not arrived yet.',
  kalends_webhooks_failing: 'Webhooks whose receiver has not answered well since its last failure.',
  kalends_webhooks_switched_off: 'Webhooks that were switched off, because nothing arrived for days.'
}

type GaugeValues = Record<keyof typeof gauges, number>

/** Gauges of the queues in the database, for monitoring. Every process reports the same values: take the maximum. */
export function registerDatabaseMetrics(metrics: Metrics, db: Database): void {
  metrics.addGauge('kalends_sign_ins_failed', 'Attempts to sign in that failed since the start.', countSignInFailures)
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
  const [queue, webhooks, lettersWaiting] = await Promise.all([
    findQueueCounts(db),
    findWebhookCounts(db),
    countWaiting(db)
  ])
  return {
    kalends_database_bytes: webhooks.bytes,
    kalends_jobs_due: queue.due,
    kalends_jobs_overdue_seconds: queue.overdueSeconds,
    kalends_jobs_failed: queue.failed,
    kalends_emails_queued: lettersWaiting,
    kalends_webhook_deliveries_waiting: webhooks.waiting,
    kalends_webhooks_failing: webhooks.failing,
    kalends_webhooks_switched_off: webhooks.switchedOff
  }
}

async function findWebhookCounts(
  db: Database
): Promise<{ bytes: number; waiting: number; failing: number; switchedOff: number }> {
  return await db.one(sql`
    select
      pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from platform.webhook_deliveries where status = 'waiting') as waiting,
      count(*) filter (where is_on and failing_since is not null)::int as failing,
      count(*) filter (where switched_off_at is not null)::int as "switchedOff"
    from platform.webhooks`)
}
