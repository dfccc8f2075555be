// test: own process, long
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  connectClient,
  findServerPid,
  isAnswering,
  log,
  newScenario,
  query,
  startNode,
  trackStore,
  waitUntil
} from '#test/support/embedded-store.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { serveEmbedded, useEmbedded } from './store.ts'

test('a command uses the server of the serving process and leaves it running', async t => {
  const { dataDir } = await newScenario(t, { made: true })
  const serving = await trackStore(serveEmbedded({ dataDir, log }))
  const pid = await findServerPid(dataDir)
  const command = await trackStore(useEmbedded({ dataDir, log }))
  assert.deepEqual(await query(command, 'select 1 as one'), [{ one: 1 }])
  await command.stop()
  assert.equal(await findServerPid(dataDir), pid)
  assert.ok(await isAnswering(serving))
  await serving.stop()
})

test('a command without a serving process starts a server and stops it, also if the process exits without stopping it', {
  skip: skipUnlessFull
}, async t => {
  const scenario = await newScenario(t, { made: true })
  const command = await trackStore(useEmbedded({ dataDir: scenario.dataDir, log }))
  assert.deepEqual(await query(command, 'select 1 as one'), [{ one: 1 }])
  await command.stop()
  assert.equal(await findServerPid(scenario.dataDir), undefined)

  const node = await startNode(scenario, { how: 'use' })
  await node.started
  assert.equal(await node.leave(), 0)
  await waitUntil(async () => (await findServerPid(scenario.dataDir)) === undefined)
})

test('a serving process keeps the server of a command that has ended', { skip: skipUnlessFull }, async t => {
  const { dataDir } = await newScenario(t, { made: true })
  const command = await trackStore(useEmbedded({ dataDir, log }))
  const serving = await trackStore(serveEmbedded({ dataDir, log }))
  await command.stop()
  await waitUntil(() => isAnswering(serving))
  await serving.stop()
  assert.equal(await findServerPid(dataDir), undefined)
})

test('a command that ends waits for another command that uses its server', { skip: skipUnlessFull }, async t => {
  const { dataDir } = await newScenario(t, { made: true })
  const first = await trackStore(useEmbedded({ dataDir, log }))
  const second = await trackStore(useEmbedded({ dataDir, log }))
  const client = await connectClient(second)
  const stopping = first.stop()
  await client.query('select pg_sleep(0.3)')
  assert.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }])
  await client.end()
  await Promise.all([stopping, second.stop()])
  assert.equal(await findServerPid(dataDir), undefined)
})
