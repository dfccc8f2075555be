import type { Database } from '#platform/database.ts'

/** What another process wrote is counted after this long; of a list that takes long to count, after ten times as long as it takes. */
const freshMs = 1000
const timesAsLong = 10
const freshMsMax = 10_000
const keptMax = 1000

/**
 * How many items a list has, for as long as that can be known without counting: counting a hundred thousand events
 * takes longer than reading a page of them. Every write in this process forgets all at once.
 */
export interface Totals {
  find(key: string, nowMs: number): number | undefined
  /** To be taken before counting. */
  moment(): number
  keep(key: string, total: number, countedAt: number, counting: { fromMs: number; toMs: number }): void
  forget(): void
}

const byDatabase = new WeakMap<Database, Totals>()

export function totalsOf(db: Database): Totals {
  let totals = byDatabase.get(db)
  if (totals === undefined) {
    totals = newTotals()
    byDatabase.set(db, totals)
  }
  return totals
}

function newTotals(): Totals {
  const kept = new Map<string, { total: number; untilMs: number }>()
  let writes = 0
  return {
    find: (key, nowMs) => {
      const found = kept.get(key)
      return found === undefined || found.untilMs < nowMs ? undefined : found.total
    },
    moment: () => writes,
    keep: (key, total, countedAt, { fromMs, toMs }) => {
      // Something was written while it was counted: nobody knows on which side of the count.
      if (countedAt !== writes) return
      if (kept.size >= keptMax) kept.clear()
      const ms = Math.min(Math.max(freshMs, timesAsLong * (toMs - fromMs)), freshMsMax)
      kept.set(key, { total, untilMs: fromMs + ms })
    },
    forget: () => {
      writes += 1
      kept.clear()
    }
  }
}
