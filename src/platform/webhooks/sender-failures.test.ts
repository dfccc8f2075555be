// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { platformChecks } from '#platform/doctor/platform-checks.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { respondWith, startWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts'
import { hourMs, minuteMs, startWebhooks } from '#test/support/webhook-sender.ts'

const { createSender, admin, store, aWebhook, deliveriesOf, remove, createActivity } = await startWebhooks()

const failures: [
  what: string,
  fail: (receiver: WebhookReceiver) => unknown,
  status: number | null,
  error: string | null
][] = [
  ['responds with 500', receiver => receiver.setBehaviour(respondWith(500)), 500, null],
  ['hangs', receiver => receiver.setBehaviour(() => undefined), null, 'timeout'],
  [
    'redirects to a private address',
    receiver => receiver.setBehaviour(respondWith(302, { location: 'http://169.254.169.254/latest/meta-data' })),
    302,
    'redirect'
  ],
  ['is down', receiver => receiver.stop(), null, 'unreachable']
]

for (const [index, [what, fail, status, error]] of failures.entries()) {
  test(`a receiver that ${what} for an hour gets every message afterwards, and others are not delayed`, {
    skip: index % 3 > 0 && skipUnlessFull
  }, async () => {
    const [failing, fine] = [await startWebhookReceiver(), await startWebhookReceiver()]
    const webhooks = [await aWebhook(failing), await aWebhook(fine)] as const
    const sender = createSender(what === 'hangs' ? { timeoutMs: 400 } : {})
    await fail(failing)
    const activityIds: number[] = []
    for (let count = 0; count < 6; count += 1) {
      activityIds.push(await createActivity())
      await sender.pass(10 * minuteMs, 5 * minuteMs)
      assert.equal(fine.received.length, count + 1)
    }
    const first = (await deliveriesOf(webhooks[0])).at(-1)
    const { attempts } = (await admin.get(`/webhooks/${webhooks[0].id}/deliveries/${first.id}`)).body
    assert.ok(attempts.length > 1)
    for (const attempt of attempts) assert.deepEqual([attempt.status, attempt.error], [status, error])
    assert.ok((await admin.get(`/webhooks/${webhooks[0].id}`)).body.failingSince)

    const before = failing.received.length
    failing.setBehaviour(respondWith(200))
    if (what === 'is down') await failing.start()
    // A sender with the default timeout: on a busy machine the short one might expire.
    const defaultSender = createSender()
    defaultSender.skip(sender.now().getTime() - defaultSender.now().getTime())
    await defaultSender.pass(6 * hourMs, 10 * minuteMs)
    const delivered = new Map(failing.received.slice(before).map(({ id, body }) => [id, JSON.parse(body).data.id]))
    assert.deepEqual([...delivered.values()].sort(byNumber), activityIds)
    for (const { id, body } of failing.received) {
      const bodies = failing.received.filter(one => one.id === id).map(one => one.body)
      assert.deepEqual([...new Set(bodies)], [body])
    }
    assert.equal(failing.received.slice(before).length, activityIds.length)
    assert.equal((await deliveriesOf(webhooks[0], '&status=delivered')).length, activityIds.length)
    assert.equal((await admin.get(`/webhooks/${webhooks[0].id}`)).body.failingSince, null)
    for (const webhook of webhooks) await remove(webhook)
  })
}

const byNumber = (one: number, other: number) => one - other

test('a receiver that hangs does not delay other receivers', async () => {
  const [hanging, fine] = [await startWebhookReceiver(), await startWebhookReceiver()]
  const webhooks = [await aWebhook(hanging), await aWebhook(fine)]
  hanging.setBehaviour(() => undefined)
  const sender = createSender({ timeoutMs: 60_000 })
  for (let count = 0; count < 12; count += 1) await createActivity()
  await waitUntil(async () => {
    await sender.deliverDue()
    return fine.received.length === 12
  })
  assert.ok(hanging.received.length <= 4)
  await hanging.stop()
  await sender.drain()
  for (const webhook of webhooks) await remove(webhook)
})

test('only the failed message waits: a receiver with occasional failures gets all others at once', {
  skip: skipUnlessFull
}, async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  for (let count = 0; count < 42; count += 1) await createActivity()
  let requests = 0
  receiver.setBehaviour(response => {
    requests += 1
    response.writeHead(requests <= 42 && requests % 14 === 1 ? 500 : 204).end()
  })
  const sender = createSender()
  assert.equal(await sender.deliver(), 42)
  assert.equal((await deliveriesOf(webhook, '&status=delivered')).length, 39)
  await sender.pass(10_000)
  assert.equal((await deliveriesOf(webhook, '&status=delivered')).length, 42)
  await remove(webhook)
})

