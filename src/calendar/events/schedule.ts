import { readMoment } from '../date-words.ts'
import { invalidParameter } from '../problems.ts'
import type { MomentText } from '../rules.ts'
import type { Work } from '../tec.ts'
import { endOfDay, type Local, startOfDay, toInstant, toLocal } from '../time.ts'
import { abbreviation } from '../zones.ts'
import type { LockedEvent } from './queries.ts'
import type { EventChanges } from './schema.ts'

/** When an event takes place: on the clock of its zone, and as moments. */
export interface Schedule {
  all_day: boolean
  start_local: Local
  end_local: Local
  starts_at: Date
  ends_at: Date
  timezone: string
  timezone_abbr: string
}

/**
 * The schedule after a change; undefined if the change does not touch it. A zone changed alone keeps the clock and
 * moves the moments.
 */
export function scheduleAfter(
  visit: Work,
  changes: EventChanges,
  before: LockedEvent | undefined
): Schedule | undefined {
  const { start_date, end_date, all_day } = changes
  const touched = [start_date, end_date, all_day, changes.timezone].some(value => value !== undefined)
  if (before !== undefined && !touched) return undefined

  const timezone = changes.timezone === undefined ? (before?.timezone ?? visit.zone) : (changes.timezone ?? visit.zone)
  const allDay = all_day === undefined ? (before?.allDay ?? false) : (all_day ?? false)
  const moved = before !== undefined && before.timezone !== timezone
  const kept = (local: Local, instant: string) =>
    moved ? shown(local, timezone) : { local, instant: new Date(instant) }
  // Sent back as it was read, it is what it was: the first of two equal hours too, which no clock tells from the second.
  const changed = (given: MomentText | undefined, local: Local | undefined) =>
    !moved && given === local ? undefined : given
  const startGiven = changed(start_date, before?.start)
  const endGiven = changed(end_date, before?.end)
  const start = momentAfter(visit, 'start_date', startGiven, timezone, before && kept(before.start, before.startsAt))
  const end = momentAfter(visit, 'end_date', endGiven, timezone, before && kept(before.end, before.endsAt))

  const first = allDay ? onClock(startOfDay(start.local), timezone) : start
  const last = allDay ? onClock(endOfDay(end.local), timezone) : end
  if (last.instant < first.instant) {
    throw invalidParameter('end_date', 'end-before-start', {
      en: `must not be before the start (${first.local})`,
      de: `darf nicht vor dem Beginn liegen (${first.local})`
    })
  }
  return {
    all_day: allDay,
    start_local: first.local,
    end_local: last.local,
    starts_at: first.instant,
    ends_at: last.instant,
    timezone,
    timezone_abbr: abbreviation(timezone, first.instant)
  }
}

interface OnClock {
  local: Local
  instant: Date
}

const onClock = (local: Local, zone: string): OnClock => ({ local, instant: toInstant(local, zone) })

/** The same, as a clock of that zone really shows it: an hour that it skips moves forward. */
function shown(local: Local, zone: string): OnClock {
  const instant = toInstant(local, zone)
  return { local: toLocal(instant, zone), instant }
}

function momentAfter(
  { now }: Work,
  name: 'start_date' | 'end_date',
  given: MomentText | undefined,
  zone: string,
  before: OnClock | undefined
): OnClock {
  if (given === undefined && before !== undefined) return before
  const moment = readMoment(given, zone, now)
  if (moment === undefined) {
    throw invalidParameter(name, 'date', { en: 'must be a date or time', de: 'muss ein Datum oder eine Zeit sein' })
  }
  return moment
}
