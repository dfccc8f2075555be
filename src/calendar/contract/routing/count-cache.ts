import type { Database } from '#platform/database/database.ts'

/** What another process wrote is counted after this long; of a list that takes long to count, after ten times as long as it takes. */
const freshMs = 1000
const freshnessFactor = 10
const freshMsMax = 10_000
const entriesMax = 1000

/**
 * How many items a list has, for as long as that can be known without counting: counting a hundred thousand events
 * takes longer than reading a page of them. Every write in this process forgets all at once.
 */
export interface CountCache {
  get(key: string, nowMs: number): number | undefined
  /** To be taken before counting. */
  generation(): number
  set(key: string, total: number, countedAt: number, counting: { fromMs: number; toMs: number }): void
  clear(): void
}

const cachesByDatabase = new WeakMap<Database, CountCache>()

export function getCountCache(db: Database): CountCache {
  let totals = cachesByDatabase.get(db)
  if (totals === undefined) {
    totals = newCountCache()
    cachesByDatabase.set(db, totals)
  }
  return totals
}

function newCountCache(): CountCache {
  const kept = new Map<string, { total: number; untilMs: number }>()
  let writes = 0
  return {
    get: (key, nowMs) => {
      const found = kept.get(key)
      return found === undefined || found.untilMs < nowMs ? undefined : found.total
    },
    generation: () => writes,
    set: (key, total, countedAt, { fromMs, toMs }) => {
      // Something was written while it was counted: nobody knows on which side of the count.
      if (countedAt !== writes) return
      if (kept.size >= entriesMax) kept.clear()
      const ms = Math.min(Math.max(freshMs, freshnessFactor * (toMs - fromMs)), freshMsMax)
      kept.set(key, { total, untilMs: fromMs + ms })
    },
    clear: () => {
      writes += 1
      kept.clear()
    }
  }
}
