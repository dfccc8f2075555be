import type { Text } from '#platform/language.ts'
import type { EventRead } from './event.ts'
import type { Property } from './lines.ts'
import { type Effort, occurrences, type Rule, readRule, type Wall } from './recurrence.ts'
import { type Moment, readMoment, type TimesOf, type When } from './when.ts'
import { basicWall } from './zones.ts'

/** A day of a series. It is known by when it should take place by the rule, wherever it was moved to. */
export interface Occurrence {
  key: string
  start: Wall
}

/** What a whole calendar may take: whoever wrote its rules is a stranger. */
export interface Limits {
  now: Date
  /** Occurrences that may still come, in the whole calendar. */
  left: number
  effort: Effort
}

export interface Series {
  occurrences: Occurrence[]
  /** Days on which it does not take place. */
  isExcluded(key: string): boolean
  /** When something of the series may be told of. */
  isInSpan(start: Wall): boolean
  /** There would be more. */
  isCut: boolean
  problem?: Text
}

/** A daily event for a year, and some more. */
export const seriesMax = 400
export const monthsAhead = 12
/** Enough for every day since 1890. */
const effortMax = 50_000
const dayMs = 86_400_000
const datesMax = 5000

export function isSeries({ properties }: EventRead): boolean {
  return properties.has('RRULE') || properties.has('RDATE')
}

/** When the event takes place from today on, twelve months ahead. */
export function seriesOf(event: EventRead, when: When, about: TimesOf, limits: Limits): Series {
  const span = spanOf(when, limits.now)
  const rules = rulesIn(event, 'RRULE', when)
  const exceptRules = rulesIn(event, 'EXRULE', when)
  const excluded = keysIn(event, 'EXDATE', when, about)
  const effort: Effort = { left: Math.min(effortMax, limits.effort.left) }
  const given = effort.left
  for (const rule of exceptRules.rules) {
    for (const wall of occurrences(rule, when.start, span, effort)) excluded.add(keyOf(wall, when))
  }
  const isExcluded = (key: string) => excluded.has(key) || excluded.has(key.slice(0, 8))

  const found = new Map<string, Wall>()
  const starts = [
    ...momentsIn(event, 'RDATE', about).map(moment => wallOn(when, moment)),
    ...(rules.rules.length === 0 ? [when.start] : [])
  ]
  for (const wall of starts) {
    if (isIn(span, wall) && !isExcluded(keyOf(wall, when))) found.set(keyOf(wall, when), wall)
  }
  let isCut = found.size > seriesMax
  for (const rule of rules.rules) {
    for (const wall of occurrences(rule, when.start, span, effort)) {
      const key = keyOf(wall, when)
      if (isExcluded(key) || found.has(key)) continue
      isCut ||= found.size >= seriesMax
      if (isCut) break
      found.set(key, wall)
    }
  }
  limits.effort.left -= given - effort.left
  const all = [...found].map(([key, start]) => ({ key, start })).sort((one, other) => one.start - other.start)
  const room = Math.min(seriesMax, limits.left)
  const kept = all.slice(0, Math.max(room, 0))
  limits.left -= kept.length
  const unclear = rules.unclear ?? exceptRules.unclear
  return {
    occurrences: kept,
    isExcluded,
    isInSpan: start => isIn(span, start),
    isCut: isCut || kept.length < all.length || effort.left <= 0,
    ...(unclear === undefined ? {} : { problem: noRule(unclear) })
  }
}

interface Span {
  from: Wall
  to: Wall
}

const isIn = ({ from, to }: Span, wall: Wall) => wall >= from && wall <= to

/** From the beginning of today, what still goes on included, to the end of the same day in a year. */
function spanOf({ clock, lengthMs }: When, now: Date): Span {
  const wall = clock.wall(now.getTime())
  const today = wall - (wall % dayMs)
  const date = new Date(today)
  const year = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsAhead, date.getUTCDate())
  return { from: today - Math.max(lengthMs - 1, 0), to: year + dayMs - 1 }
}

/** What two calendars call the same occurrence: its day, or its instant. */
export function keyOf(wall: Wall, { isDay, clock }: When): string {
  const text = new Date(isDay ? wall : clock.instant(wall)).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return isDay ? text.slice(0, 8) : text
}

/** The key that a RECURRENCE-ID means. */
export function keyAt(property: Property, when: When, about: TimesOf): string | undefined {
  const moment = readMoment(property, about)
  if ('en' in moment) return undefined
  // A day without a time means the time of the series.
  const wall = moment.isDay && !when.isDay ? moment.wall + (when.start % dayMs) : wallOn(when, moment)
  return keyOf(wall, when)
}

/** The moment on the clock of the series. */
function wallOn(when: When, moment: Moment): Wall {
  if (when.isDay) return moment.wall - (moment.wall % dayMs)
  if (moment.isDay) return moment.wall + (when.start % dayMs)
  return moment.clock === when.clock ? moment.wall : when.clock.wall(moment.clock.instant(moment.wall))
}

function momentsIn(event: EventRead, name: string, about: TimesOf) {
  return (event.properties.get(name) ?? [])
    .flatMap(property =>
      property.value.split(',', datesMax).map(value => ({ property, value: value.split('/')[0] ?? '' }))
    )
    .slice(0, datesMax)
    .map(({ property, value }) => readMoment(property, about, value))
    .filter((moment): moment is Moment => !('en' in moment))
}

function keysIn(event: EventRead, name: string, when: When, about: TimesOf): Set<string> {
  return new Set(momentsIn(event, name, about).map(moment => keyOf(wallOn(when, moment), when)))
}

function rulesIn(event: EventRead, name: string, when: When): { rules: Rule[]; unclear?: Property } {
  const rules: Rule[] = []
  for (const property of event.properties.get(name)?.slice(0, 20) ?? []) {
    const rule = readRule(property.value, text => untilOf(text, when))
    if (rule === undefined) return { rules, unclear: property }
    rules.push(rule)
  }
  return { rules }
}

function untilOf(text: string, { clock, isDay }: When): Wall | undefined {
  const wall = basicWall(text)
  if (wall === undefined) return undefined
  if (isDay || !/t/i.test(text)) return wall - (wall % dayMs) + dayMs - 1
  return /z\s*$/i.test(text) ? clock.wall(wall) : wall
}

const noRule = ({ name, number, value }: Property): Text => ({
  en: `Line ${number}: ${name} is not understood: “${value.slice(0, 80)}”.`,
  de: `Zeile ${number}: ${name} ist nicht verständlich: „${value.slice(0, 80)}“.`
})
