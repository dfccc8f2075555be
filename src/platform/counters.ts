import { createHash } from 'node:crypto'
import type { Database } from './database.ts'
import { sql } from './sql.ts'

/** Something that is counted over all processes: what it is, and of whom. */
export interface Counted {
  name: string
  of: string
  windowSeconds: number
}

/** One more. Answers how many that makes in the window, which begins with the first, and when the window ends. */
export async function countUp(db: Database, counted: Counted): Promise<{ count: number; secondsLeft: number }> {
  // By the clock of the database, because those of several machines differ.
  const end = sql`now() + make_interval(secs => ${counted.windowSeconds}::int)`
  return await db.one(sql`
    insert into platform.counters as counter (counted, count, until)
    values (${hashOf(counted)}, 1, ${end})
    on conflict (counted) do update
    set count = case when counter.until <= now() then 1 else counter.count + 1 end,
      until = case when counter.until <= now() then excluded.until else counter.until end
    returning count, ceil(extract(epoch from counter.until - now()))::int as "secondsLeft"`)
}

/** One less, for what turned out not to count. */
export async function countDown(db: Database, counted: Counted): Promise<void> {
  await db.run(sql`
    update platform.counters set count = count - 1
    where counted = ${hashOf(counted)} and count > 0 and until > now()`)
}

/** Begins anew. */
export async function forgetCount(db: Database, counted: Counted): Promise<void> {
  await db.run(sql`delete from platform.counters where counted = ${hashOf(counted)}`)
}

export async function forgetOldCounts(db: Database): Promise<void> {
  await db.run(sql`delete from platform.counters where until <= now()`)
}

/** Addresses of people are nobody's business, not even for a minute. */
function hashOf({ name, of }: Counted): Buffer {
  return createHash('sha256').update(`${name} ${of}`).digest()
}
