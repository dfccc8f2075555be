import type { Database } from '#platform/database/database.ts'

/** Maximum staleness after a write by another process; for slow counts, ten times the duration of the count. */
const freshMs = 1000
const freshnessFactor = 10
const freshMsMax = 10_000
const entriesMax = 1000

/**
 * Caches the total of a list: counting a hundred thousand events takes longer than reading a page of them. Every write
 * in this process clears the whole cache.
 */
export interface CountCache {
  get(key: string, nowMs: number): number | undefined
  /** Read this before counting and pass it to `set`. */
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
      // A write happened during the count, which may or may not include it.
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
