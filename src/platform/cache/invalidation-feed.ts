import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '../database/after-commit.ts'
import type { Database } from '../database/database.ts'
import * as record from './queries.ts'

/** While somebody asks, the record is looked at this often. */
const pollIntervalMs = 250
/** What nobody has looked after for this long may be older than we promise, which is a second. */
const freshMs = 750
/** Whoever waits for a look does not wait longer: a database that is silent will not answer the rest either. */
const pollTimeoutMs = 500
/** More than this since the last look is everything. */
const changesMax = 200

export interface InvalidationFeed {
  /** Is everything known that was written up to a moment ago? Has somebody look again if that is due. */
  isFresh(nowMs?: number): boolean
  /** Looks now; false if the database does not answer. */
  catchUp(): Promise<boolean>
  /** Somebody has written something: looks if anybody asks these days. */
  pollSoon(): void
  isStarted(): boolean
}

/**
 * Follows what any process writes. Nothing is asked while nobody reads: whoever comes first after a pause waits for one small
 * question. It is put by transaction and not by number, because what began earlier may commit later.
 */
export function newInvalidationFeed(
  db: Database,
  onChange: (changes: Change[] | 'everything') => void,
  now: () => number = () => performance.now()
): InvalidationFeed {
  let lastSnapshot: record.ChangeSnapshot | undefined
  /** When the last answer was asked for: it knows of all that had committed then. */
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
      // Whoever asks now asks the database, and hears from it what is wrong.
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

/** A database that was migrated meanwhile, or in whose place there is another one. */
function isOtherDatabase(before: record.ChangeSnapshot, after: record.ChangeSnapshot): boolean {
  return before.migrations !== after.migrations || BigInt(after.oldest) < BigInt(before.oldest)
}
