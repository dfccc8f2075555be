import type { Store } from '#platform/database/database.ts'
import type { Environment } from './environment.ts'
import { fillEvents } from './sample-events.ts'

/** Venues that are asked for; there are at least as many. */
export const venues = 50
/** In UTC, a series would be many entries of a feed: only wall clocks of places have rules there. */
const zone = 'Europe/Berlin'

/** URL of a database with weekly events around today: of series, or the same ones as single events. */
export async function makeWeeklyDatabase(
  environment: Environment,
  { series, dates, isRepeated }: { series: number; dates: number; isRepeated: boolean }
): Promise<string> {
  const name = `${isRepeated ? 'series' : 'single'}_${series}_${dates}`
  return await environment.database(name, async store => {
    await fillEvents(store, series * dates)
    await moveToWeeks(store, dates)
    if (isRepeated) await repeat(store, series, dates)
    await store.script('vacuum analyze')
  })
}

/** Each group of as many events as a series has dates is at one venue, on the same weekday and time, half of it past. */
async function moveToWeeks(store: Store, dates: number): Promise<void> {
  await store.script(`
    update calendar.events as event
    set starts_at = start at time zone '${zone}', ends_at = (start + interval '2 hours') at time zone '${zone}',
      start_local = start, end_local = start + interval '2 hours', timezone = '${zone}'
    from (
      select id, date_trunc('week', now() at time zone '${zone}') + interval '7 minutes' * ((id - 1000001) / ${dates} % 1400)
        + interval '1 week' * ((id - 1000001) % ${dates} - ${Math.floor(dates / 2)}) as start
      from calendar.events
    ) as moved
    where moved.id = event.id;
    update calendar.event_venues
    set venue_id = 1 + (event_id - 1000001) / ${dates} % ${venues}`)
}

/** The groups become series. */
async function repeat(store: Store, series: number, dates: number): Promise<void> {
  await store.script(`
    insert into calendar.series (id, author_id, rule, start_local, end_local, all_day, timezone, created_at, modified_at)
    select 2000000 + n, 1,
      'FREQ=WEEKLY;BYDAY=' || (array['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'])[1 + extract(dow from start_local)::integer] || ';COUNT=${dates}',
      start_local, end_local, false, '${zone}', now(), now()
    from generate_series(0, ${series - 1}) as n
    join calendar.events as event on event.id = 1000001 + n * ${dates};
    update calendar.events
    set series_id = 2000000 + (id - 1000001) / ${dates}, series_date = start_local`)
}
