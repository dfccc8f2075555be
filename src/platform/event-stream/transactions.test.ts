// test: both stores
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { createDatabase, silent } from '#test/support/database.ts'
import { openStreamAtEnd } from '#test/support/event-stream-client.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { startCampaigns } from '#test/support/services.ts'
import { newChangeNotifier } from '../cache/notify.ts'
import { newSystemCaller } from '../caller.ts'
import { connectStore } from '../database/postgres.ts'
import { sql } from '../database/sql.ts'
import { newHub } from './hub.ts'

const { server, store, visitor, databaseUrl, aCampaign } = await startCampaigns()
const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
const insert = `
  insert into platform.activity (at, action, subject, subject_id, actor, details)
  values (now(), 'campaign.updated', 'campaign', $1, 'somebody', '{}')`

async function openTransaction(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return client
}

async function readLag(): Promise<number> {
  return Number(/^kalends_stream_lag_seconds (.+)$/m.exec((await visitor.get('/metrics')).text)?.[1])
}

/** A transaction of another test's database counts as our own if it ends while the lag is read. */
async function waitForNoLag(): Promise<void> {
  for (let reads = 0; (await readLag()) !== 0; reads += 1) assert.ok(reads < 100, 'There is still a lag')
}

test('an open transaction of another database does not delay the stream', async () => {
  const other = await createDatabase()
  const { id } = await aCampaign()
  const stream = await openStreamAtEnd(store, `${origin}/stream?subject=campaign&subjectId=${id}`)
  const writer = await openTransaction(other.url)
  try {
    const { rows } = await writer.query('select backend_xid from pg_stat_activity where pid = pg_backend_pid()')
    assert.ok(rows[0].backend_xid)
    await store.script(insert.replace('$1', `'${id}'`))
    await stream.waitForMessages(1)
    await waitForNoLag()
  } finally {
    stream.close()
    await writer.end()
    await other.remove()
  }
})

test('an open transaction of the same database delays later events, and the lag is a metric', async () => {
  const { id } = await aCampaign()
  const stream = await openStreamAtEnd(store, `${origin}/stream?subject=campaign&subjectId=${id}`)
  await waitForNoLag()
  // It gets its transaction id before the others write, and writes after they have committed.
  const slow = await openTransaction(databaseUrl)
  try {
    await store.script(insert.replace('$1', `'${id}'`))
    assert.ok((await readLag()) > 0)
    await slow.query(insert, [String(id)])
    assert.equal(stream.messages.length, 0)
    await slow.query('commit')
    const messages = await stream.waitForMessages(2)
    const ids = messages.map(message => Number(message.id?.split('-')[1]))
    assert.ok((ids[0] ?? 0) > (ids[1] ?? 0), `The transaction with the lower id comes first: ${ids}`)
    await waitForNoLag()
  } finally {
    stream.close()
    await slow.end()
  }
})

test('a write of one process is sent to the stream of another without waiting for the poll interval', async () => {
  const other = connectStore({ connectionString: databaseUrl }, { noTimeouts: true, log: silent })
  const notifier = newChangeNotifier(other, () => hub.pollSoon())
  const hub = newHub(
    other,
    { campaign: { actions: { 'campaign.created': 'A campaign was created.' } } },
    { log: silent, listenForChanges: notifier.subscribe, pollMs: 600_000 }
  )
  after(async () => {
    hub.close()
    await notifier.close()
    await other.close()
  })
  const caller = newSystemCaller('test')
  const stream = hub.subscribe({
    caller,
    filter: { actions: ['campaign.created'], subject: undefined, subjectId: undefined },
    origin,
    cursor: undefined,
    address: undefined,
    authenticate: async () => caller
  })
  let text = ''
  stream.on('data', piece => {
    text += piece
  })
  await waitUntil(() => text.includes('id: '))
  await waitUntil(async () => await isListening())
  const countEvents = () => text.split('event: campaign.created').length - 1
  // The first one may still be found by the first poll.
  for (const count of [1, 2, 3]) {
    await aCampaign()
    await waitUntil(() => countEvents() === count)
  }
})

/** Whether another process has connected to listen for changes; the last statement of the first one is a notification. */
async function isListening(): Promise<boolean> {
  const found = await store.all(sql`
    select pid from pg_stat_activity
    where datname = current_database() and query = 'listen kalends_changes' and state = 'idle'`)
  return found.length > 0
}
