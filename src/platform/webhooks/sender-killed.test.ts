import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newPlace, send, startKalends, until } from '#test/process.ts'
import { startReceiver } from '#test/receiver.ts'
import { campaign, donation } from '#test/support.ts'

const adminKey = 'the-key-of-the-tests-admin'
const headers = { authorization: `Bearer ${adminKey}` }

test('kill -9 in the middle of a delivery loses no message: it comes again, with the same id and the same bytes', async () => {
  const place = await newPlace()
  after(place.remove)
  const env = { ...place.env, ADMIN_KEY: adminKey, ALLOW_PRIVATE_ADDRESSES: 'true', LOG_LEVEL: 'warn' }
  const receiver = await startReceiver()
  // Whoever sends is killed before it hears an answer.
  receiver.behave(() => undefined)

  const first = await startKalends(env)
  const post = async (url: string, path: string, body: object) =>
    (await send(`${url}${path}`, { method: 'POST', headers, body })).body
  const webhook = await post(first.url, '/webhooks', { url: receiver.url, actions: ['donation.created'] })
  const { id } = await post(first.url, '/campaigns', campaign)
  const donations: string[] = []
  for (let count = 0; count < 6; count += 1) {
    donations.push((await post(first.url, `/campaigns/${id}/donations`, donation)).id)
  }
  await until(() => receiver.heard.length > 0)
  await first.kill()
  const before = [...receiver.heard]
  assert.ok(before.length < donations.length)
  // A lease of half a minute, which nobody waits for here.
  await place.query(`
    update platform.webhook_deliveries set claimed_until = now() - interval '1 second' where claimed_until is not null`)

  receiver.behave(response => response.writeHead(204).end())
  const second = await startKalends(env)
  await until(() => new Set(receiver.heard.slice(before.length).map(one => one.id)).size === donations.length)
  const came = new Map(receiver.heard.slice(before.length).map(one => [one.id, one.body]))
  for (const { id: messageId, body } of before) assert.equal(came.get(messageId), body)
  assert.deepEqual([...came.values()].map(body => JSON.parse(body).data.id).sort(), donations.sort())
  const log = async () =>
    (await send(`${second.url}/webhooks/${webhook.id}/deliveries?status=delivered`, { headers })).body
  await until(async () => (await log()).length === donations.length)
  const { body: figures } = await send(`${second.url}/metrics`)
  assert.match(figures, /^kalends_webhook_attempts_total\{outcome="delivered"\} 6$/m)
  assert.match(figures, /^kalends_webhook_deliveries_waiting 0$/m)
  assert.equal(await second.stop(), 0)
})
