import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import type { Store } from './database.ts'
import { DatabaseUnavailable, isConnectionError } from './errors.ts'
import { sql } from './sql.ts'

const retryMs = 1000
/** The warning is repeated, so that it is among the last lines of the log. */
const reminderMs = 30_000

/**
 * Waits until the database server answers: after a power failure it may start later than this process. A refusal of the
 * server, such as a wrong password, is final.
 */
export async function waitForDatabase(store: Store, log: Log): Promise<void> {
  const since = Date.now()
  let remindedAt: number | undefined
  for (;;) {
    try {
      await store.one(sql`select 1 as one`)
      if (remindedAt !== undefined) log.info({ seconds: getSeconds(since) }, 'the database is available')
      return
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || isRefusal(error)) {
        await store.close()
        throw error
      }
      if (remindedAt === undefined || Date.now() - remindedAt >= reminderMs) {
        remindedAt = Date.now()
        log.warn(
          { reason: describeReason(error), seconds: getSeconds(since) },
          'waiting for the database (DATABASE_URL)'
        )
      }
      await sleep(retryMs)
    }
  }
}

/** The server answered, and what it said will not change by waiting: a wrong password, or no such database. */
const isRefusal = ({ cause }: DatabaseUnavailable) => cause instanceof pg.DatabaseError && !isConnectionError(cause)

/** An attempt at several addresses has a code, but no message. */
function describeReason({ message, cause }: DatabaseUnavailable): string {
  const { message: reason, code } = (cause ?? {}) as NodeJS.ErrnoException
  return reason || code || message
}

const getSeconds = (since: number) => Math.round((Date.now() - since) / 1000)
