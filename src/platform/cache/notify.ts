import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Store } from '../database/database.ts'

/** However much is written, others are told this often at most; the first time at once. */
const spacingMs = 50
/** A connection that broke is not opened again before. What is missed meanwhile is found anyway. */
const reconnectDelayMs = 5000
const closeTimeoutMs = 500

export interface ChangeNotifier {
  /** Tells other processes that something was written here. */
  publish(): void
  /** Hears of it from now on; said again now and then, because the connection may have broken. */
  subscribe(): void
  close(): Promise<void>
}

/**
 * A hint among processes that it is worth looking at the record now. It is sent after the commit and by itself: within the
 * transaction writers would wait for each other at its end. Nobody relies on it, so whatever goes wrong is left at that.
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
      // A database that does not answer the farewell is left alone.
      if (last !== undefined)
        await Promise.race([last.client.end().catch(ignoreFailure), sleep(closeTimeoutMs, undefined, { ref: false })])
    }
  }
}

/** Whoever would have heard it looks by themselves a moment later. */
function ignoreFailure(): void {}
