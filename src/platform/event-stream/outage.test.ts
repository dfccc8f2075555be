// test: server
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { openEventStream, waitForCommittedActivity } from '#test/support/event-stream-client.ts'
import { startCampaigns } from '#test/support/services.ts'
import type { Log } from '../log.ts'

const database = await createDatabase()
const proxy = await startProxy(database.url)
const warnings: string[] = []
const ignore = () => {}
const log = { debug: ignore, info: ignore, error: ignore, warn: (_: object, message: string) => warnings.push(message) }
/** The same database from elsewhere: what it does, the proxy does not hinder. */
const elsewhere = await startCampaigns({ database: { url: database.url, remove: async () => {} } })
const { server } = await startCampaigns({
  withTimeouts: true,
  log: log as unknown as Log,
  database: {
    url: proxy.url,
    remove: async () => {
      await proxy.close()
      await database.remove()
    }
  }
})
const waits = () => warnings.filter(message => message === 'event stream paused: activity log unavailable').length
const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })

test('while the database is away a stream stays open, and then tells what happened meanwhile, once', async () => {
  const { id } = await elsewhere.aCampaign()
  const stream = await openEventStream(`${origin}/stream?subject=donation`)
  await proxy.refuse()
  const given = [await elsewhere.aDonation(id)]
  await stream.waitUntil(() => waits() === 1)
  await proxy.pass()
  await stream.waitForMessages(1)
  // Broken, but there again at once.
  proxy.reset()
  given.push(await elsewhere.aDonation(id))
  await stream.waitForMessages(2)
  assert.deepEqual(
    stream.messages.map(({ data }) => data.data.id),
    given.map(one => one.id)
  )
  stream.close()
})

test('who listens when the database comes back as another one is told to look at everything anew', async () => {
  const { id } = await elsewhere.aCampaign()
  await elsewhere.aDonation(id)
  await waitForCommittedActivity(elsewhere.store)
  const stream = await openEventStream(`${origin}/stream?subject=donation`)
  const before = waits()
  await proxy.refuse()
  await elsewhere.store.script("update platform.activity set tx = '0'")
  await stream.waitUntil(() => waits() > before)
  await proxy.pass()
  assert.equal((await stream.waitForMessages(1))[0]?.event, 'reset')
  const given = await elsewhere.aDonation(id)
  assert.equal((await stream.waitForMessages(2))[1]?.data.data.id, given.id)
  stream.close()
})
