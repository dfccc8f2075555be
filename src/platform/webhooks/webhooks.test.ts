import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { startCampaignsAndCalendar } from '#test/support/services.ts'
import { sql } from '../database/sql.ts'

const { admin, store } = await startCampaignsAndCalendar()
const url = 'https://example.org/hooks?token=abc'

async function aWebhook(fields: object = {}) {
  const { status, body, text } = await admin.post('/webhooks', { url, actions: ['key.revoked'], ...fields })
  assert.equal(status, 201, text)
  return body
}
const remove = async (id: number) => assert.equal((await admin.delete(`/webhooks/${id}`)).status, 204)

test('a new webhook is enabled, has a URL, and shows its secret only once', async () => {
  const { status, headers, body } = await admin.post('/webhooks', {
    url,
    actions: ['donation.created', 'event.published']
  })
  assert.equal(status, 201)
  const { id, secret, createdAt, updatedAt, ...rest } = body
  assert.match(headers.location ?? '', new RegExp(`/webhooks/${id}$`))
  assert.deepEqual(rest, {
    url,
    actions: ['donation.created', 'event.published'],
    description: '',
    isOn: true,
    failingSince: null,
    switchedOffAt: null,
    lastDeliveredAt: null
  })
  assert.equal(Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length, 24)
  assert.equal(createdAt, updatedAt)
  for (const path of ['/webhooks', `/webhooks/${id}`, '/activity?subject=webhook']) {
    const { text } = await admin.get(path)
    assert.ok(!text.includes(secret.slice(6)), path)
  }
  const { text } = await admin.get('/activity?subject=webhook')
  assert.ok(!text.includes('token=abc'), 'a URL may contain a token of the receiver')
  const { secret: _, ...shown } = body
  assert.deepEqual((await admin.get(`/webhooks/${id}`)).body, shown)
  assert.deepEqual((await admin.get('/webhooks')).body.at(-1), shown)
  await remove(id)
  assert.equal((await admin.get(`/webhooks/${id}`)).status, 404)
})

test('creating a webhook again with the same Idempotency-Key returns the same webhook with its secret', async () => {
  const key = { 'idempotency-key': 'the-same-webhook' }
  const body = { url, actions: ['*'] }
  const [one, other] = [await admin.post('/webhooks', body, key), await admin.post('/webhooks', body, key)]
  assert.deepEqual(other.body, one.body)
  assert.equal(other.headers['idempotent-replayed'], 'true')
  await remove(one.body.id)
})

test('PATCH changes the given fields of a webhook and is recorded with their names; without changes nothing is recorded', async () => {
  const { id, secret: _, ...before } = await aWebhook({ description: 'For the newsletter' })
  const { body: after } = await admin.patch(`/webhooks/${id}`, {
    actions: ['key.revoked', 'user.created', 'key.revoked']
  })
  assert.deepEqual(
    { ...after, updatedAt: '' },
    { ...before, id, actions: ['key.revoked', 'user.created'], updatedAt: '' }
  )
  const all = await admin.patch(`/webhooks/${id}`, { actions: ['key.revoked', '*'] })
  assert.deepEqual(all.body.actions, ['*'])
  const same = await admin.patch(`/webhooks/${id}`, { actions: ['*'], isOn: true })
  assert.equal(same.body.updatedAt, all.body.updatedAt)
  const { body: activity } = await admin.get(`/activity?subject=webhook&subjectId=${id}`)
  assert.deepEqual(
    activity.map(({ action, details }: { action: string; details: { fields?: string[] } }) => [action, details.fields]),
    [
      ['webhook.updated', ['actions']],
      ['webhook.updated', ['actions']],
      ['webhook.created', undefined]
    ]
  )
  await remove(id)
})

test('changing a webhook with an outdated ETag is refused with 412; deliveries do not outdate it', async () => {
  const { id } = await aWebhook()
  const { headers } = await admin.get(`/webhooks/${id}`)
  await store.run(sql`update platform.webhooks set last_delivered_at = now() where id = ${id}`)
  const delivered = await admin.get(`/webhooks/${id}`)
  assert.notEqual(delivered.headers.etag, headers.etag)
  const ifMatch = { 'if-match': headers.etag ?? '' }
  assert.equal((await admin.patch(`/webhooks/${id}`, { description: 'first' }, ifMatch)).status, 200)
  assert.equal((await admin.patch(`/webhooks/${id}`, { description: 'second' }, ifMatch)).status, 412)
  assert.equal((await admin.delete(`/webhooks/${id}`, ifMatch)).status, 412)
  await remove(id)
})

const refused: [body: object, pointer: string, code: string][] = [
  [{ actions: ['*'] }, '/url', 'required'],
  [{ url }, '/actions', 'required'],
  [{ url, actions: [] }, '/actions', 'empty'],
  [{ url, actions: ['donation.eaten'] }, '/actions/0', 'not-allowed'],
  [{ url, actions: '*' }, '/actions', 'type'],
  [{ url: 'ftp://example.org', actions: ['*'] }, '/url', 'web-address'],
  [{ url: '/hooks', actions: ['*'] }, '/url', 'web-address'],
  [{ url: 'https://me:secret@example.org', actions: ['*'] }, '/url', 'web-address'],
  [{ url: `https://example.org/${'x'.repeat(2000)}`, actions: ['*'] }, '/url', 'too-long'],
  [{ url, actions: ['*'], description: 'x'.repeat(501) }, '/description', 'too-long']
]

