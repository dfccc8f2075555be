// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { respondWith, startWebhookReceiver } from '#test/support/webhook-receiver.ts'
import { hourMs, minuteMs, startWebhooks } from '#test/support/webhook-sender.ts'
import { sql } from '../database/sql.ts'
import { deleteOldDeliveries } from './sender.ts'

const { createSender, admin, aWebhook, deliveriesOf, remove, createActivity, store } = await startWebhooks()

test('a message contains event, subject and time, and is signed according to Standard Webhooks', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  const id = await createActivity()
  const sender = createSender({ now: () => new Date() })
  await sender.deliver()

  const [message, ...others] = receiver.received
  assert.ok(message !== undefined && others.length === 0)
  const { type, timestamp, data } = JSON.parse(message.body)
  assert.deepEqual({ type, data }, { type: 'key.created', data: { id, subject: 'key' } })
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000)
  assert.equal(message.headers['content-type'], 'application/json')
  assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.deepEqual(new Verifier(webhook.secret).verify(message.body, message.headers as Record<string, string>), {
    type,
    timestamp,
    data
  })
  assert.throws(() =>
    new Verifier(webhook.secret).verify(`${message.body} `, message.headers as Record<string, string>)
  )

  const [delivery] = await deliveriesOf(webhook)
  assert.equal(delivery.id, message.id)
  assert.deepEqual(
    [delivery.status, delivery.attemptCount, delivery.lastAttempt.status, delivery.nextAttemptAt],
    ['delivered', 1, 204, null]
  )
  await remove(webhook)
})

test('for a day after a new secret messages are signed with both secrets, then with the new one only', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  const renewed = await admin.post(`/webhooks/${webhook.id}/secret`)
  assert.equal(renewed.status, 200)
  const sender = createSender()
  await createActivity()
  await sender.deliver()
  sender.skip(23 * hourMs)
  await createActivity()
  await sender.deliver()
  sender.skip(hourMs)
  await createActivity()
  await sender.deliver()

  const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
  assert.deepEqual(signatures, [2, 2, 1])
  for (const [index, { id, headers, body }] of receiver.received.entries()) {
    const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000)
    for (const secret of [renewed.body.secret, ...(index < 2 ? [webhook.secret] : [])]) {
      const signature = new Verifier(secret).sign(id, timestamp, body)
      assert.ok(String(headers['webhook-signature']).split(' ').includes(signature))
    }
  }
  await remove(webhook)
})

test('a private address is refused at the time of the connection', async () => {
  const receiver = await startWebhookReceiver()
  const webhooks = [
    await aWebhook(receiver),
    await aWebhook({ url: receiver.url.replace('127.0.0.1', 'localhost') }),
    await aWebhook({ url: 'http://[::ffff:127.0.0.1]/' })
  ]
  await createActivity()
  await createSender({ allowPrivate: false }).deliver()
  assert.equal(receiver.received.length, 0)
  for (const webhook of webhooks) {
    const [{ lastAttempt, status }] = await deliveriesOf(webhook)
    assert.deepEqual([status, lastAttempt.error, lastAttempt.status], ['waiting', 'private-address', null])
    await remove(webhook)
  }
})

test('concurrent senders send every message once', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  for (let count = 0; count < 40; count += 1) await createActivity()
  await Promise.all([createSender().deliver(), createSender().deliver(), createSender().deliver()])
  await createSender().deliver()
  assert.equal(receiver.received.length, 40)
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 40)
  await remove(webhook)
})

test('refused requests and other events are not sent', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver, ['key.revoked', 'user.created'])
  await createActivity()
  assert.equal((await admin.post('/keys', { name: '', role: 'viewer' })).status, 400)
  assert.equal((await admin.delete('/keys/999999')).status, 404)
  const other = await aWebhook(receiver, ['*'])
  await admin.delete(`/keys/${await createActivity()}`)
  const sender = createSender()
  await sender.deliver()
  const sentTypes = receiver.received.map(({ body }) => JSON.parse(body).type).sort()
  assert.deepEqual(sentTypes, ['key.created', 'key.revoked', 'key.revoked'])
  for (const one of [webhook, other]) await remove(one)
})

test('test messages and redeliveries are sent at once, also to a failing receiver', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  const sender = createSender()
  receiver.setBehaviour(respondWith(500))
  for (let count = 0; count < 6; count += 1) await createActivity()
  await sender.deliver()
  assert.equal(await sender.deliver(), 0)

  receiver.setBehaviour(respondWith(200))
  const tested = await admin.post(`/webhooks/${webhook.id}/test`)
  assert.deepEqual(
    [tested.status, tested.body.action, tested.body.status, tested.body.lastAttempt],
    [202, 'webhook.test', 'waiting', null]
  )
  await sender.deliverDue()
  await sender.drain()
  const message = JSON.parse(receiver.received.at(-1)?.body ?? '')
  assert.deepEqual([message.type, message.data], ['webhook.test', { id: webhook.id, subject: 'webhook' }])

  await sender.pass(minuteMs)
  const [done] = await deliveriesOf(webhook, '&status=delivered')
  const before = receiver.received.length
  const again = await admin.post(`/webhooks/${webhook.id}/deliveries/${done.id}/redeliver`)
  assert.deepEqual([again.status, again.body.status, again.body.id], [202, 'waiting', done.id])
  await sender.deliver()
  const sent = receiver.received.slice(before)
  assert.deepEqual(
    sent.map(({ id }) => id),
    [done.id]
  )
  await remove(webhook)
})

test('deliveries are deleted after 30 days, with their attempts', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  await createActivity()
  await createSender().deliver()
  await deleteOldDeliveries(store, new Date(Date.now() + 29 * 24 * hourMs))
  assert.equal((await deliveriesOf(webhook)).length, 1)
  await deleteOldDeliveries(store, new Date(Date.now() + 30 * 24 * hourMs))
  assert.equal((await deliveriesOf(webhook)).length, 0)
  const { left } = await store.one<{ left: number }>(sql`
    select count(*) as left from platform.webhook_attempts where webhook_id = ${webhook.id}`)
  assert.equal(left, 0)
  await remove(webhook)
})
