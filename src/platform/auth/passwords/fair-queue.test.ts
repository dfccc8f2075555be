import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listNetworks } from '../brute-force-protection/networks.ts'
import { newFairQueue, type QueuePlace } from './fair-queue.ts'

/** A queue whose tasks end when the test calls `finish`; records the order of served and refused tasks. */
function newTestQueue(waitingMax: number) {
  const run = newFairQueue({ atOnceMax: 1, waitingMax })
  const served: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const add = (name: string, place: Partial<QueuePlace>) =>
    run({ network: 'n', account: '', isKnown: false, ...place }, async () => {
      served.push(name)
      await new Promise<void>(resolve => ends.push(resolve))
    }).catch((error: { status?: number }) => {
      assert.equal(error.status, 503)
      refused.push(name)
    })
  const finish = async () => {
    const turn = async () => await new Promise(resolve => setImmediate(resolve))
    await turn()
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end()
      await turn()
    }
  }
  return { add, finish, served, refused }
}

test('a task of another network is served next, however many tasks of one network wait', async () => {
  const { add, finish, served } = newTestQueue(100)
  const all = Array.from({ length: 70 }, (_, index) => add(`greedy ${index}`, { network: 'a', account: `${index}` }))
  all.push(add('owner', { network: 'b', account: 'owner' }))
  all.push(add('second', { network: 'b', account: 'second' }))
  await finish()
  await Promise.all(all)
  assert.ok(served.indexOf('owner') <= 2, served.slice(0, 5).join())
  assert.ok(served.indexOf('second') <= 4, served.slice(0, 8).join())
  assert.equal(served.length, 72)
})

test('tasks of many networks for one account do not delay other accounts', async () => {
  const { add, finish, served } = newTestQueue(100)
  const all = Array.from({ length: 70 }, (_, index) => add(`greedy ${index}`, { network: `${index}`, account: 'anna' }))
  all.push(add('berta', { network: 'b', account: 'berta' }))
  await finish()
  await Promise.all(all)
  assert.ok(served.indexOf('berta') <= 2, served.slice(0, 5).join())
})

test('a full queue refuses the newest tasks of the network with most tasks, and unknown before known callers', async () => {
  const { add, finish, served, refused } = newTestQueue(3)
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map(name => add(name, { network: 'a' }))
  all.push(add('b1', { network: 'b' }), add('known', { network: 'c', isKnown: true }))
  await finish()
  await Promise.all(all)
  assert.deepEqual(refused, ['a5', 'a4', 'a3'])
  assert.deepEqual(served, ['a1', 'known', 'a2', 'b1'])
})

test('the networks of an address are the same for every spelling of the address', () => {
  const prefixes = (ip: string) => listNetworks(ip).map(({ prefix }) => prefix)
  const expected = ['2001:db8:0:12ab::/64', '2001:db8:0:1200::/56', '2001:db8:0::/48']
  for (const ip of ['2001:db8:0:12ab::1', '2001:DB8::12ab:0:0:0:1', '2001:0db8:0000:12ab:ffff:0:0:1']) {
    assert.deepEqual(prefixes(ip), expected, ip)
  }
  assert.deepEqual(prefixes('fe80::1%eth0'), ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48'])
  for (const ip of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:192.0.2.7']) {
    assert.deepEqual(prefixes(ip), ['192.0.2.7', '192.0.2.0/24'], ip)
  }
})
