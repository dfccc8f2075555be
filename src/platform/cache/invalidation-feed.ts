import { setTimeout as sleep } from 'node:timers/promises'
import type { Change, Database } from '../database/database.ts'
import * as record from './queries.ts'

/** Polling interval while there are requests. */
const pollIntervalMs = 250
/** After this long without a poll, entries may be staler than the second that we promise. */
const freshMs = 750
/** Maximum wait for a poll: a database that does not respond will not answer the request either. */
const pollTimeoutMs = 500
/** More changes than this since the last poll invalidate everything. */
const changesMax = 200

export interface InvalidationFeed {
  /** True if all writes up to a moment ago are known. Starts a poll if one is due. */
  isFresh(nowMs?: number): boolean
  /** Polls now; false if the database does not respond. */
  catchUp(): Promise<boolean>
  /** Another process has written: polls if there were recent requests. */
  pollSoon(): void
  isStarted(): boolean
}

/**
 * Polls the changes of all processes. There is no polling without requests: the first request after a pause waits for
 * one small query. It selects by transaction and not by sequence number, because a transaction that began earlier may
 * commit later.
 */
export function newInvalidationFeed(
  db: Database,
  onChange: (changes: Change[] | 'everything') => void,
  now: () => number = () => performance.now()
): InvalidationFeed {
  let lastSnapshot: record.ChangeSnapshot | undefined
  /** When the last successful poll was sent: it covers everything committed by then. */
  let polledAt = Number.NEGATIVE_INFINITY
  let polling: Promise<boolean> | undefined
  let requestedAt = Number.NEGATIVE_INFINITY

  async function poll(): Promise<boolean> {
    const beganAt = now()
    try {
      const before = lastSnapshot
      const after = before === undefined ? await record.findSnapshot(db) : await listSince(before)
      if (before === undefined || isOtherDatabase(before, after) || after.changes.length > changesMax)
        onChange('everything')
      else if (after.changes.length > 0) onChange(after.changes)
      lastSnapshot = after
      polledAt = beganAt
      return true
    } catch {
      // Requests now go to the database, which reports what is wrong.
      return false
    } finally {
      polling = undefined
    }
  }

  const listSince = async ({ snapshot }: record.ChangeSnapshot) => await record.listSince(db, snapshot, changesMax + 1)

  async function catchUp(): Promise<boolean> {
    polling ??= poll()
    return await Promise.race([polling, sleep(pollTimeoutMs, false, { ref: false })])
  }

  return {
    isFresh: (nowMs = now()) => {
      requestedAt = nowMs
      const age = requestedAt - polledAt
      if (age > pollIntervalMs && polling === undefined) void catchUp()
      return age < freshMs
    },
    catchUp,
    pollSoon: () => {
      if (now() - requestedAt < freshMs) void catchUp()
    },
    isStarted: () => lastSnapshot !== undefined
  }
}

/** True if the database was migrated meanwhile, or replaced by another one. */
function isOtherDatabase(before: record.ChangeSnapshot, after: record.ChangeSnapshot): boolean {
  return before.migrations !== after.migrations || BigInt(after.oldest) < BigInt(before.oldest)
}
