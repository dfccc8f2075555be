import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { buildPublishedCondition } from '../../permissions/permissions.ts'
import { buildPageQuery, type EventFilter } from '../filter.ts'

/**
 * A text that changes with everything that a feed shows: the events that match now, and all venues, organizers and
 * terms. For 5,000 events it takes 40 ms, the feed 900 ms. Sums of hashes do not depend on the order of the rows.
 */
export async function findFeedVersion(db: Database, filter: EventFilter, rows: number): Promise<string> {
  const { version } = await db.one<{ version: string }>(
    sql`
      select concat_ws(' ',
        (
          select concat_ws(' ', count(*), ${sumHashes(sql`event.id, event.version, event.image_id, event.uid`)})
          from (${buildPageQuery(filter, rows, 0)}) as page
          join calendar.events as event on event.id = page.id
        ),
        (
          select ${sumHashes(sql`other.id, other.version, ${buildPublishedCondition(sql`other`)}`)}
          from calendar.events as other
          where other.series_id in (
            select event.series_id
            from (${buildPageQuery(filter, rows, 0)}) as page
            join calendar.events as event on event.id = page.id
            where event.series_id is not null
          )
        ),
        (select ${sumHashes(sql`series.id, series.version`)} from calendar.series as series),
        (
          select ${sumHashes(sql`venue.id, venue.version, ${buildPublishedCondition(sql`venue`)}`)}
          from calendar.venues as venue
        ),
        (
          select ${sumHashes(sql`organizer.id, organizer.version, ${buildPublishedCondition(sql`organizer`)}`)}
          from calendar.organizers as organizer
        ),
        (select ${sumHashes(sql`term.id, term.version`)} from calendar.terms as term)
      ) as version`.unprepared()
  )
  return version
}

const sumHashes = (values: Sql) => sql`coalesce(sum(hashtextextended(concat_ws(' ', ${values}), 0)), 0)`

/** The host in the UIDs of events without a stored one. */
export function buildUidHost(origin: string): string {
  return origin.replace(/^\w+:\/\//, '').replace(/:\d+$/, '')
}

const uidBatch = 1000

/** Stores the UIDs that older events have in feeds, so that they survive a change of the host. */
export async function storeUids(db: Database, host: string): Promise<void> {
  for (let stored = uidBatch; stored === uidBatch; ) {
    stored = await db.run(sql`
      update calendar.events
      set uid = 'event-' || id || '@' || ${host}::text
      where id in (
        select id from calendar.events where uid is null order by id limit ${toLiteral(uidBatch)} for update skip locked
      )`)
  }
}
