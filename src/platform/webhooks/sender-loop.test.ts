// test: both stores
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase, silent } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { startCampaigns } from '#test/support/services.ts'
import { respondWith, startWebhookReceiver } from '#test/support/webhook-receiver.ts'
import { platformActivityTypes } from '../activity/resource-types.ts'
import { connectStore } from '../database/postgres.ts'
import type { Log } from '../log.ts'
import { startWebhookSender } from './sender.ts'

const database = await createDatabase()
const { admin, settings } = await startCampaigns({ database })
const proxy = await startProxy(database.url)
const store = connectStore({ connectionString: proxy.url }, { noTimeouts: false, log: silent })
after(async () => {
  await store.close()
  await proxy.close()
})

const warnings: string[] = []
const log = { ...silent, warn: (...words: unknown[]) => warnings.push(String(words.at(-1))) } as unknown as Log
const options = {
  ...{
    db: store,
    keys: settings,
    activityTypes: platformActivityTypes,
    origin: 'http://localhost',
    allowPrivate: true,
    log
  }
}
const createActivity = async () => (await admin.post('/keys', { name: 'something', role: 'viewer' })).status

test('the sender continues after a database outage, logs it once, and sends the later events', {
  skip: skipUnlessFull
}, async () => {
  const receiver = await startWebhookReceiver()
  const { id } = (await admin.post('/webhooks', { url: receiver.url, actions: ['key.created'] })).body
  const sender = startWebhookSender(options)
  await createActivity()
  await waitUntil(() => receiver.received.length === 1)
  await proxy.refuse()
  await waitUntil(() => warnings.length > 0)
  await createActivity()
  await proxy.pass()
  await waitUntil(() => receiver.received.length === 2)
  assert.equal(warnings.filter(words => /webhook sender error/.test(words)).length, 1)
  await sender.stop()
  await admin.delete(`/webhooks/${id}`)
})

test('messages without a response when a sender stops are sent by the next one', async () => {
  const receiver = await startWebhookReceiver()
  const { id } = (await admin.post('/webhooks', { url: receiver.url, actions: ['key.created'] })).body
  receiver.setBehaviour(() => undefined)
  const sender = startWebhookSender(options)
  await createActivity()
  await waitUntil(() => receiver.received.length === 1)
  await sender.stop()
  const [waiting] = (await admin.get(`/webhooks/${id}/deliveries`)).body
  assert.deepEqual([waiting.status, waiting.attemptCount], ['waiting', 0])

  receiver.setBehaviour(respondWith(200))
  const later = startWebhookSender({ ...options, now: () => new Date(Date.now() + 31_000) })
  await waitUntil(async () => (await admin.get(`/webhooks/${id}/deliveries`)).body[0].status === 'delivered')
  await later.stop()
  assert.deepEqual(
    receiver.received.map(one => one.id),
    [waiting.id, waiting.id]
  )
})