test('after an outage, one failed response does not pause the receiver again', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  for (let count = 0; count < 12; count += 1) await createActivity()
  await receiver.stop()
  const sender = createSender()
  await sender.pass(hourMs, minuteMs)
  assert.equal(receiver.received.length, 0)
  await receiver.start()
  let requests = 0
  receiver.setBehaviour(response => {
    requests += 1
    response.writeHead(requests === 1 ? 500 : 204).end()
  })
  while (requests === 0) await sender.pass(minuteMs, minuteMs)
  // Most have waited for the pause only; those that were attempted wait for their own retry.
  assert.ok((await deliveriesOf(webhook, '&status=delivered')).length >= 4)
  assert.equal(await sender.deliver(), 0)
  await sender.pass(3 * hourMs, 10 * minuteMs)
  assert.equal((await deliveriesOf(webhook, '&status=delivered')).length, 12)
  await remove(webhook)
})

test('after Retry-After a receiver gets no message until then, although one already sent succeeds', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  for (let count = 0; count < 8; count += 1) await createActivity()
  let requests = 0
  receiver.setBehaviour(response => {
    requests += 1
    if (requests === 1) response.writeHead(429, { 'retry-after': '600' }).end()
    else setTimeout(() => response.writeHead(204).end(), 200)
  })
  const sender = createSender()
  await sender.deliver()
  await sender.pass(9 * minuteMs, minuteMs)
  assert.equal(requests, 4)
  await sender.pass(2 * minuteMs, minuteMs)
  assert.equal((await deliveriesOf(webhook, '&status=delivered')).length, 8)
  await remove(webhook)
})

test('doctor and metrics show the age of a late message since its event', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  const onTime = platformChecks.find(({ name }) => name === 'webhook deliveries are on time')
  const readAge = async () =>
    Number(/^kalends_webhook_oldest_waiting_seconds (.+)$/m.exec((await admin.get('/metrics')).text)?.[1])
  assert.deepEqual(await onTime?.run(store), [])
  assert.equal(await readAge(), 0)
  await createActivity()
  await store.run(sql`
    update platform.webhook_deliveries
    set at = now() - interval '17 minutes 30 seconds', attempt_count = 3, next_attempt_at = now() + interval '2 minutes'
    where webhook_id = ${webhook.id}`)
  await store.run(sql`update platform.webhooks set not_before = now() + interval '9 minutes' where id = ${webhook.id}`)
  assert.deepEqual(await onTime?.run(store), [
    `webhook ${webhook.id}: 1 deliveries wait for more than ten minutes, the oldest for 17 minutes`
  ])
  assert.ok((await readAge()) >= 1050)
  await remove(webhook)
})

test('while most responses are failures, single messages are sent as probes, at growing intervals', {
  skip: skipUnlessFull
}, async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  for (let count = 0; count < 30; count += 1) await createActivity()
  receiver.setBehaviour(respondWith(500))
  const sender = createSender()
  await sender.deliver()
  // Four at a time, until ten responses are known.
  assert.equal(receiver.received.length, 12)
  await sender.pass(hourMs, minuteMs)
  // Every minute at first, because the clock of this test advances by minutes, and finally every 10 to 13 minutes.
  const probes = receiver.received.length - 12
  assert.ok(probes >= 8 && probes <= 13, String(probes))
  receiver.setBehaviour(respondWith(200))
  await sender.pass(12 * minuteMs, minuteMs)
  assert.ok((await deliveriesOf(webhook, '&status=delivered')).length >= 30 - 12 - probes)
  await remove(webhook)
})

