import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { startAdmin } from '#test/support/admin-client.ts'

const { admin, store, signIn } = await startAdmin()
const [anna, bruno] = [await signIn('admin'), await signIn('admin', 'de')]

const form = { url: 'https://hooks.example.org/in', description: 'To the chat', scope: 'all' }
const hostile = '<img src=x onerror=alert(1)>"\'&'

async function aWebhook(fields: object = {}): Promise<{ id: number; secret: string }> {
  const created = await admin.post('/webhooks', { url: 'https://hooks.example.org/in', actions: ['*'], ...fields })
  assert.equal(created.status, 201, created.text)
  return created.body
}

test('a webhook is created with a form, and its signing secret is shown on the page after that only', async () => {
  const created = await anna.send('/admin/webhooks', {
    ...form,
    scope: 'some',
    'actions[]': ['donation.created', 'event.published']
  })
  assert.equal(created.status, 200)
  const secret = /whsec_[\w+/=]+/.exec(created.text)?.[0] ?? ''
  assert.ok(secret.length > 30)
  const all = (await admin.get('/webhooks')).body
  const { id, actions, description } = all.at(-1)
  assert.deepEqual([actions, description], [['donation.created', 'event.published'], 'To the chat'])
  for (const path of ['', `/${id}`, `/${id}/edit`, `/${id}/secret`, `/${id}/delete`]) {
    const { status, text } = await anna.get(`/admin/webhooks${path}`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /whsec_/)
  }
  assert.match((await anna.get('/admin/webhooks')).text, /Donation: created, Event: published/)
})

test('sending the form twice creates one webhook, and shows the same secret', async () => {
  const before = (await admin.get('/webhooks')).body.length
  const sameForm = { ...form, idempotencyKey: 'a-form-that-is-sent-twice' }
  const [first, second] = [await anna.send('/admin/webhooks', sameForm), await anna.send('/admin/webhooks', sameForm)]
  const readSecret = (text: string) => /whsec_[\w+/=]+/.exec(text)?.[0]
  assert.equal(readSecret(first.text), readSecret(second.text))
  assert.equal((await admin.get('/webhooks')).body.length, before + 1)
})

test('each invalid field of a webhook has an error at the field, and the input is kept', async () => {
  const wrong = { url: 'ftp://example.org', description: hostile, scope: 'some', 'actions[]': ['venue.deleted'] }
  const wrongUrl = await anna.send('/admin/webhooks', wrong)
  assert.equal(wrongUrl.status, 422)
  assert.match(wrongUrl.text, /<a href="#field-url">URL must be/)
  assert.match(wrongUrl.text, /value="ftp:\/\/example.org"[^>]*aria-invalid="true"/)
  assert.match(wrongUrl.text, /value="venue\.deleted" checked/)
  assert.doesNotMatch(wrongUrl.text, /<img src=x/)
  const withoutActions = await bruno.send('/admin/webhooks', { ...form, scope: 'some' })
  assert.equal(withoutActions.status, 422)
  assert.match(withoutActions.text, /<a href="#field-actions">Wählen Sie mindestens ein Ereignis aus/)
  const { id } = await aWebhook()
  const changed = await anna.send(`/admin/webhooks/${id}/edit`, { ...form, url: 'nothing' })
  assert.equal(changed.status, 422)
  assert.equal((await admin.get(`/webhooks/${id}`)).body.url, 'https://hooks.example.org/in')
})

test('a webhook is changed, switched off and on, gets a new secret and is deleted', async () => {
  const { id, secret } = await aWebhook()
  const path = `/admin/webhooks/${id}`
  const read = async () => (await admin.get(`/webhooks/${id}`)).body
  const off = await anna.sendAndFollow(`${path}/edit`, { ...form, url: 'https://other.example.org/' })
  assert.match(off.text, /Nothing is sent/)
  assert.deepEqual([(await read()).isOn, (await read()).url], [false, 'https://other.example.org/'])
  await anna.sendAndFollow(`${path}/on`, {})
  assert.equal((await read()).isOn, true)
  const renewed = /whsec_[\w+/=]+/.exec((await anna.send(`${path}/secret`, {})).text)?.[0]
  assert.ok(renewed !== undefined && renewed !== secret)
  const deleted = await anna.sendAndFollow(`${path}/delete`, {})
  assert.match(deleted.text, /Webhook deleted/)
  assert.equal((await anna.get(path)).status, 404)
})

