/** What a clock of one time zone shows when that of another shows `clockText`; undefined where a zone is not known here. */
export function convertClock(target: string, clockText: string, zone: string): string | undefined {
  if (zone === target) return clockText
  const shown = Date.parse(`${clockText.slice(0, 10)}T${clockText.slice(11, 19)}Z`)
  const guess = offsetMs(zone, shown)
  if (guess === undefined) return undefined
  // The first guess is off where the clock was changed in between.
  const instant = shown - (offsetMs(zone, shown - guess) ?? guess)
  const offset = offsetMs(target, instant)
  if (offset === undefined) return undefined
  return new Date(instant + offset).toISOString().slice(0, 19).replace('T', ' ')
}

const clocks = new Map<string, Intl.DateTimeFormat | undefined>()

/** How far the clock of a zone is ahead of UTC. */
function offsetMs(zone: string, instant: number): number | undefined {
  const fixed = /^UTC([+-]\d{1,2}(?:\.\d{1,2})?)$/.exec(zone)?.[1]
  if (fixed !== undefined) return Number(fixed) * 3_600_000
  const clock = getClock(zone)
  if (clock === undefined) return undefined
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
    // Abbreviations that the calendar knows and Intl does not.
    return undefined
  }
}
