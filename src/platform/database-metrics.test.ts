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

async function readMetric(name: string): Promise<number> {
  const { text } = await visitor.get('/metrics')
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
}

test('metrics show the number of due jobs, the waiting time of the oldest one, and the number of failed jobs', async () => {
  assert.equal(await readMetric('kalends_jobs_due'), 0)
  assert.equal(await readMetric('kalends_jobs_overdue_seconds'), 0)
  await store.run(sql`
    select graphile_worker.add_job(
      'nothing-of-ours', job_key => key, run_at => now() - interval '1 hour', max_attempts => 5
    )
    from unnest(array['late', 'failed']) as key`)
  await store.run(sql`
    update graphile_worker._private_jobs set attempts = max_attempts where key = 'failed'`)
  assert.equal(await readMetric('kalends_jobs_due'), 1)
  assert.ok((await readMetric('kalends_jobs_overdue_seconds')) >= 3600)
  assert.equal(await readMetric('kalends_jobs_failed'), 1)
})

test('the age of the last backup is infinite without one, and a failed scheduled backup is reported until the next backup', async () => {
  assert.equal((await visitor.get('/metrics')).text.match(/^kalends_backup_age_seconds (.+)$/m)?.[1], '+Inf')
  assert.equal(await readMetric('kalends_backup_failed'), 0)
  const by = newSystemCaller('the test')
  await recordBackupFailure(store, by, 'the disk is full')
  assert.equal(await readMetric('kalends_backup_failed'), 1)
  await store.transaction(
    async tx =>
      await record(tx, { by, now: new Date(Date.now() - 7_200_000) }, 'backup.taken', { subject: 'backup', id: 'x' })
  )
  assert.equal(await readMetric('kalends_backup_failed'), 0)
  const age = await readMetric('kalends_backup_age_seconds')
  assert.ok(age >= 7200 && age < 10_000, String(age))
})

test('metrics show the numbers of failing webhooks, disabled webhooks and waiting deliveries', async () => {
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
  assert.equal(await readMetric('kalends_webhooks_failing'), 1)
  assert.equal(await readMetric('kalends_webhooks_switched_off'), 1)
  assert.equal(await readMetric('kalends_webhook_deliveries_waiting'), 2)
  assert.ok((await readMetric('kalends_database_bytes')) > 1_000_000)
})

test('while the database is unavailable, the metrics of the process can still be read', async () => {
  const metrics = newMetrics()
  const failAsUnavailable = async () => await Promise.reject(new DatabaseUnavailable('away'))
  registerDatabaseMetrics(metrics, { one: failAsUnavailable } as unknown as Database)
  const text = await metrics.render()
  assert.match(text, /^process_cpu_seconds_total \d/m)
  assert.match(text, /^kalends_jobs_due nan$/im)
})

test('a wrong query is thrown, not hidden as an unavailable database', async () => {
  const metrics = newMetrics()
  const fail = async () => await Promise.reject(new Error('there is no such column'))
  registerDatabaseMetrics(metrics, { one: fail } as unknown as Database)
  await assert.rejects(metrics.render(), /no such column/)
})
