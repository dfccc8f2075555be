// test: server
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { openStreamAtEnd } from '#test/support/event-stream-client.ts'
import { startCampaigns } from '#test/support/services.ts'
import type { Log } from '../log.ts'

const database = await createDatabase()
const proxy = await startProxy(database.url)
const warnings: string[] = []
const ignore = () => {}
const log = { debug: ignore, info: ignore, error: ignore, warn: (_: object, message: string) => warnings.push(message) }
/** A second server on the same database, without the proxy. */
const direct = await startCampaigns({ database: { url: database.url, remove: async () => {} } })
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
const countPauses = () => warnings.filter(message => message === 'event stream paused: activity log unavailable').length
const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })

test('a stream stays open while the database is unavailable, and then sends each missed event once', async () => {
  const { id } = await direct.aCampaign()
  const stream = await openStreamAtEnd(direct.store, `${origin}/stream?subject=donation`)
  await proxy.refuse()
  const newDonations = [await direct.aDonation(id)]
  await stream.waitUntil(() => countPauses() === 1)
  await proxy.pass()
  await stream.waitForMessages(1)
  // Breaks the connections, but accepts new ones at once.
  proxy.reset()
  newDonations.push(await direct.aDonation(id))
  await stream.waitForMessages(2)
  assert.deepEqual(
    stream.messages.map(({ data }) => data.data.id),
    newDonations.map(one => one.id)
  )
  stream.close()
})

test('a stream gets a reset event if another database state is restored during an outage', async () => {
  const { id } = await direct.aCampaign()
  await direct.aDonation(id)
  const stream = await openStreamAtEnd(direct.store, `${origin}/stream?subject=donation`)
  const before = countPauses()
  await proxy.refuse()
  await direct.store.script("update platform.activity set tx = '0'")
  await stream.waitUntil(() => countPauses() > before)
  await proxy.pass()
  assert.equal((await stream.waitForMessages(1))[0]?.event, 'reset')
  const newDonations = await direct.aDonation(id)
  assert.equal((await stream.waitForMessages(2))[1]?.data.data.id, newDonations.id)
  stream.close()
})
