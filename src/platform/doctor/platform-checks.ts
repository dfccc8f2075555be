import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import * as emails from '../email/queries.ts'
import type { Check } from './check.ts'

const startWorkerRemedy = 'Start the worker: serve without WORKER=false, or serve worker.'

export const platformChecks: Check[] = [
  {
    name: 'webhooks are enabled and succeed',
    isWarning: true,
    remedy: 'Check the deliveries in the console under Webhooks; enable disabled webhooks there.',
    run: async db =>
      (await listFailingWebhooks(db)).map(({ id, isOff, since }) =>
        isOff ? `webhook ${id}: disabled since ${since}` : `webhook ${id}: failing since ${since}`
      )
  },
  {
    name: 'webhook deliveries are on time',
    isWarning: true,
    remedy: startWorkerRemedy,
    run: async db => {
      const late = await countLateDeliveries(db)
      return late === 0 ? [] : [`${late} deliveries are overdue by more than ten minutes`]
    }
  },
  {
    name: 'emails are sent',
    isWarning: true,
    remedy: 'Check SMTP_URL, and that a worker with this setting runs; see docs/mail.md.',
    run: async db => {
      const { late, givenUp } = await emails.findFailures(db)
      return [
        ...(late === 0 ? [] : [`${late} emails are overdue by more than ten minutes`]),
        ...givenUp.map(
          ({ kind, error, count }) => `${count} emails of type ${kind} failed permanently within a week: ${error}`
        )
      ]
    }
  }
]

async function listFailingWebhooks(db: Database): Promise<{ id: number; isOff: boolean; since: string }[]> {
  return await db.all(sql`
    select id, switched_off_at is not null as "isOff", coalesce(switched_off_at, failing_since) as since
    from platform.webhooks
    where (switched_off_at is not null and not is_on) or (failing_since is not null and is_on)
    order by id
    limit 100`)
}

/** Counts due deliveries only, not those that wait for their next attempt. */
async function countLateDeliveries(db: Database): Promise<number> {
  const { late } = await db.one<{ late: number }>(sql`
    select count(*) as late
    from platform.webhook_deliveries as delivery
    join platform.webhooks as webhook on webhook.id = delivery.webhook_id and webhook.is_on
    where delivery.status = 'waiting'
      and greatest(delivery.next_attempt_at, webhook.not_before, delivery.claimed_until, delivery.at)
        < now() - interval '10 minutes'`)
  return late
}
