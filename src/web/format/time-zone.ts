/** Converts local time between time zones; undefined if a zone is unknown. */
export function convertClock(target: string, clockText: string, zone: string): string | undefined {
  if (zone === target) return clockText
  const shown = Date.parse(`${clockText.slice(0, 10)}T${clockText.slice(11, 19)}Z`)
  const guess = offsetMs(zone, shown)
  if (guess === undefined) return undefined
  // Second pass: the first guess is wrong near a daylight-saving change.
  const instant = shown - (offsetMs(zone, shown - guess) ?? guess)
  const offset = offsetMs(target, instant)
  if (offset === undefined) return undefined
  return new Date(instant + offset).toISOString().slice(0, 19).replace('T', ' ')
}

const clocks = new Map<string, Intl.DateTimeFormat | undefined>()
const dayMs = 86_400_000
/** Offsets at the beginning of days in UTC, by zone and day: reading a clock takes much longer. */
const dayOffsets = new Map<string, number>()
const dayOffsetsMax = 10_000

/** Offset of a time zone from UTC. */
function offsetMs(zone: string, instant: number): number | undefined {
  if (zone === 'UTC') return 0
  const fixed = /^UTC([+-]\d{1,2}(?:\.\d{1,2})?)$/.exec(zone)?.[1]
  if (fixed !== undefined) return Number(fixed) * 3_600_000
  const clock = getClock(zone)
  if (clock === undefined) return undefined
  const day = Math.floor(instant / dayMs)
  const before = getDayOffset(clock, zone, day)
  // Only on days on which clocks change does the time of day matter.
  return before === getDayOffset(clock, zone, day + 1) ? before : readOffset(clock, instant)
}

function getDayOffset(clock: Intl.DateTimeFormat, zone: string, day: number): number {
  const key = `${zone} ${day}`
  const known = dayOffsets.get(key)
  if (known !== undefined) return known
  const offset = readOffset(clock, day * dayMs)
  if (dayOffsets.size >= dayOffsetsMax) dayOffsets.clear()
  dayOffsets.set(key, offset)
  return offset
}

function readOffset(clock: Intl.DateTimeFormat, instant: number): number {
  const parts: Record<string, string> = {}
  for (const { type, value } of clock.formatToParts(instant)) parts[type] = value
  const { year, month, day, hour, minute, second } = parts
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(instant / 1000) * 1000
}

function getClock(zone: string): Intl.DateTimeFormat | undefined {
  if (!clocks.has(zone)) clocks.set(zone, newClock(zone))
  return clocks.get(zone)
}

function newClock(timeZone: string): Intl.DateTimeFormat | undefined {
  const two = '2-digit'
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two
    })
  } catch {
    // Time zone abbreviations that the calendar knows, but Intl does not.
    return undefined
  }
}
