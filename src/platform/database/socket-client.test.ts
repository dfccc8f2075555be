// test: server
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import { createDatabase, silent } from '#test/support/database.ts'
import { connectStore } from './postgres.ts'
import { SocketClient } from './socket-client.ts'
import { sql } from './sql.ts'

const database = await createDatabase()
const store = connectStore({ connectionString: database.url }, { noTimeouts: false, log: silent })
after(async () => {
  await store.close()
  await database.remove()
})

test('statements that a transaction sends in one moment are sent together', async t => {
  await store.transaction(async tx => await tx.all(sql`select 1`))
  const cork = t.mock.method(Socket.prototype, 'cork')
  await store.transaction(async tx => {
    const responses = Promise.all([1, 2, 3].map(async n => await tx.one(sql`select ${n}::int as n`)))
    // Runs promise callbacks, but stays in the same moment.
    for (let count = 0; count < 20; count += 1) await undefined
    const sockets = new Set(cork.mock.calls.map(call => call.this as Socket))
    assert.equal(sockets.size, 1)
    for (const socket of sockets) assert.ok(socket.writableLength > 0)
    assert.deepEqual(await responses, [{ n: 1 }, { n: 2 }, { n: 3 }])
    for (const socket of sockets) assert.equal(socket.writableLength, 0)
  })
})

test('a client of a pool has the password of the pool, which the pool hides from copies of its options', () => {
  const pool = new pg.Pool({ password: 'secret', Client: SocketClient })
  assert.equal(new SocketClient(pool.options).password, 'secret')
})
