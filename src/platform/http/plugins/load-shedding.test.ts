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
  after(() => clearImmediate(counting))
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