test('a webhook with an invalid URL, action or description is refused and not created', async () => {
  const before = (await admin.get('/webhooks')).body.length
  for (const [body, pointer, code] of refused) {
    const response = await admin.post('/webhooks', body)
    const [error, ...others] = response.body.errors
    assert.deepEqual(
      [response.status, error.pointer, error.code, others],
      [400, pointer, code, []],
      JSON.stringify(body)
    )
  }
  assert.equal((await admin.get('/webhooks')).body.length, before)
})

test('for a list with thousands of invalid items the error names three of them, and the other errors', async () => {
  const { status, body, text } = await admin.post('/webhooks', { actions: Array.from({ length: 20_000 }, () => 0) })
  assert.equal(status, 400)
  assert.deepEqual(
    body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
    [
      ['/url', 'required'],
      ['/actions/0', 'not-allowed'],
      ['/actions/1', 'not-allowed'],
      ['/actions/2', 'not-allowed']
    ]
  )
  assert.match(
    body.errors[1].message,
    / must be one of the \d+ values in the API documentation, such as user\.created, /
  )
  assert.ok(text.length < 2000, `${text.length} characters`)
})

test('at most fifty webhooks can be created', { skip: skipUnlessFull }, async () => {
  const service = await startCampaignsAndCalendar()
  for (let count = 0; count < 50; count += 1) {
    const { status } = await service.admin.post('/webhooks', { url, actions: ['key.created'] })
    assert.equal(status, 201)
  }
  const { status, body } = await service.admin.post('/webhooks', { url, actions: ['key.created'] })
  assert.deepEqual([status, body.code], [409, 'too-many-webhooks'])
})

test('the deliveries of a webhook are listed newest first, in pages, and filtered by status', async () => {
  const { id } = await aWebhook()
  for (let count = 0; count < 3; count += 1) {
    const { body: key } = await admin.post('/keys', { name: `key ${count}`, role: 'viewer' })
    await admin.delete(`/keys/${key.id}`)
  }
  const { body: all, headers } = await admin.get(`/webhooks/${id}/deliveries`)
  assert.equal(headers['x-total-count'], '3')
  const ids = all.map((one: { id: string }) => one.id)
  assert.deepEqual(ids, [...ids].sort().reverse())
  const { id: _, subjectId: __, createdAt, nextAttemptAt, ...rest } = all[0]
  assert.deepEqual(rest, {
    action: 'key.revoked',
    subject: 'key',
    status: 'waiting',
    attemptCount: 0,
    deliveredAt: null,
    lastAttempt: null
  })
  assert.equal(nextAttemptAt, createdAt)
  const first = await admin.get(`/webhooks/${id}/deliveries?limit=2`)
  const next = /<[^>]*(\/webhooks[^>]*)>/.exec(first.headers.link ?? '')?.[1] ?? ''
  assert.deepEqual([...first.body, ...(await admin.get(next)).body], all)
  assert.deepEqual((await admin.get(`/webhooks/${id}/deliveries?status=given_up`)).body, [])
  assert.deepEqual((await admin.get(`/webhooks/${id}/deliveries?status=waiting`)).body, all)

  const other = await aWebhook()
  const ofOtherWebhook = `/webhooks/${other.id}/deliveries/${ids[0]}`
  assert.deepEqual((await admin.get(`/webhooks/${id}/deliveries/${ids[0]}`)).body, {
    ...all[0],
    body: null,
    attempts: []
  })
  for (const response of [await admin.get(ofOtherWebhook), await admin.post(`${ofOtherWebhook}/redeliver`)]) {
    assert.deepEqual([response.status, response.body.code], [404, 'delivery-not-found'])
  }
  await remove(other.id)
  await remove(id)
  const { left } = await store.one<{ left: number }>(sql`
    select count(*) as left from platform.webhook_deliveries where webhook_id = ${id}`)
  assert.equal(left, 0)
})

test('a disabled webhook gets no new deliveries, and refuses tests and redeliveries', async () => {
  const { id } = await aWebhook()
  const { body: tested } = await admin.post(`/webhooks/${id}/test`)
  await admin.patch(`/webhooks/${id}`, { isOn: false })
  await admin.delete(`/keys/${(await admin.post('/keys', { name: 'off', role: 'viewer' })).body.id}`)
  assert.equal((await admin.get(`/webhooks/${id}/deliveries`)).body.length, 1)
  for (const path of ['test', `deliveries/${tested.id}/redeliver`]) {
    const { status, body } = await admin.post(`/webhooks/${id}/${path}`)
    assert.deepEqual([status, body.code], [409, 'webhook-is-off'])
  }
  await remove(id)
})
