import { getLocale, type Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { DateTimeText } from '../contract/date-params.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { parseDateTime } from '../time/natural-dates.ts'
import { endOfDay, type LocalDateTime, startOfDay, toInstant, toLocal } from '../time/time.ts'
import { getAbbreviation } from '../time/zones.ts'
import type { LockedEvent } from './queries.ts'
import type { EventChanges } from './schema.ts'

/** When an event takes place: local times in its zone, and instants. */
export interface Schedule {
  all_day: boolean
  start_local: LocalDateTime
  end_local: LocalDateTime
  starts_at: Date
  ends_at: Date
  timezone: string
  timezone_abbr: string
}

/**
 * The schedule after an update; undefined if the update does not affect it. Changing only the zone keeps the local
 * times and moves the instants.
 */
export function resolveSchedule(
  context: WriteContext,
  changes: EventChanges,
  before: LockedEvent | undefined
): Schedule | undefined {
  const { start_date, end_date, all_day } = changes
  const touched = [start_date, end_date, all_day, changes.timezone].some(value => value !== undefined)
  if (before !== undefined && !touched) return undefined

  const timezone =
    changes.timezone === undefined ? (before?.timezone ?? context.zone) : (changes.timezone ?? context.zone)
  const allDay = all_day === undefined ? (before?.allDay ?? false) : (all_day ?? false)
  const moved = before !== undefined && before.timezone !== timezone
  const kept = (local: LocalDateTime, instant: string) =>
    moved ? normalizeZonedTime(local, timezone) : { local, instant: new Date(instant) }
  // An unchanged local time keeps its instant, which also preserves the first of two equal hours when clocks go back.
  const changed = (given: DateTimeText | undefined, local: LocalDateTime | undefined) =>
    !moved && given === local ? undefined : given
  const startGiven = changed(start_date, before?.start)
  const endGiven = changed(end_date, before?.end)
  const start = resolveTime(context, 'start_date', startGiven, {
    zone: timezone,
    before: before && kept(before.start, before.startsAt)
  })
  const end = resolveTime(context, 'end_date', endGiven, {
    zone: timezone,
    before: before && kept(before.end, before.endsAt)
  })

  const first = allDay ? toZonedTime(startOfDay(start.local), timezone) : start
  const last = allDay ? toZonedTime(endOfDay(end.local), timezone) : end
  if (last.instant < first.instant) {
    throw newInvalidParamProblem(
      'end_date',
      'end-before-start',
      buildText('event-problems', 'endBeforeStart', language => ({ start: formatStart(first.local, language) }))
    )
  }
  return {
    all_day: allDay,
    start_local: first.local,
    end_local: last.local,
    starts_at: first.instant,
    ends_at: last.instant,
    timezone,
    timezone_abbr: getAbbreviation(timezone, first.instant)
  }
}

/** As it is in English, as in the API. */
function formatStart(local: LocalDateTime, language: Language): string {
  if (language === 'en') return local
  const format = new Intl.DateTimeFormat(getLocale(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC'
  })
  return format.format(new Date(`${local.replace(' ', 'T')}Z`))
}

interface ZonedTime {
  local: LocalDateTime
  instant: Date
}

const toZonedTime = (local: LocalDateTime, zone: string): ZonedTime => ({ local, instant: toInstant(local, zone) })

/** The local time as it exists in the zone: an hour that is skipped when clocks go forward moves forward. */
function normalizeZonedTime(local: LocalDateTime, zone: string): ZonedTime {
  const instant = toInstant(local, zone)
  return { local: toLocal(instant, zone), instant }
}

function resolveTime(
  { now }: WriteContext,
  name: 'start_date' | 'end_date',
  given: DateTimeText | undefined,
  { zone, before }: { zone: string; before: ZonedTime | undefined }
): ZonedTime {
  if (given === undefined && before !== undefined) return before
  const moment = parseDateTime(given, zone, now)
  if (moment === undefined) {
    throw newInvalidParamProblem(name, 'date', buildText('event-problems', 'date'))
  }
  return moment
}
