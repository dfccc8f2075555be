/** Builds VTIMEZONE rules (RFC 5545, 3.6.5) from the time zone data in Node. */

const secondMs = 1000
const minuteMs = 60 * secondMs
const dayMs = 24 * 60 * minuteMs
const yearMs = 366 * dayMs

/** Shorter than any time between two changes since 1970: the shortest was an hour less than a week, Boa Vista 2000. */
const stepMs = 5 * dayMs

/** Zone names and years come from untrusted events, so the cache has a size limit. */
const cacheMax = 1000

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** A change of the UTC offset from one value to another at this instant, all in milliseconds. */
interface OffsetChange {
  at: number
  before: number
  after: number
}

export interface ZoneClock {
  /** The UTC offset before the first change. */
  offset: number
  shifts: OffsetChange[]
  vtimezone: string[]
}

/** The lines of a VTIMEZONE that is correct from the first day of the first year to the last day of the last year. */
export function buildVtimezone(zone: string, firstYear: number, lastYear: number): string[] {
  return getZoneClock(zone, firstYear, lastYear).vtimezone
}

const clockCache = new Map<string, ZoneClock>()

/** The clock that `buildVtimezone` describes. Both use one table, so readers get back exactly what was written. */
export function getZoneClock(zone: string, firstYear: number, lastYear: number): ZoneClock {
  const key = `${zone} ${firstYear} ${lastYear}`
  const known = clockCache.get(key)
  if (known !== undefined) return known
  const clock = buildZoneClock(zone, firstYear, lastYear)
  if (clockCache.size >= cacheMax) clockCache.clear()
  clockCache.set(key, clock)
  return clock
}

/**
 * Whether a local time (read as if it were UTC) names this instant and no other. In the repeated hour in autumn it does
 * not, and readers disagree: RFC 5545 takes the first, ical.js and Thunderbird the second.
 */
export function isUnambiguous(clock: ZoneClock, wallClock: number, instant: number): boolean {
  let offset = clock.offset
  for (const { at, before, after } of clock.shifts) {
    if (at <= instant) {
      if (wallClock - before < at) return false
      offset = after
    } else {
      if (wallClock - after >= at) return false
      break
    }
  }
  return wallClock - instant === offset
}

const nameCache = new Map<string, string | undefined>()

/** The name to write as TZID; undefined for UTC and for anything but an IANA place, such as +02:00 or EST. */
export function toTzid(timezone: string): string | undefined {
  if (!timezone.includes('/')) return undefined
  if (nameCache.has(timezone)) return nameCache.get(timezone)
  const name = findIanaName(timezone)
  if (nameCache.size >= cacheMax) nameCache.clear()
  nameCache.set(timezone, name)
  return name
}

function findIanaName(timezone: string): string | undefined {
  let name: string
  try {
    name = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
  if (name === 'UTC') return undefined
  // Asia/Kolkata resolves to Asia/Calcutta here: take over only the spelling of the same name, not an older name.
  return name.toLowerCase() === timezone.toLowerCase() ? name : timezone
}

function buildZoneClock(zone: string, firstYear: number, lastYear: number): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const offsetAt = (instant: number): number => parseOffset(format.format(instant))

  // A year earlier, so that the first day follows a change; a year later, to see whether a rule continues.
  const from = Date.UTC(firstYear - 1, 0, 1)
  const to = Date.UTC(lastYear + 2, 0, 1)
  const shifts: OffsetChange[] = []
  const offset = offsetAt(from)
  let before = offset
  for (let lower = from; lower < to; lower += stepMs) {
    const upper = Math.min(lower + stepMs, to)
    const last = offsetAt(upper)
    for (let start = lower; before !== last; ) {
      const at = findOffsetChange(before, start, upper, offsetAt)
      const after = offsetAt(at)
      shifts.push({ at, before, after })
      before = after
      start = at
    }
  }
  return { offset, shifts, vtimezone: buildComponentLines(zone, { firstYear, lastYear }, offset, shifts) }
}

/** Parses text such as "7/1/2027, GMT+02:00", "GMT" or "GMT-00:44:30". */
function parseOffset(text: string): number {
  const [hours = '', minutes = '0', seconds = '0'] = text.slice(text.indexOf('GMT') + 3).split(':')
  if (hours === '') return 0
  const sign = hours.startsWith('-') ? -1 : 1
  return sign * ((Math.abs(Number(hours)) * 60 + Number(minutes)) * minuteMs + Number(seconds) * secondMs)
}

function findOffsetChange(offset: number, lower: number, upper: number, offsetAt: (instant: number) => number): number {
  let same = lower
  let other = upper
  while (other - same > secondMs) {
    const middle = same + Math.floor((other - same) / 2 / secondMs) * secondMs
    if (offsetAt(middle) === offset) same = middle
    else other = middle
  }
  return other
}

