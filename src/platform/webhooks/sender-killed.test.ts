// test: own process, both stores, full
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDataLocation, sendRequest, startKalends, waitUntil } from '#test/support/kalends-process.ts'
import { campaign, donation } from '#test/support/services.ts'
import { startWebhookReceiver } from '#test/support/webhook-receiver.ts'

const adminKey = 'the-key-of-the-tests-admin'
const headers = { authorization: `Bearer ${adminKey}` }

test('kill -9 during a delivery loses no message: each is sent again, with the same id and body', async () => {
  const dataLocation = await createDataLocation()
  after(dataLocation.remove)
  const env = { ...dataLocation.env, ADMIN_KEY: adminKey, ALLOW_PRIVATE_ADDRESSES: 'true', LOG_LEVEL: 'warn' }
  const receiver = await startWebhookReceiver()
  // The sender is killed before it gets a response.
  receiver.setBehaviour(() => undefined)

  const first = await startKalends(env)
  const post = async (url: string, path: string, body: object) =>
    (await sendRequest(`${url}${path}`, { method: 'POST', headers, body })).body
  const webhook = await post(first.url, '/webhooks', { url: receiver.url, actions: ['donation.created'] })
  const { id } = await post(first.url, '/campaigns', campaign)
  const donations: string[] = []
  for (let count = 0; count < 6; count += 1) {
    donations.push((await post(first.url, `/campaigns/${id}/donations`, donation)).id)
  }
  await waitUntil(() => receiver.received.length > 0)
  await first.kill()
  const before = [...receiver.received]
  assert.ok(before.length < donations.length)
  // Ends the lease of half a minute.
  await dataLocation.query(`
    update platform.webhook_deliveries set claimed_until = now() - interval '1 second' where claimed_until is not null`)

  receiver.setBehaviour(response => response.writeHead(204).end())
  const second = await startKalends(env)
  await waitUntil(() => new Set(receiver.received.slice(before.length).map(one => one.id)).size === donations.length)
  const resent = new Map(receiver.received.slice(before.length).map(one => [one.id, one.body]))
  for (const { id: messageId, body } of before) assert.equal(resent.get(messageId), body)
  assert.deepEqual([...resent.values()].map(body => JSON.parse(body).data.id).sort(), donations.sort())
  const log = async () =>
    (await sendRequest(`${second.url}/webhooks/${webhook.id}/deliveries?status=delivered`, { headers })).body
  await waitUntil(async () => (await log()).length === donations.length)
  const { body: metrics } = await sendRequest(`${second.url}/metrics`)
  assert.match(metrics, /^kalends_webhook_attempts_total\{outcome="delivered"\} 6$/m)
  assert.match(metrics, /^kalends_webhook_deliveries_waiting 0$/m)
  assert.equal(await second.stop(), 0)
})