test('the list of deliveries is paged and filtered; a delivery shows its request, and can be sent again', async () => {
  const { id } = await aWebhook({ description: hostile })
  const path = `/admin/webhooks/${id}`
  assert.match((await anna.get(path)).text, /No deliveries yet/)
  await anna.sendAndFollow(`${path}/test`, {})
  for (let count = 0; count < 26; count += 1) await admin.post(`/webhooks/${id}/test`)
  const listLinks = (text: string) => text.match(/\/deliveries\/[0-9a-f-]{36}/g) ?? []
  const first = (await anna.get(path)).text
  const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = (await anna.get(next)).text
  assert.equal(listLinks(first).length, 25)
  assert.equal(new Set([...listLinks(first), ...listLinks(second)]).size, 27)
  assert.doesNotMatch(second, /rel="next"/)
  assert.match(first, /&lt;img src=x/)
  assert.equal(listLinks((await anna.get(`${path}?status=given_up`)).text).length, 0)

  const deliveryPath = `${path}${listLinks(first)[0]}`
  const { status, text } = await bruno.get(deliveryPath)
  assert.equal(status, 200)
  assert.match(text, /webhook-signature/)
  assert.match(text, /Webhook: Test/)
  assert.match((await anna.sendAndFollow(`${deliveryPath}/redeliver`, {})).text, /Redelivery queued/)
  assert.equal((await anna.get(`${path}/deliveries/01a1df7a-0000-7000-8000-000000000000`)).status, 404)
})

test('failing webhooks, and those disabled because of failures, are on the dashboard of admins with a link', async () => {
  const failing = await aWebhook({ description: 'Newsletter' })
  const off = await aWebhook({ description: 'Accounts' })
  const byHand = await aWebhook({ description: 'Paused' })
  await admin.patch(`/webhooks/${byHand.id}`, { isOn: false })
  // The state after three days of failed deliveries.
  await store.run(sql`update platform.webhooks set failing_since = now() where id = ${failing.id}`)
  await store.run(sql`update platform.webhooks set is_on = false, switched_off_at = now() where id = ${off.id}`)
  const { text } = await anna.get('/admin')
  assert.match(text, new RegExp(`The webhook Newsletter has been failing since .*href="/admin/webhooks/${failing.id}"`))
  assert.match(text, new RegExp(`The webhook Accounts was disabled.*href="/admin/webhooks/${off.id}"`))
  assert.doesNotMatch(text, /Paused/)
  assert.match((await bruno.get(`/admin/webhooks/${failing.id}`)).text, /Gestört seit /)
  assert.match((await anna.get(`/admin/webhooks/${off.id}`)).text, /deliveries failed for three days/)
  await anna.sendAndFollow(`/admin/webhooks/${off.id}/on`, {})
  assert.doesNotMatch((await anna.get('/admin')).text, /Accounts/)
  assert.doesNotMatch((await (await signIn('editor')).get('/admin')).text, /Newsletter/)
})

test('only admins can open webhooks and data, and have them in the menu', async () => {
  const editor = await signIn('editor')
  assert.doesNotMatch((await editor.get('/admin')).text, /href="\/admin\/(?:webhooks|data)"/)
  for (const role of ['editor', 'treasurer', 'viewer'] as const) {
    const adminClient = role === 'editor' ? editor : await signIn(role)
    for (const path of ['/admin/webhooks', '/admin/webhooks/new', '/admin/data']) {
      assert.equal((await adminClient.get(path)).status, 403, `${path} as ${role}`)
    }
  }
})
