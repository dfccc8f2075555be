import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { silent } from '#test/support/database.ts'
import { newMetrics } from '../../metrics.ts'
import { getOverloadedProblem, loadShedding } from './load-shedding.ts'

/** Longer than the time that one turn of the event loop spends on refusals. */
const refusalMs = 15

/** A server whose requests to /slow wait until `release`, and whose refusals take long. */
async function newFullServer() {
  const app = Fastify()
  after(() => app.close())
  const refusedInTurn: number[] = []
  let turn = 0
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  // As the plugin requestContext does.
  app.decorateRequest('routeConfig')
  app.addHook('onRequest', async request => {
    request.routeConfig = request.routeOptions.config
  })
  await app.register(loadShedding, {
    metrics: newMetrics(),
    log: silent,
    sendError: (error, _request, reply) => {
      assert.equal(error, getOverloadedProblem())
      refusedInTurn.push(turn)
      for (const until = performance.now() + refusalMs; performance.now() < until; );
      return reply.code(503).send('overloaded')
    }
  })
  app.get('/slow', async () => await released.then(() => 'served'))
  app.get('/fast', async () => 'served')
  app.get('/cacheable', { config: { cache: { tags: [] } } }, async () => 'served')
  // As the response cache does if it has an entry.
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers['x-cached'] !== undefined) await reply.send('cached')
  })
  const inProgress = Array.from({ length: 200 }, async () => await app.inject('/slow'))
  for (let status = 200; status !== 503; ) {
    status = (await app.inject('/fast')).statusCode
    assert.ok(status === 200 || status === 503, String(status))
  }
  refusedInTurn.length = 0
  const countTurns = () => {
    turn += 1
    counting = setImmediate(countTurns)
  }
  let counting = setImmediate(countTurns)
  const finish = async () => {
    release()
    for (const { body } of await Promise.all(inProgress)) assert.equal(body, 'served')
  }
  return {
    app,
    refusedInTurn,
    finish,
    end: async () => {
      clearImmediate(counting)
      await finish()
    }
  }
}

test('refusals that take long are sent in several turns of the event loop, so that accepted requests continue in between', async () => {
  const { app, refusedInTurn, end } = await newFullServer()
  const responses = await Promise.all(Array.from({ length: 5 }, async () => await app.inject('/slow')))
  assert.deepEqual(
    responses.map(({ statusCode }) => statusCode),
    Array(5).fill(503)
  )
  assert.equal(new Set(refusedInTurn).size, 5, `refused in the turns ${refusedInTurn.join()}`)
  await end()
})

test('while refusals are delayed, new requests are refused although the limit is not reached', async () => {
  const { app, finish, end } = await newFullServer()
  const refusals = Promise.all(Array.from({ length: 80 }, async () => await app.inject('/slow')))
  await sleep(600)
  await finish()
  assert.equal((await app.inject('/slow')).statusCode, 503)
  await refusals
  assert.equal((await app.inject('/slow')).statusCode, 200)
  await end()
})

test('a request that the response cache can serve is not refused, and one without a cache entry is', async () => {
  const { app, end } = await newFullServer()
  assert.equal((await app.inject({ url: '/cacheable', headers: { 'x-cached': '1' } })).body, 'cached')
  assert.equal((await app.inject('/cacheable')).statusCode, 503)
  const asUser = { url: '/cacheable', headers: { authorization: 'Bearer key', 'x-cached': '1' } }
  assert.equal((await app.inject(asUser)).statusCode, 503, 'the cache is for callers without credentials')
  await end()
})