/** Changes that follow one rule, a year apart each. Onsets are local times before the change, read as if UTC. */
interface Observance {
  daylight: boolean
  before: number
  after: number
  onsets: Date[]
}

function buildComponentLines(
  zone: string,
  { firstYear, lastYear }: { firstYear: number; lastYear: number },
  offset: number,
  shifts: OffsetChange[]
): string[] {
  const observances = groupObservances(shifts)
  const settled = shifts.some(({ at }) => at < Date.UTC(firstYear, 0, 0))
  if (!settled) {
    const onsets = [new Date(Date.UTC(firstYear - 1, 0, 1))]
    observances.unshift({ daylight: false, before: offset, after: offset, onsets })
  }
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observances.flatMap(observance => buildObservanceLines(observance, lastYear)),
    'END:VTIMEZONE'
  ]
}

function groupObservances(shifts: OffsetChange[]): Observance[] {
  const all: Observance[] = []
  const latest = new Map<string, Observance>()
  for (const [index, { at, before, after }] of shifts.entries()) {
    const daylight = isDaylight(shifts, index)
    const onset = new Date(at + before)
    const rule = `${before} ${after} ${daylight} ${onset.getUTCMonth()} ${onset.getUTCDay()} ${formatClockTime(onset)}`
    const running = latest.get(rule)
    if (running !== undefined && continues(running.onsets, onset)) {
      running.onsets.push(onset)
    } else {
      const started = { daylight, before, after, onsets: [onset] }
      latest.set(rule, started)
      all.push(started)
    }
  }
  return all
}

/**
 * Forward for a season, not permanently. Ireland defines its winter time as the deviation, and Morocco its Ramadan
 * time; clients expect DAYLIGHT to be the later clock, so they are written that way round, which names the same
 * instants.
 */
function isDaylight(shifts: OffsetChange[], index: number): boolean {
  const shift = shifts[index]
  if (shift === undefined || shift.after < shift.before) return false
  return [shifts[index - 1], shifts[index + 1]].some(
    other => other !== undefined && other.after < other.before && Math.abs(other.at - shift.at) < yearMs
  )
}

/** The same weekday within the same seven days of the month, a year later: an RRULE can express exactly that. */
function continues(onsets: Date[], onset: Date): boolean {
  const days = [...onsets, onset].map(date => date.getUTCDate())
  return onsets.at(-1)?.getUTCFullYear() === onset.getUTCFullYear() - 1 && Math.max(...days) - Math.min(...days) < 7
}

function buildObservanceLines({ daylight, before, after, onsets }: Observance, lastYear: number): string[] {
  const name = daylight ? 'DAYLIGHT' : 'STANDARD'
  const lines = (onset: Date, ...rule: string[]): string[] => [
    `BEGIN:${name}`,
    `DTSTART:${formatBasicTime(onset)}`,
    `TZOFFSETFROM:${formatOffset(before)}`,
    `TZOFFSETTO:${formatOffset(after)}`,
    ...rule,
    `END:${name}`
  ]
  const [first, second] = onsets
  const lasting = onsets.some(onset => onset.getUTCFullYear() > lastYear)
  if (first !== undefined && second !== undefined && lasting) return lines(first, buildRruleLine(first, onsets))
  // A rule that has ended would need UNTIL, which some readers fail on (Debian's python-icalendar does).
  return onsets.flatMap(onset => lines(onset))
}

function buildRruleLine(first: Date, onsets: Date[]): string {
  return `RRULE:FREQ=YEARLY;BYMONTH=${first.getUTCMonth() + 1};${buildDayRule(first, onsets)}`
}

function buildDayRule(first: Date, onsets: Date[]): string {
  const weekday = weekdays[first.getUTCDay()]
  if (onsets.every(onset => countDaysLeftInMonth(onset) < 7)) return `BYDAY=-1${weekday}`
  const days = onsets.map(onset => onset.getUTCDate())
  const weeks = new Set(days.map(day => Math.ceil(day / 7)))
  if (weeks.size === 1) return `BYDAY=${[...weeks].join()}${weekday}`
  const earliest = Math.min(...days)
  const window = Array.from({ length: 7 }, (_, day) => earliest + day)
  return `BYMONTHDAY=${window.join()};BYDAY=${weekday}`
}

function countDaysLeftInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate() - date.getUTCDate()
}

function formatOffset(offset: number): string {
  const text = formatClockTime(new Date(Math.abs(offset)))
  return (offset < 0 ? '-' : '+') + (text.endsWith('00') ? text.slice(0, 4) : text)
}

function formatClockTime(date: Date): string {
  return formatBasicTime(date).slice(9)
}

/** 20270201T100000. */
export function formatBasicTime(date: Date): string {
  const iso = date.toISOString()
  return iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 13) + iso.slice(14, 16) + iso.slice(17, 19)
}
