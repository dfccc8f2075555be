import type { Schedule } from '../events/schedule.ts'
import { dayMs } from '../recurrence/occurrences.ts'
import { getDay } from '../recurrence/recurrence.ts'
import { formatWallTime, type WallTime } from '../recurrence/wall-time.ts'
import { type LocalDateTime, toInstant, toLocal } from '../time/time.ts'
import { getAbbreviation } from '../time/zones.ts'

/** What the times of all occurrences of a series have in common. */
export interface SeriesTimes {
  /** Between start and end, by the wall clock. */
  durationMs: number
  allDay: boolean
  timezone: string
}

/** The schedule on a date of the series: the wall clock stays the same when clocks change. */
export function toOccurrenceSchedule(date: WallTime, { durationMs, allDay, timezone }: SeriesTimes): Schedule {
  const first = allDay ? getDay(date) : date
  const last = allDay ? getDay(date + durationMs) + dayMs - 1000 : date + durationMs
  const start = toZoned(first, { timezone, allDay })
  const end = toZoned(last, { timezone, allDay })
  // The clock may go back between start and end.
  const finish = end.instant < start.instant ? start : end
  return {
    all_day: allDay,
    start_local: start.local,
    end_local: finish.local,
    starts_at: start.instant,
    ends_at: finish.instant,
    timezone,
    timezone_abbr: getAbbreviation(timezone, start.instant)
  }
}

/** As for single events, a time that is skipped when clocks go forward moves forward; whole days keep midnight. */
function toZoned(
  wall: WallTime,
  { timezone, allDay }: Pick<SeriesTimes, 'timezone' | 'allDay'>
): { local: LocalDateTime; instant: Date } {
  const local = formatWallTime(wall)
  const instant = toInstant(local, timezone)
  return { local: allDay ? local : toLocal(instant, timezone), instant }
}
