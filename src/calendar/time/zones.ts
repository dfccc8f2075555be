import { Temporal } from 'temporal-polyfill'

/** The longest IANA name has 32 characters; nothing longer is worth looking up. */
const NAME_LENGTH_MAX = 64

/** The zone to store for a caller's input; undefined if it is not a zone. Aliases are kept. */
export function parseZone(text: string): string | undefined {
  const name = text.trim()
  if (name.length > NAME_LENGTH_MAX) return undefined
  const upper = name.toUpperCase()
  if (abbreviatedZones.has(upper)) return upper
  if (/^[+-]/.test(name)) return parseBareOffset(name)
  if (/^UTC[+-]/.test(name)) return parseManualMinutes(name) === undefined ? undefined : name
  return findIanaName(name)
}

/** The zone's UTC offset at that instant. */
export function getOffsetMinutes(zone: string, instant: Date): number {
  const { fixedMinutes, clock } = getZoneInfo(zone)
  if (clock === undefined) return fixedMinutes
  const day = Math.floor(instant.getTime() / dayMs)
  const atStart = getDayOffset(zone, clock, day)
  // Only on days on which clocks change does the time of day matter.
  return atStart === getDayOffset(zone, clock, day + 1) ? atStart : readOffset(clock, instant)
}

const dayMs = 86_400_000
/** Offsets at the beginning of days in UTC, by zone and day: formatting a time takes much longer than looking it up. */
const dayOffsets = new Map<string, number>()
const dayOffsetsMax = 10_000

function getDayOffset(zone: string, clock: Intl.DateTimeFormat, day: number): number {
  const key = `${zone} ${day}`
  let minutes = dayOffsets.get(key)
  if (minutes === undefined) {
    minutes = readOffset(clock, new Date(day * dayMs))
    if (dayOffsets.size >= dayOffsetsMax) dayOffsets.clear()
    dayOffsets.set(key, minutes)
  }
  return minutes
}

function readOffset(clock: Intl.DateTimeFormat, instant: Date): number {
  const shown = clock.format(instant)
  const wallClockMs = Date.UTC(
    Number(shown.slice(6, 10)),
    Number(shown.slice(0, 2)) - 1,
    Number(shown.slice(3, 5)),
    Number(shown.slice(12, 14)),
    Number(shown.slice(15, 17)),
    Number(shown.slice(18, 20))
  )
  return (wallClockMs - Math.floor(instant.getTime() / 1000) * 1000) / 60_000
}

/** The zone's abbreviation at that instant: `CET`, `CEST`, `+03` if it has no name, `GMT+0200` for a bare offset. */
export function getAbbreviation(zone: string, instant: Date): string {
  const { names } = getZoneInfo(zone)
  if (names === undefined) return /^[+-]/.test(zone) ? `GMT${zone.replace(':', '')}` : zone
  const longName = names.format(instant).split(', ')[1] ?? ''
  if (longName === 'Coordinated Universal Time') return /GMT|Greenwich/.test(zone) ? 'GMT' : 'UTC'
  const name = namelessZones.has(zone) ? undefined : abbreviations.get(longName)
  return name ?? formatOffset(getOffsetMinutes(zone, instant), '').replace(/00$/, '')
}

