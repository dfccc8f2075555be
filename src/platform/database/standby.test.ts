import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { asOwner, silent } from '#test/database.ts'
import { onServer, until } from '#test/process.ts'
import { startServer } from '#test/server.ts'
import { DatabaseUnavailable } from './errors.ts'
import { connectStore } from './postgres.ts'
import { sql } from './sql.ts'

// What is set here holds for a whole server, so this file has one of its own; the store of the run does not matter.
const skip = !onServer
const server = skip ? { url: '', stop: async () => undefined } : await startServer()
const { url } = server
const store = connectStore({ connectionString: url }, { noTimeouts: false, log: silent })
const watching = connectStore({ connectionString: url }, { noTimeouts: true, log: silent })
if (!skip) await asOwner(url, 'create table public.items (id integer primary key)')
after(async () => {
  await store.close()
  await watching.close()
  await server.stop()
})

test('a client that leads to a server that only reads is not used for a second write', { skip }, async () => {
  const insert = (id: number) => sql`insert into public.items values (${id})`
  const writes = [
    (id: number) => store.run(insert(id)),
    (id: number) => store.transaction(async tx => await tx.run(insert(id)))
  ]
  await asOwner(url, 'alter role kalends set default_transaction_read_only = on')
  for (const write of writes) await assert.rejects(write(1), DatabaseUnavailable)
  await asOwner(url, 'set transaction read write; alter role kalends set default_transaction_read_only = off')
  for (const [index, write] of writes.entries()) assert.equal(await write(index), 1)
})

test('a commit that was cancelled while it waited for a standby counts as unknown, not as done', { skip }, async () => {
  await asOwner(url, "alter system set synchronous_standby_names = 'nobody'")
  await asOwner(url, 'select pg_reload_conf()')
  await until(
    async () =>
      (
        await watching.one<{ names: string }>(sql`
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
    await until(
      async () =>
        (
          await watching.one<{ cancelled: number }>(sql`
      select count(*) filter (where pg_cancel_backend(pid)) as cancelled
      from pg_stat_activity
      where wait_event = 'SyncRep'`)
        ).cancelled === 1
    )
    await unknown
  }
  const kept = await store.all(sql`select id from public.items where id > 10 order by id`)
  assert.deepEqual(kept, [{ id: 11 }, { id: 12 }, { id: 13 }], 'They are there, which is what nobody could know.')
})
