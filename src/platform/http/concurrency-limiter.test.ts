import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newConcurrencyLimiter } from './concurrency-limiter.ts'

/** A limiter with a clock of its own. */
function newTestLimiter() {
  let nowMs = 0
  const reported: number[] = []
  const limiter = newConcurrencyLimiter(
    refused => reported.push(refused),
    () => nowMs
  )
  return {
    limiter,
    reported,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** Serves requests one after another, each within this time. */
    serve: (count: number, ms: number) => {
      for (let number = 0; number < count; number += 1) {
        const request = {}
        limiter.begin(request)
        nowMs += ms
        limiter.finish(request)
      }
    },
    /** Serves requests at the same time, all within this time. */
    serveTogether: (count: number, ms: number) => {
      const requests = Array.from({ length: count }, () => ({}))
      for (const request of requests) limiter.begin(request)
      nowMs += ms
      for (const request of requests) limiter.finish(request)
    },
    /** Returns how many requests are accepted if none is finished. */
    fill: () => {
      let accepted = 0
      while (!limiter.shouldRefuse()) {
        limiter.begin({})
        accepted += 1
      }
      return accepted
    }
  }
}

test('an idle process accepts a burst of 200 requests', () => {
  const { limiter, fill } = newTestLimiter()
  assert.equal(fill(), 200)
  assert.equal(limiter.countInProgress(), 200)
  assert.equal(limiter.countRefused(), 1)
})

test('as many requests are accepted as are served in 0.2 s', () => {
  const { fill, serveTogether } = newTestLimiter()
  for (let round = 0; round < 40; round += 1) serveTogether(50, 25)
  assert.equal(fill(), 400, '2,000 are served in a second')
})

test('if requests are slow, a burst is limited to the number that is served in 0.2 s, at least 64', () => {
  const slow = newTestLimiter()
  for (let round = 0; round < 5; round += 1) slow.serveTogether(100, 200)
  assert.equal(slow.fill(), 100, '500 are served in a second')
  const slower = newTestLimiter()
  slower.serveTogether(20, 1000)
  assert.ok(!slower.limiter.shouldRefuse())
  slower.pass(5000)
  assert.equal(slower.fill(), 64, 'a pause does not make the process faster')
})

test('after a refusal at least 32 requests are accepted, however slow they are', () => {
  const { fill, limiter, pass } = newTestLimiter()
  assert.ok(limiter.shouldRefuse(true))
  pass(1000)
  assert.equal(fill(), 32)
})

test('a few slow requests do not make the limit smaller', () => {
  const { fill, serve, serveTogether } = newTestLimiter()
  serve(100, 5)
  serveTogether(9, 600)
  assert.equal(fill(), 200)
  const rarely = newTestLimiter()
  rarely.serve(1, 3000)
  assert.equal(rarely.fill(), 200)
})

test('the limit is smaller in the second after a refusal, and grows again', () => {
  const { fill, limiter, pass, reported } = newTestLimiter()
  assert.equal(fill(), 200)
  assert.deepEqual(reported, [])
  pass(1000)
  assert.ok(limiter.shouldRefuse(), '200 are still in progress')
  assert.deepEqual(reported, [1])
  const later = newTestLimiter()
  const requests = Array.from({ length: 200 }, () => ({}))
  for (const request of requests) later.limiter.begin(request)
  assert.ok(later.limiter.shouldRefuse())
  later.pass(1000)
  assert.ok(later.limiter.shouldRefuse())
  for (const request of requests) later.limiter.finish(request)
  assert.equal(later.fill(), 40, 'the 200 that were served in this second count')
})

test('finishing a request twice counts once', () => {
  const { limiter } = newTestLimiter()
  const request = {}
  limiter.begin(request)
  limiter.finish(request)
  limiter.finish(request)
  limiter.finish({})
  assert.equal(limiter.countInProgress(), 0)
})
