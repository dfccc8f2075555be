// test: server
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'
import { record } from './activity/activity.ts'
import { recordBackupFailure } from './backup/status.ts'
import { newSystemCaller } from './caller.ts'
import type { Database } from './database/database.ts'
import { DatabaseUnavailable } from './database/errors.ts'
import { sql } from './database/sql.ts'
import { registerDatabaseMetrics } from './database-metrics.ts'
import { newMetrics } from './metrics.ts'

const { store, visitor } = await startCampaigns()

async function figure(name: string): Promise<number> {
  const { text } = await visitor.get('/metrics')
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
}

test('jobs that wait are counted, and how long the oldest has waited, and those that nobody tries any more', async () => {
  assert.equal(await figure('kalends_jobs_due'), 0)
  assert.equal(await figure('kalends_jobs_overdue_seconds'), 0)
  await store.run(sql`
    select graphile_worker.add_job(
      'nothing-of-ours', job_key => key, run_at => now() - interval '1 hour', max_attempts => 5
    )
    from unnest(array['late', 'failed']) as key`)
  await store.run(sql`
    update graphile_worker._private_jobs set attempts = max_attempts where key = 'failed'`)
  assert.equal(await figure('kalends_jobs_due'), 1)
  assert.ok((await figure('kalends_jobs_overdue_seconds')) >= 3600)
  assert.equal(await figure('kalends_jobs_failed'), 1)
})

test('the age of the last backup is infinite without one, and a failure of the schedule counts until the next backup', async () => {
  assert.equal((await visitor.get('/metrics')).text.match(/^kalends_backup_age_seconds (.+)$/m)?.[1], '+Inf')
  assert.equal(await figure('kalends_backup_failed'), 0)
  const by = newSystemCaller('the test')
  await recordBackupFailure(store, by, 'the disk is full')
  assert.equal(await figure('kalends_backup_failed'), 1)
  await store.transaction(
    async tx =>
      await record(tx, { by, now: new Date(Date.now() - 7_200_000) }, 'backup.taken', { subject: 'backup', id: 'x' })
  )
  assert.equal(await figure('kalends_backup_failed'), 0)
  const age = await figure('kalends_backup_age_seconds')
  assert.ok(age >= 7200 && age < 10_000, String(age))
})

test('webhooks that fail or are switched off are counted, and what is still to be delivered', async () => {
  await store.run(sql`
    insert into platform.webhooks
      (url, actions, description, secret, is_on, failing_since, switched_off_at, created_at, updated_at)
    values
      ('https://a.example', '{*}', '', 'secret', true, null, null, now(), now()),
      ('https://b.example', '{*}', '', 'secret', true, now(), null, now(), now()),
      ('https://c.example', '{*}', '', 'secret', false, now(), now(), now(), now())`)
  await store.run(sql`
    insert into platform.webhook_deliveries (webhook_id, id, at, action, subject, subject_id, details, status)
    select 1, gen_random_uuid(), now(), 'campaign.created', 'campaign', '1', '{}', status
    from unnest(array['waiting', 'waiting', 'delivered', 'given_up']) as status`)
  assert.equal(await figure('kalends_webhooks_failing'), 1)
  assert.equal(await figure('kalends_webhooks_switched_off'), 1)
  assert.equal(await figure('kalends_webhook_deliveries_waiting'), 2)
  assert.ok((await figure('kalends_database_bytes')) > 1_000_000)
})

test('while the database is away, the figures of the process can still be read', async () => {
  const metrics = newMetrics()
  const away = async () => await Promise.reject(new DatabaseUnavailable('away'))
  registerDatabaseMetrics(metrics, { one: away } as unknown as Database)
  const text = await metrics.render()
  assert.match(text, /^process_cpu_seconds_total \d/m)
  assert.match(text, /^kalends_jobs_due nan$/im)
})

test('a question that the database does not understand is not hidden as one that it cannot answer', async () => {
  const metrics = newMetrics()
  const mistaken = async () => await Promise.reject(new Error('there is no such column'))
  registerDatabaseMetrics(metrics, { one: mistaken } as unknown as Database)
  await assert.rejects(metrics.render(), /no such column/)
})
