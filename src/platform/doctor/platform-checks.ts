import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import * as emails from '../email/queries.ts'
import type { Check } from './check.ts'

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
    remedy:
      'Check the deliveries in the console under Webhooks. If there are no attempts, start the worker: serve without WORKER=false, or serve worker.',
    run: async db =>
      (await listLateWebhooks(db)).map(
        ({ id, late, minutes }) =>
          `webhook ${id}: ${late} deliveries wait for more than ten minutes, the oldest for ${minutes} minutes`
      )
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

/**
 * Webhooks with late deliveries. The time counts from the event: a retry or a pause of the receiver is no reason for
 * which a message would be on time.
 */
async function listLateWebhooks(db: Database): Promise<{ id: number; late: number; minutes: number }[]> {
  return await db.all(sql`
    select webhook.id, count(*) as late, floor(extract(epoch from now() - min(delivery.at)) / 60)::int as minutes
    from platform.webhook_deliveries as delivery
    join platform.webhooks as webhook on webhook.id = delivery.webhook_id and webhook.is_on
    where delivery.status = 'waiting' and delivery.at < now() - interval '10 minutes'
    group by webhook.id
    order by webhook.id
    limit 100`)
}
