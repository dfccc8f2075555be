// test: server
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runAsOwner, silent } from '#test/support/database.ts'
import { onServer, waitUntil } from '#test/support/kalends-process.ts'
import { startPostgresServer } from '#test/support/postgres-server.ts'
import { DatabaseUnavailable } from './errors.ts'
import { connectStore } from './postgres.ts'
import { sql } from './sql.ts'

// These tests change settings of the whole server, so they start their own.
const skip = !onServer
const server = skip ? { url: '', stop: async () => undefined } : await startPostgresServer()
const { url } = server
const store = connectStore({ connectionString: url }, { noTimeouts: false, log: silent })
const observer = connectStore({ connectionString: url }, { noTimeouts: true, log: silent })
if (!skip) await runAsOwner(url, 'create table public.items (id integer primary key)')
after(async () => {
  await store.close()
  await observer.close()
  await server.stop()
})

test('a connection to a read-only server is not used for a second write', { skip }, async () => {
  const insert = (id: number) => sql`insert into public.items values (${id})`
  const writes = [
    (id: number) => store.run(insert(id)),
    (id: number) => store.transaction(async tx => await tx.run(insert(id)))
  ]
  await runAsOwner(url, 'alter role kalends set default_transaction_read_only = on')
  for (const write of writes) await assert.rejects(write(1), DatabaseUnavailable)
  await runAsOwner(url, 'set transaction read write; alter role kalends set default_transaction_read_only = off')
  for (const [index, write] of writes.entries()) assert.equal(await write(index), 1)
})

test('a commit that is cancelled while it waits for a standby is reported as DatabaseUnavailable', {
  skip
}, async () => {
  await runAsOwner(url, "alter system set synchronous_standby_names = 'nobody'")
  await runAsOwner(url, 'select pg_reload_conf()')
  await waitUntil(
    async () =>
      (
        await observer.one<{ names: string }>(sql`
    select current_setting('synchronous_standby_names') as names`)
      ).names === 'nobody'
  )

  const writes = {
    'a transaction': () => store.transaction(async tx => await tx.run(sql`insert into public.items values (${11})`)),
    'a statement': () => store.run(sql`insert into public.items values (${12})`),
    'a script': () => store.script('insert into public.items values (13)')
  }
  for (const [name, write] of Object.entries(writes)) {
    const unknown = assert.rejects(write(), DatabaseUnavailable, name)
    await waitUntil(
      async () =>
        (
          await observer.one<{ cancelled: number }>(sql`
      select count(*) filter (where pg_cancel_backend(pid)) as cancelled
      from pg_stat_activity
      where wait_event = 'SyncRep'`)
        ).cancelled === 1
    )
    await unknown
  }
  const kept = await store.all(sql`select id from public.items where id > 10 order by id`)
  assert.deepEqual(
    kept,
    [{ id: 11 }, { id: 12 }, { id: 13 }],
    'The rows are stored, although the client could not know it.'
  )
})
