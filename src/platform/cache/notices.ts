import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Store } from '../database.ts'

/** However much is written, others are told this often at most; the first time at once. */
const spacingMs = 50
/** A connection that broke is not opened again before. What is missed meanwhile is found anyway. */
const againMs = 5000
const farewellMs = 500

export interface Notices {
  /** Tells other processes that something was written here. */
  tell(): void
  /** Hears of it from now on; said again now and then, because the connection may have broken. */
  listen(): void
  close(): Promise<void>
}

/**
 * A hint among processes that it is worth looking at the record now. It is sent after the commit and by itself: within the
 * transaction writers would wait for each other at its end. Nobody relies on it, so whatever goes wrong is left at that.
 */
export function newNotices({ connection }: Store, onNotice: () => void): Notices {
  const ownName = randomUUID()
  let pause: NodeJS.Timeout | undefined
  let isDue = false
  let current: { client: pg.Client; open: Promise<unknown> } | undefined
  let brokeAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  function tell(): void {
    isDue = true
    if (pause !== undefined || isClosed) return
    isDue = false
    pause = setTimeout(() => {
      pause = undefined
      if (isDue) tell()
    }, spacingMs).unref()
    listen()
    const told = current
    void told?.open
      .then(async () => await told.client.query("select pg_notify('kalends_changes', $1)", [ownName]))
      .catch(isOnlyAHint)
  }

  function listen(): void {
    if (current !== undefined || isClosed || performance.now() - brokeAt < againMs) return
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
    tell,
    listen,
    close: async () => {
      isClosed = true
      clearTimeout(pause)
      const last = current
      current = undefined
      // A database that does not answer the farewell is left alone.
      if (last !== undefined)
        await Promise.race([last.client.end().catch(isOnlyAHint), sleep(farewellMs, undefined, { ref: false })])
    }
  }
}

/** Whoever would have heard it looks by themselves a moment later. */
function isOnlyAHint(): void {}
