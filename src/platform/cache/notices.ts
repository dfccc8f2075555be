import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Store } from '../database.ts'
import { sql } from '../sql.ts'

/** However much is written, others are told this often at most; the first time at once. */
const spacingMs = 50
/** Before a connection that broke is opened again. What is missed meanwhile is found anyway. */
const againMs = 5000

export interface Notices {
  /** Tells other processes that something was written here. */
  tell(): void
  /** Hears of it from now on. */
  listen(): void
  close(): Promise<void>
}

/**
 * A hint among processes that it is worth looking at the record now. It is sent after the commit and by itself: within the
 * transaction writers would wait for each other at its end. Nobody relies on it, so whatever goes wrong is left at that.
 */
export function newNotices(store: Store, onNotice: () => void): Notices {
  const ownName = randomUUID()
  let pause: NodeJS.Timeout | undefined
  let isDue = false
  let client: pg.Client | undefined
  let again: NodeJS.Timeout | undefined
  let isClosed = false

  function tell(): void {
    isDue = true
    if (pause !== undefined || isClosed) return
    isDue = false
    pause = setTimeout(() => {
      pause = undefined
      if (isDue) tell()
    }, spacingMs).unref()
    void store.all(sql`select pg_notify('kalends_changes', ${ownName})`).catch(isOnlyAHint)
  }

  function listen(): void {
    if (client !== undefined || isClosed) return
    const opened = new pg.Client({ ...store.connection, application_name: 'kalends', keepAlive: true })
    client = opened
    const forget = () => {
      if (client !== opened) return
      client = undefined
      if (!isClosed) again = setTimeout(listen, againMs).unref()
    }
    opened.on('error', forget)
    opened.on('end', forget)
    opened.on('notification', ({ payload }) => {
      if (payload !== ownName) onNotice()
    })
    void opened
      .connect()
      .then(async () => await opened.query('listen kalends_changes'))
      .catch(forget)
  }

  return {
    tell,
    listen,
    close: async () => {
      isClosed = true
      clearTimeout(pause)
      clearTimeout(again)
      const open = client
      client = undefined
      await open?.end().catch(isOnlyAHint)
    }
  }
}

/** Whoever would have heard it looks by themselves a moment later. */
function isOnlyAHint(): void {}