test('after three days of failures a webhook is disabled with an event, and gets its waiting messages when enabled again', async () => {
  const [receiver, watcher] = [await startWebhookReceiver(), await startWebhookReceiver()]
  const [webhook, watching] = [await aWebhook(receiver), await aWebhook(watcher, ['webhook.switched_off'])]
  receiver.setBehaviour(respondWith(500))
  const sender = createSender()
  const first = await createActivity()
  await sender.pass(71 * hourMs, 5 * minuteMs)
  const later = await createActivity()
  assert.equal((await admin.get(`/webhooks/${webhook.id}`)).body.isOn, true)
  await sender.pass(2 * hourMs, 5 * minuteMs)
  const off = (await admin.get(`/webhooks/${webhook.id}`)).body
  assert.equal(off.isOn, false)
  assert.ok(Date.parse(off.switchedOffAt) - Date.parse(off.failingSince) >= 72 * hourMs)
  const events = watcher.received.map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [['webhook.switched_off', { id: webhook.id, subject: 'webhook' }]]
  )
  const { body: activity } = await admin.get(`/activity?subject=webhook&subjectId=${webhook.id}&limit=1`)
  assert.deepEqual([activity[0].action, activity[0].actor], ['webhook.switched_off', 'webhooks'])

  const whileOff = await createActivity()
  await sender.pass(24 * hourMs, hourMs)
  assert.equal((await admin.post(`/webhooks/${webhook.id}/test`)).status, 409)
  receiver.setBehaviour(respondWith(200))
  const before = receiver.received.length
  const on = await admin.patch(`/webhooks/${webhook.id}`, { isOn: true })
  assert.deepEqual([on.body.isOn, on.body.failingSince, on.body.switchedOffAt], [true, null, null])
  await sender.deliver()
  const delivered = receiver.received.slice(before).map(({ body }) => JSON.parse(body).data.id)
  assert.ok(delivered.includes(later) && !delivered.includes(whileOff))
  assert.ok(delivered.includes(first) || (await deliveriesOf(webhook, '&status=given_up')).length === 1)
  for (const one of [webhook, watching]) await remove(one)
})

test('a message that is always refused is given up after three days, and does not delay others', {
  skip: skipUnlessFull
}, async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  const refusedId = await createActivity()
  receiver.setBehaviour((response, { body }) => {
    response.writeHead(JSON.parse(body).data.id === refusedId ? 400 : 200).end(`seen ${'x'.repeat(5000)}\u0000`)
  })
  const sender = createSender()
  for (let day = 0; day < 4; day += 1) {
    await createActivity()
    await sender.pass(24 * hourMs, 10 * minuteMs)
  }
  const [givenUp, ...others] = await deliveriesOf(webhook, '&status=given_up')
  assert.deepEqual([givenUp.subjectId, givenUp.attemptCount, others], [String(refusedId), 12, []])
  assert.equal(givenUp.lastAttempt.response.length, 2048)
  assert.equal((await deliveriesOf(webhook, '&status=delivered')).length, 4)
  const { isOn, failingSince } = (await admin.get(`/webhooks/${webhook.id}`)).body
  assert.equal(isOn, true, failingSince)
  await remove(webhook)
})

test('a webhook whose receiver responds with 410 is disabled at once', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  receiver.setBehaviour(respondWith(410))
  await createActivity()
  await createSender().deliver()
  const { isOn, switchedOffAt } = (await admin.get(`/webhooks/${webhook.id}`)).body
  assert.equal(isOn, false)
  assert.ok(switchedOffAt)
  assert.equal((await deliveriesOf(webhook))[0].status, 'given_up')
  await remove(webhook)
})

test('Retry-After is respected up to an hour, and ignored if invalid', async () => {
  const receiver = await startWebhookReceiver()
  const cases: [retryAfter: string, least: number, most: number][] = [
    ['600', 600_000, 600_000],
    ['999999', hourMs, hourMs],
    ['nonsense', 5000, 6000],
    ['0', 5000, 6000]
  ]
  for (const [retryAfter, least, most] of cases) {
    const webhook = await aWebhook(receiver)
    receiver.setBehaviour(respondWith(429, { 'retry-after': retryAfter }))
    await createActivity()
    const sender = createSender()
    await sender.deliver()
    const [{ nextAttemptAt }] = await deliveriesOf(webhook)
    const delay = Date.parse(nextAttemptAt) - sender.now().getTime()
    assert.ok(delay >= least && delay <= most, `${retryAfter}: ${delay}`)
    await remove(webhook)
  }
})

test('a message of a sender that died is sent again by another, with the same id and body', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = await aWebhook(receiver)
  receiver.setBehaviour(() => undefined)
  await createActivity()
  const [dying, other] = [createSender({ timeoutMs: 60_000 }), createSender()]
  await dying.deliverDue()
  await waitUntil(() => receiver.received.length === 1)
  assert.equal(await other.deliver(), 0)
  receiver.setBehaviour(respondWith(200))
  other.skip(31_000)
  assert.equal(await other.deliver(), 1)
  const [first, second] = receiver.received
  assert.deepEqual([second?.id, second?.body], [first?.id, first?.body])
  await receiver.stop()
  await dying.drain()
  const [{ status, attemptCount }] = await deliveriesOf(webhook)
  assert.deepEqual([status, attemptCount], ['delivered', 1])
  await remove(webhook)
})
