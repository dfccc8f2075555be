import { type Local, toInstant, toLocal } from '../../time.ts'
import { readZone } from '../../zones.ts'
import { zoneNamed } from '../reading/zone-names.ts'
import { type Component, propertyOf } from './lines.ts'
import { type Effort, occurrences, readRule, type Wall } from './recurrence.ts'

/** What the clock of a calendar means. */
export interface Clock {
  /** The zone that an event with such times gets. */
  zone: string
  /** What a clock of that zone shows then. */
  local(wall: Wall): Local
  instant(wall: Wall): number
  /** What the clock shows at that instant. */
  wall(instant: number): Wall
}

/** A clock in a zone that has a name: what it shows stays what it is. */
export function namedClock(zone: string): Clock {
  return {
    zone,
    local: localText,
    instant: wall => toInstant(localText(wall), zone).getTime(),
    wall: instant => wallOf(toLocal(new Date(instant), zone))
  }
}

/** A clock that only names instants: they are shown in the zone that is at home. */
export function utcClock(home: string): Clock {
  return clockWith(home, () => 0)
}

function clockWith(home: string, offsetMs: (wall: Wall) => number): Clock {
  return {
    zone: home,
    local: wall => toLocal(new Date(wall - offsetMs(wall)), home),
    instant: wall => wall - offsetMs(wall),
    wall: instant => instant + offsetMs(instant + offsetMs(instant))
  }
}

export function localText(wall: Wall): Local {
  const text = new Date(wall).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

export function wallOf(local: Local): Wall {
  return Date.parse(`${local.slice(0, 10)}T${local.slice(11)}Z`)
}

/** Every zone costs memory, and calendars have a handful. */
const zonesMax = 500

/** Finds the clock for a TZID: a name that we know, one of Microsoft's, or else what the calendar itself says of the zone. */
export function clocksOf(timezones: Component[], home: string): (tzid: string) => Clock | undefined {
  const described = new Map<string, Component>()
  for (const component of timezones.slice(0, zonesMax)) {
    const tzid = valueIn(component, 'TZID')?.trim()
    if (tzid !== undefined && !described.has(tzid)) described.set(tzid, component)
  }
  const known = new Map<string, Clock | undefined>()
  return tzid => {
    const name = tzid.trim()
    if (known.has(name)) return known.get(name)
    const clock = clockOf(name, described.get(name), home)
    if (known.size < zonesMax) known.set(name, clock)
    return clock
  }
}

function clockOf(tzid: string, description: Component | undefined, home: string): Clock | undefined {
  if (/^(?:etc\/)?(?:utc|gmt|z|zulu)$/i.test(tzid)) return utcClock(home)
  const zone = zoneNamed(tzid) ?? zoneNamed(valueIn(description, 'X-LIC-LOCATION') ?? '')
  if (zone !== undefined) return namedClock(zone)
  const offset = description === undefined ? undefined : offsetsOf(description)
  if (offset !== undefined) return clockWith(home, offset)
  // An abbreviation or an offset is the last resort: EST says nothing of the summer.
  const fixed = readZone(tzid)
  return fixed === undefined ? undefined : namedClock(fixed)
}

interface Observance {
  begin: Wall
  beforeMs: number
  afterMs: number
  /** When it begins in the year of the wall clock and in the one before. */
  onsets(wall: Wall): Wall[]
}

/** How far the clock is ahead of UTC, by the rules of a VTIMEZONE; undefined if it has none that can be read. */
function offsetsOf(description: Component): ((wall: Wall) => number) | undefined {
  const observances = description.parts
    .slice(0, 100)
    .map(observanceOf)
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

function observanceOf(component: Component): Observance | undefined {
  const begin = basicWall(valueIn(component, 'DTSTART') ?? '')
  const beforeMs = offsetIn(valueIn(component, 'TZOFFSETFROM'))
  const afterMs = offsetIn(valueIn(component, 'TZOFFSETTO'))
  if (begin === undefined || beforeMs === undefined || afterMs === undefined) return undefined
  const rule = readRule(valueIn(component, 'RRULE') ?? '', basicWall)
  const dates = component.lines
    .map(propertyOf)
    .filter(property => property?.name === 'RDATE')
    .flatMap(property => (property?.value ?? '').split(',').map(basicWall))
    .filter(date => date !== undefined)
  const ofYear = new Map<number, Wall[]>()

  function onsets(wall: Wall): Wall[] {
    const year = new Date(wall).getUTCFullYear()
    const known = ofYear.get(year)
    if (known !== undefined) return known
    const span = { from: Date.UTC(year - 1, 0, 1), to: Date.UTC(year + 1, 0, 1) }
    const effort: Effort = { left: 20_000 }
    const ruled = rule === undefined || begin === undefined ? [] : [...occurrences(rule, begin, span, effort)]
    // A zone that has stopped changing its clock began its last rule long ago.
    const found = [begin ?? 0, ...dates.filter(date => date < span.to), ...ruled].sort((one, other) => one - other)
    ofYear.set(year, found)
    return found
  }
  return { begin, beforeMs, afterMs, onsets }
}

/** `20270301T193000`, with or without Z, or `20270301`. */
export function basicWall(text: string): Wall | undefined {
  const form = /^\s*(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?Z?)?\s*$/i
  const [whole, year = '', month = '', day = '', hour = '00', minute = '00', second = '00'] = form.exec(text) ?? []
  if (whole === undefined) return undefined
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Math.min(Number(second), 59)
  )
  // The thirtieth of February is no day, and 24:00 is no time.
  return localText(wall).startsWith(`${year}-${month}-${day} ${hour}:${minute}`) && wall >= earliest ? wall : undefined
}

/** Outlook begins its zones in 1601. */
const earliest = Date.UTC(1600, 0, 1)

function offsetIn(text: string | undefined): number | undefined {
  const [whole, sign, hours, minutes, seconds = '0'] = /^\s*([+-])(\d\d):?(\d\d):?(\d\d)?\s*$/.exec(text ?? '') ?? []
  if (whole === undefined) return undefined
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000
  return size > yearMs / 366 ? undefined : sign === '-' ? -size : size
}

/** Of the first line with that name. */
export function valueIn(component: Component | undefined, name: string): string | undefined {
  for (const line of component?.lines ?? []) {
    if (line.text.slice(0, name.length).toUpperCase() !== name) continue
    const property = propertyOf(line)
    if (property?.name === name) return property.value
  }
  return undefined
}
