import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { ValueCache } from '#platform/http/cache-tags.ts'

/** Not longer, because not every change leaves a record: the database can also be written to by hand. */
const lifetimeMsMax = 60_000
/** While something is being published, as responses that depend on the time. */
const lifetimeMsMin = 1000
/** The clocks of the database and of a process may differ by this much. */
const clockDifferenceSeconds = 10

/**
 * Until when events and what they link to look the same to visitors if nothing changes, in `performance.now()` time.
 * Events, venues and organizers appear at the moment for which they are scheduled, and change the numbers of terms.
 */
export async function findCacheEndMs(db: Database, cache: ValueCache): Promise<number> {
  const nextMs = cache.get<number>(key) ?? (await cache.share(key, async () => await findNextPublicationMs(db, cache)))
  const nowMs = performance.now()
  return Math.min(nowMs + lifetimeMsMax, Math.max(nowMs + lifetimeMsMin, nextMs))
}

const key = 'next publication'

/** In the past while the clocks may not agree whether something is published already. */
async function findNextPublicationMs(db: Database, cache: ValueCache): Promise<number> {
  const since = cache.getGeneration()
  const fromMs = performance.now()
  const { waitMs } = await db.one<{ waitMs: number | null }>(sql`
    select (extract(epoch from min(published_at) - now()) * 1000)::double precision as "waitMs"
    from (
      select min(published_at) as published_at
      from calendar.events
      where status = 'publish' and published_at > ${begin}
      union all
      select min(published_at) from calendar.venues where status = 'publish' and published_at > ${begin}
      union all
      select min(published_at) from calendar.organizers where status = 'publish' and published_at > ${begin}
    ) as scheduled`)
  const nextMs = waitMs === null ? Number.POSITIVE_INFINITY : fromMs + waitMs
  const untilMs = Math.min(fromMs + lifetimeMsMax, Math.max(fromMs + lifetimeMsMin, nextMs))
  cache.put(key, nextMs, { tags: ['calendar'], untilMs, bytes: 8 }, since)
  return nextMs
}

const begin = sql`now() - ${clockDifferenceSeconds} * interval '1 second'`
