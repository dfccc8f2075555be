import { createHash } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import { sql } from '../database/sql.ts'

/** A counter shared by all processes: what it counts, and for whom. */
export interface CounterKey {
  name: string
  of: string
  windowSeconds: number
}

/** Increments the counter. Returns the count in the window, which begins with the first, and the seconds left in it. */
export async function incrementCounter(db: Database, key: CounterKey): Promise<{ count: number; secondsLeft: number }> {
  // Uses the clock of the database, because those of several machines differ.
  const end = sql`now() + make_interval(secs => ${key.windowSeconds}::int)`
  return await db.one(sql`
    insert into platform.counters as counter (key_hash, count, until)
    values (${hashCounterKey(key)}, 1, ${end})
    on conflict (key_hash) do update
    set count = case when counter.until <= now() then 1 else counter.count + 1 end,
      until = case when counter.until <= now() then excluded.until else counter.until end
    returning count, ceil(extract(epoch from counter.until - now()))::int as "secondsLeft"`)
}

/** Limits attempts with exponential backoff: the first few are free, then waits double. */
export interface BackoffPolicy extends CounterKey {
  /** Attempts before the first wait. */
  free: number
  waitSecondsMax: number
  /** The wait before the first attempt, and the minimum wait between two attempts. */
  leastWaitSeconds: number
}

/**
 * Consumes an attempt and returns 0, or returns the seconds until the next one. A refused call costs nothing, and a
 * retry after the wait succeeds for certain: each caller has a counter of their own, however many others wait.
 */
export async function consumeAttempt(db: Database, paced: BackoffPolicy): Promise<number> {
  const now = sql`clock_timestamp()`
  const end = sql`${now} + make_interval(secs => ${paced.windowSeconds}::int)`
  const least = sql`${paced.leastWaitSeconds}::int`
  const wait = sql`greatest(${least}, case when counter.count + 1 < ${paced.free}::int then 0
    else least(${paced.waitSecondsMax}::int, 2 ^ least(counter.count + 1 - ${paced.free}::int, 20)) end)`
  const taken = await db.maybeOne<{ count: number }>(sql`
    insert into platform.counters as counter (key_hash, count, until, next_at)
    values (${hashCounterKey(paced)}, case when ${least} > 0 then 0 else 1 end, ${end}, ${now} + make_interval(secs => ${least}))
    on conflict (key_hash) do update
    set count = case when counter.until <= ${now} then excluded.count else counter.count + 1 end,
      next_at = case when counter.until <= ${now} then excluded.next_at else ${now} + make_interval(secs => ${wait}) end,
      until = excluded.until
    where counter.next_at <= ${now}
    returning count`)
  if (taken !== undefined && taken.count > 0) return 0
  const left = await db.maybeOne<{ seconds: number }>(sql`
    select ceil(extract(epoch from counter.next_at - ${now}))::int as seconds
    from platform.counters as counter
    where key_hash = ${hashCounterKey(paced)}`)
  return Math.max(1, left?.seconds ?? 1)
}

/** Refunds an attempt that had no effect. */
export async function refundAttempt(db: Database, key: CounterKey): Promise<void> {
  await db.run(sql`
    update platform.counters set count = greatest(count - 1, 0), next_at = clock_timestamp()
    where key_hash = ${hashCounterKey(key)}`)
}

/** For an attempt that turned out not to count. */
export async function decrementCounter(db: Database, key: CounterKey): Promise<void> {
  await db.run(sql`
    update platform.counters set count = count - 1
    where key_hash = ${hashCounterKey(key)} and count > 0 and until > now()`)
}

export async function resetCounter(db: Database, key: CounterKey): Promise<void> {
  await db.run(sql`delete from platform.counters where key_hash = ${hashCounterKey(key)}`)
}

export async function deleteExpiredCounters(db: Database): Promise<void> {
  await deleteInBatches(
    async limit =>
      await db.run(sql`
        delete from platform.counters
        where key_hash in (
          select key_hash from platform.counters where until <= now() order by until limit ${limit} for update skip locked
        ) and until <= now()`)
  )
}

/** Hashed, so that client addresses are not stored, not even for a minute. */
function hashCounterKey({ name, of }: CounterKey): Buffer {
  return createHash('sha256').update(`${name} ${of}`).digest()
}
