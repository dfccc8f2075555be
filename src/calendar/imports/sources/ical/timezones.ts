import { type Effort, listOccurrences } from '../../../recurrence/occurrences.ts'
import { parseRule } from '../../../recurrence/rule.ts'
import { formatWallTime, parseBasicTime, parseWallTime, type WallTime } from '../../../recurrence/wall-time.ts'
import { type LocalDateTime, toInstant, toLocal } from '../../../time/time.ts'
import { parseZone } from '../../../time/zones.ts'
import { findZoneByName } from '../incoming/zone-names.ts'
import { type Component, parseProperty } from './parser.ts'

/** Interprets the local times of a calendar. */
export interface Clock {
  /** The zone stored with events that use this clock. */
  zone: string
  /** Converts to local time in that zone. */
  local(wall: WallTime): LocalDateTime
  instant(wall: WallTime): number
  /** The clock's local time at that instant. */
  wall(instant: number): WallTime
}

/** A clock of an IANA zone: local times stay as they are. */
export function newZoneClock(zone: string): Clock {
  return {
    zone,
    local: formatWallTime,
    instant: wall => toInstant(formatWallTime(wall), zone).getTime(),
    wall: instant => parseWallTime(toLocal(new Date(instant), zone))
  }
}

/** A clock for UTC times: they are converted to the home zone. */
export function newUtcClock(home: string): Clock {
  return newOffsetClock(home, () => 0)
}

function newOffsetClock(home: string, offsetMs: (wall: WallTime) => number): Clock {
  return {
    zone: home,
    local: wall => toLocal(new Date(wall - offsetMs(wall)), home),
    instant: wall => wall - offsetMs(wall),
    wall: instant => instant + offsetMs(instant + offsetMs(instant))
  }
}

/** Every zone costs memory, and real calendars have only a few. */
const zonesMax = 500

/** Finds the clock for a TZID: an IANA name, a Microsoft name, or else the calendar's own VTIMEZONE. */
export function newClockLookup(timezones: Component[], home: string): (tzid: string) => Clock | undefined {
  const described = new Map<string, Component>()
  for (const component of timezones.slice(0, zonesMax)) {
    const tzid = findValue(component, 'TZID')?.trim()
    if (tzid !== undefined && !described.has(tzid)) described.set(tzid, component)
  }
  const known = new Map<string, Clock | undefined>()
  return tzid => {
    const name = tzid.trim()
    if (known.has(name)) return known.get(name)
    const clock = findClock(name, described.get(name), home)
    if (known.size < zonesMax) known.set(name, clock)
    return clock
  }
}

function findClock(tzid: string, description: Component | undefined, home: string): Clock | undefined {
  if (/^(?:etc\/)?(?:utc|gmt|z|zulu)$/i.test(tzid)) return newUtcClock(home)
  const zone = findZoneByName(tzid) ?? findZoneByName(findValue(description, 'X-LIC-LOCATION') ?? '')
  if (zone !== undefined) return newZoneClock(zone)
  const offset = description === undefined ? undefined : buildOffsets(description)
  if (offset !== undefined) return newOffsetClock(home, offset)
  // An abbreviation or an offset is the last resort: EST has no daylight saving time.
  const fixed = parseZone(tzid)
  return fixed === undefined ? undefined : newZoneClock(fixed)
}

interface Observance {
  begin: WallTime
  beforeMs: number
  afterMs: number
  /** Its onsets in the year of the local time and in the year before. */
  onsets(wall: WallTime): WallTime[]
}

/** The UTC offset by the rules of a VTIMEZONE; undefined if none of them can be parsed. */
function buildOffsets(description: Component): ((wall: WallTime) => number) | undefined {
  const observances = description.children
    .slice(0, 100)
    .map(parseObservance)
    .filter(one => one !== undefined)
  const [first] = observances.sort((one, other) => one.begin - other.begin)
  if (first === undefined) return undefined
  return wall => {
    let latest = Number.NEGATIVE_INFINITY
    let offset = first.beforeMs
    for (const observance of observances) {
      const onset = observance.onsets(wall).findLast(one => one <= wall)
      if (onset !== undefined && onset > latest) {
        latest = onset
        offset = observance.afterMs
      }
    }
    return offset
  }
}

const yearMs = 366 * 24 * 60 * 60 * 1000

function parseObservance(component: Component): Observance | undefined {
  const begin = parseBasicTime(findValue(component, 'DTSTART') ?? '')
  const beforeMs = parseOffset(findValue(component, 'TZOFFSETFROM'))
  const afterMs = parseOffset(findValue(component, 'TZOFFSETTO'))
  if (begin === undefined || beforeMs === undefined || afterMs === undefined) return undefined
  const rule = parseRule(findValue(component, 'RRULE') ?? '', parseBasicTime)
  const dates = component.lines
    .map(parseProperty)
    .filter(property => property?.name === 'RDATE')
    .flatMap(property => (property?.value ?? '').split(',').map(parseBasicTime))
    .filter(date => date !== undefined)
  const ofYear = new Map<number, WallTime[]>()

  function onsets(wall: WallTime): WallTime[] {
    const year = new Date(wall).getUTCFullYear()
    const known = ofYear.get(year)
    if (known !== undefined) return known
    const span = { from: Date.UTC(year - 1, 0, 1), to: Date.UTC(year + 1, 0, 1) }
    const effort: Effort = { left: 20_000 }
    const ruled = rule === undefined || begin === undefined ? [] : [...listOccurrences(rule, begin, span, effort)]
    // A zone that no longer changes its clock started its last rule long ago.
    const found = [begin ?? 0, ...dates.filter(date => date < span.to), ...ruled].sort((one, other) => one - other)
    ofYear.set(year, found)
    return found
  }
  return { begin, beforeMs, afterMs, onsets }
}

function parseOffset(text: string | undefined): number | undefined {
  const [whole, sign, hours, minutes, seconds = '0'] = /^\s*([+-])(\d\d):?(\d\d):?(\d\d)?\s*$/.exec(text ?? '') ?? []
  if (whole === undefined) return undefined
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000
  return size > yearMs / 366 ? undefined : sign === '-' ? -size : size
}

/** The value of the first line with that name. */
export function findValue(component: Component | undefined, name: string): string | undefined {
  for (const line of component?.lines ?? []) {
    if (line.text.slice(0, name.length).toUpperCase() !== name) continue
    const property = parseProperty(line)
    if (property?.name === name) return property.value
  }
  return undefined
}