/** Formats `+05:30`, with the given separator between hours and minutes. */
export function formatOffset(minutes: number, separator: string): string {
  const whole = Math.abs(Math.trunc(minutes))
  const hours = String(Math.floor(whole / 60)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${hours}${separator}${String(whole % 60).padStart(2, '0')}`
}

/** The offset of a zone without clock changes: an abbreviation, `+02:00` or `UTC+5.5`. */
export function getFixedOffsetMinutes(zone: string): number | undefined {
  return abbreviatedZones.get(zone) ?? parseBareMinutes(zone) ?? parseManualMinutes(zone)
}

interface ZoneInfo {
  fixedMinutes: number
  clock?: Intl.DateTimeFormat
  names?: Intl.DateTimeFormat
}

/** Creating a formatter costs a thousand times as much as using it, so there is one per zone. */
const zoneInfoCache = new Map<string, ZoneInfo>()

function getZoneInfo(zone: string): ZoneInfo {
  const known = zoneInfoCache.get(zone)
  if (known !== undefined) return known
  const made = newZoneInfo(zone)
  zoneInfoCache.set(zone, made)
  return made
}

function newZoneInfo(zone: string): ZoneInfo {
  const fixedMinutes = getFixedOffsetMinutes(zone)
  if (fixedMinutes !== undefined) return { fixedMinutes }
  return {
    fixedMinutes: 0,
    clock: new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit'
    }),
    names: new Intl.DateTimeFormat('en-US', {
      timeZone: britishIslands.has(zone) ? 'Europe/London' : zone,
      timeZoneName: 'long'
    })
  }
}

/** Intl would return `America/New_York` for `us/eastern`; Temporal only corrects the case. */
function findIanaName(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_+-]*(?:\/[a-z0-9_+-]+){0,2}$/i.test(name) || /^systemv\//i.test(name)) return undefined
  try {
    return Temporal.PlainDateTime.from('2000-01-01').toZonedDateTime(name).timeZoneId
  } catch {
    return undefined
  }
}

function parseBareOffset(text: string): string | undefined {
  const minutes = parseBareMinutes(text)
  return minutes === undefined ? undefined : formatOffset(minutes, ':')
}

function parseBareMinutes(text: string): number | undefined {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(text) ?? []
  return hours === undefined ? undefined : toValidOffset(sign, Number(hours) * 60 + Number(minutes))
}

function parseManualMinutes(text: string): number | undefined {
  const [, sign, hours, minutes = '0', quarters = '0'] =
    /^UTC([+-])(\d{1,2})(?::([0-5]\d)|\.(0|00|25|5|50|75))?$/.exec(text) ?? []
  if (hours === undefined) return undefined
  return toValidOffset(sign, (Number(hours) + Number(`0.${quarters}`)) * 60 + Number(minutes))
}

/** All time zones are between 12 hours behind and 14 hours ahead of UTC. */
function toValidOffset(sign: string | undefined, minutes: number): number | undefined {
  if (minutes === 0) return 0
  if (sign === '-') return minutes <= 12 * 60 ? -minutes : undefined
  return minutes <= 14 * 60 ? minutes : undefined
}

/** Accepted abbreviations with their offsets in minutes. IST is left out: it differs in India, Israel and Ireland. */
const abbreviatedZones = new Map<string, number>(
  Object.entries({
    ...{ UTC: 0, GMT: 0, Z: 0, WET: 0, WEST: 60, BST: 60, CET: 60, CEST: 120, MET: 60, MEST: 120 },
    ...{ EET: 120, EEST: 180, MSK: 180, MSD: 240, IDT: 180, WAT: 60, CAT: 120, SAST: 120, EAT: 180, PKT: 300 },
    ...{ WIB: 420, WITA: 480, WIT: 540, HKT: 480, JST: 540, KST: 540, AWST: 480, ACST: 570, ACDT: 630 },
    ...{ AEST: 600, AEDT: 660, CHST: 600, NZST: 720, NZDT: 780, SST: -660, HST: -600, HDT: -540, AKST: -540 },
    ...{ AKDT: -480, PST: -480, PDT: -420, MST: -420, MDT: -360, CST: -360, CDT: -300, EST: -300, EDT: -240 },
    ...{ AST: -240, ADT: -180, NST: -210, NDT: -150 }
  })
)

/** Intl knows `EST` but returns `GMT+1` for Berlin, so its long English names are abbreviated as in the tz database. */
const abbreviations = new Map<string, string>(
  Object.entries({
    'Greenwich Mean Time': 'GMT',
    'British Summer Time': 'BST',
    'Irish Standard Time': 'IST',
    'Western European Standard Time': 'WET',
    'Western European Summer Time': 'WEST',
    'Central European Standard Time': 'CET',
    'Central European Summer Time': 'CEST',
    'Eastern European Standard Time': 'EET',
    'Eastern European Summer Time': 'EEST',
    'Moscow Standard Time': 'MSK',
    'Moscow Summer Time': 'MSD',
    'West Africa Time': 'WAT',
    'West Africa Standard Time': 'WAT',
    'Central Africa Time': 'CAT',
    'East Africa Time': 'EAT',
    'South Africa Standard Time': 'SAST',
    'Israel Standard Time': 'IST',
    'Israel Daylight Time': 'IDT',
    'Pakistan Standard Time': 'PKT',
    'India Standard Time': 'IST',
    'Western Indonesia Time': 'WIB',
    'Central Indonesia Time': 'WITA',
    'Eastern Indonesia Time': 'WIT',
    'China Standard Time': 'CST',
    'Taipei Standard Time': 'CST',
    'Taiwan Standard Time': 'CST',
    'Hong Kong Standard Time': 'HKT',
    'Philippine Standard Time': 'PST',
    'Japan Standard Time': 'JST',
    'Korean Standard Time': 'KST',
    'Australian Western Standard Time': 'AWST',
    'Australian Central Standard Time': 'ACST',
    'Australian Central Daylight Time': 'ACDT',
    'Australian Eastern Standard Time': 'AEST',
    'Australian Eastern Daylight Time': 'AEDT',
    'Chamorro Standard Time': 'ChST',
    'New Zealand Standard Time': 'NZST',
    'New Zealand Daylight Time': 'NZDT',
    'American Samoa Standard Time': 'SST',
    'Hawaii-Aleutian Standard Time': 'HST',
    'Hawaii-Aleutian Daylight Time': 'HDT',
    'Alaska Standard Time': 'AKST',
    'Alaska Daylight Time': 'AKDT',
    'Yukon Time': 'MST',
    'Pacific Standard Time': 'PST',
    'Pacific Daylight Time': 'PDT',
    'Mountain Standard Time': 'MST',
    'Mountain Daylight Time': 'MDT',
    'Mexican Pacific Standard Time': 'MST',
    'Mexican Pacific Daylight Time': 'MDT',
    'Central Standard Time': 'CST',
    'Central Daylight Time': 'CDT',
    'Cuba Standard Time': 'CST',
    'Cuba Daylight Time': 'CDT',
    'Eastern Standard Time': 'EST',
    'Eastern Daylight Time': 'EDT',
    'Atlantic Standard Time': 'AST',
    'Atlantic Daylight Time': 'ADT',
    'Newfoundland Standard Time': 'NST',
    'Newfoundland Daylight Time': 'NDT'
  })
)

/** Intl gives these a neighbour's name, which the tz database does not. */
const namelessZones = new Set(['Antarctica/Casey', 'Antarctica/Troll', 'Asia/Colombo', 'Europe/Minsk'])

/** Intl has no summer name for these, although they follow London's time. */
const britishIslands = new Set(['Europe/Guernsey', 'Europe/Isle_of_Man', 'Europe/Jersey'])
