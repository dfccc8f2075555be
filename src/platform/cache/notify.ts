import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Store } from '../database/database.ts'

/** Minimum interval between two notifications, however much is written; the first goes out at once. */
const spacingMs = 50
/** Delay before a broken connection is opened again. Polling finds the changes that are missed meanwhile. */
const reconnectDelayMs = 5000
const closeTimeoutMs = 500

export interface ChangeNotifier {
  /** Notifies other processes that something was written here. */
  publish(): void
  /** Starts listening for notifications; called repeatedly, because the connection may have broken. */
  subscribe(): void
  close(): Promise<void>
}

/**
 * A hint to other processes to poll the activity log now (LISTEN/NOTIFY). It is sent after the commit, in a statement
 * of its own: inside the transaction, writers would wait for each other at commit. Nothing relies on it, so failures
 * are ignored.
 */
export function newChangeNotifier({ connection }: Store, onNotice: () => void): ChangeNotifier {
  const ownName = randomUUID()
  let pause: NodeJS.Timeout | undefined
  let isDue = false
  let current: { client: pg.Client; open: Promise<unknown> } | undefined
  let brokeAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  function publish(): void {
    isDue = true
    if (pause !== undefined || isClosed) return
    isDue = false
    pause = setTimeout(() => {
      pause = undefined
      if (isDue) publish()
    }, spacingMs).unref()
    subscribe()
    const publisher = current
    void publisher?.open
      .then(async () => await publisher.client.query("select pg_notify('kalends_changes', $1)", [ownName]))
      .catch(ignoreFailure)
  }

  function subscribe(): void {
    if (current !== undefined || isClosed || performance.now() - brokeAt < reconnectDelayMs) return
    const client = new pg.Client({
      ...connection,
      application_name: 'kalends',
      keepAlive: true,
      connectionTimeoutMillis: 2000
    })
    const forget = () => {
      if (current?.client !== client) return
      current = undefined
      brokeAt = performance.now()
    }
    client.on('error', forget)
    client.on('end', forget)
    client.on('notification', ({ payload }) => {
      if (payload !== ownName) onNotice()
    })
    const open = client.connect().then(async () => await client.query('listen kalends_changes'))
    open.catch(forget)
    current = { client, open }
  }

  return {
    publish: publish,
    subscribe: subscribe,
    close: async () => {
      isClosed = true
      clearTimeout(pause)
      const last = current
      current = undefined
      // Do not wait for a database that does not respond.
      if (last !== undefined)
        await Promise.race([last.client.end().catch(ignoreFailure), sleep(closeTimeoutMs, undefined, { ref: false })])
    }
  }
}

/** Other processes poll by themselves a moment later. */
function ignoreFailure(): void {}
