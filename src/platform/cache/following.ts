import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '../changes.ts'
import type { Database } from '../database.ts'
import * as record from './queries.ts'

/** While somebody asks, the record is looked at this often. */
const lookEveryMs = 250
/** What nobody has looked after for this long may be older than we promise, which is a second. */
const trustedMs = 750
/** Whoever waits for a look does not wait longer: a database that is silent will not answer the rest either. */
const answerMs = 500
/** More than this since the last look is everything. */
const changesMax = 200

export interface Following {
  /** Is everything known that was written up to a moment ago? Has somebody look again if that is due. */
  isTrusted(nowMs?: number): boolean
  /** Looks now; false if the database does not answer. */
  catchUp(): Promise<boolean>
  /** Somebody has written something: looks if anybody asks these days. */
  hint(): void
  hasBegun(): boolean
}

/**
 * Follows what any process writes. Nothing is asked while nobody reads: whoever comes first after a pause waits for one small
 * question. It is put by transaction and not by number, because what began earlier may commit later.
 */
export function follow(
  db: Database,
  onChange: (changes: Change[] | 'everything') => void,
  now: () => number = () => performance.now()
): Following {
  let seen: record.Seen | undefined
  /** When the last answer was asked for: it knows of all that had committed then. */
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<boolean> | undefined
  let askedAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<boolean> {
    const beganAt = now()
    try {
      const before = seen
      const after = before === undefined ? await record.findNow(db) : await listSince(before)
      if (before === undefined || isAnother(before, after) || after.changes.length > changesMax) onChange('everything')
      else if (after.changes.length > 0) onChange(after.changes)
      seen = after
      lookedAt = beganAt
      return true
    } catch {
      // Whoever asks now asks the database, and hears from it what is wrong.
      return false
    } finally {
      looking = undefined
    }
  }

  const listSince = async ({ snapshot }: record.Seen) => await record.listSince(db, snapshot, changesMax + 1)

  async function catchUp(): Promise<boolean> {
    looking ??= look()
    return await Promise.race([looking, sleep(answerMs, false, { ref: false })])
  }

  return {
    isTrusted: (nowMs = now()) => {
      askedAt = nowMs
      const age = askedAt - lookedAt
      if (age > lookEveryMs && looking === undefined) void catchUp()
      return age < trustedMs
    },
    catchUp,
    hint: () => {
      if (now() - askedAt < trustedMs) void catchUp()
    },
    hasBegun: () => seen !== undefined
  }
}

/** A database that was migrated meanwhile, or in whose place there is another one. */
function isAnother(before: record.Seen, after: record.Seen): boolean {
  return before.migrations !== after.migrations || BigInt(after.oldest) < BigInt(before.oldest)
}
