import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { parseBasicTime } from '../../../recurrence/wall-time.ts'
import type { RecurringItems } from '../source.ts'
import { type ICalContext, type ParsedEvent, parseEvent } from './event.ts'
import type { EventTimes } from './event-times.ts'
import { convertOlderVersion, type FoundEvent, newSkippedItem, toFoundEvent } from './found-event.ts'
import type { Component } from './parser.ts'
import { expandRules, type Limits, monthsAhead, parseRecurrenceKey, parseRecurrenceTime, seriesMax } from './series.ts'
import { buildSeries, type ChangedOccurrence } from './series-item.ts'

/** Maximum occurrences of all recurring entries in a calendar. */
export const occurrencesMax = 20_000

/** What the conversion of a recurring entry depends on. */
export interface RecurrenceContext {
  about: ICalContext
  limits: Limits
  /** How earlier imports brought recurring entries; undefined if the importer wants single events. */
  recurring: RecurringItems | undefined
}

/** A recurring entry with its changed occurrences. */
interface RecurringEntry {
  uid: string
  event: ParsedEvent
  when: EventTimes
  /** By the time that the rule has for them. */
  changed: Map<string, ChangedOccurrence>
}

/** Latest version first; equal versions keep the order of the file (stable sort). */
export function compareVersions(one: ParsedEvent, other: ParsedEvent): number {
  const version = ({ properties }: ParsedEvent) => Number(properties.get('SEQUENCE')?.[0]?.value.slice(0, 9) ?? 0) || 0
  return version(other) - version(one)
}

/** Converts a recurring entry to a series, or to single events where a series cannot express it. */
export function* convertRecurring(
  uid: string,
  event: ParsedEvent,
  changes: Component[],
  context: RecurrenceContext
): Generator<FoundEvent> {
  const { about, recurring } = context
  const { when } = event
  const isKnown = recurring?.series.has(uid) === true
  if (when === undefined || event.problems.length > 0 || event.skipped.length > 0) {
    const found = toFoundEvent(event, uid, when)
    yield isKnown ? { ...found, event: { ...found.event, kind: 'series' } } : found
    return
  }
  const changed = new Map<string, ChangedOccurrence>()
  for (const change of parseChanges(changes, about)) {
    const [property] = change.properties.get('RECURRENCE-ID') ?? []
    const wall = property === undefined ? undefined : parseRecurrenceTime(property, when, about)
    const key = property === undefined ? undefined : parseRecurrenceKey(property, when, about)
    if (property?.parameters.has('RANGE') === true) change.notes.push(buildText('import-source-reasons', 'range'))
    if (key === undefined || wall === undefined) yield toFoundEvent(change, `${uid}/${change.lineNumber}`, change.when)
    else if (changed.has(key)) yield convertOlderVersion(uid, change)
    else changed.set(key, { wall, event: inheritTexts(change, event) })
  }
  const entry = { uid, event, when, changed }
  if (recurring === undefined || (recurring.single.has(uid) && !isKnown)) yield* expandEntry(entry, context)
  else yield* convertToSeries(entry, context, isKnown)
}

function* convertToSeries(
  { uid, event, when, changed }: RecurringEntry,
  context: RecurrenceContext,
  isKnown: boolean
): Generator<FoundEvent> {
  const { about, limits } = context
  const built = buildSeries(event, when, { about, limits, changes: [...changed.values()] })
  if (built === undefined) {
    for (const found of expandEntry({ uid, event, when, changed }, context)) {
      yield isKnown ? { ...found, event: { ...found.event, kind: 'series', sourceId: uid } } : found
    }
    return
  }
  if ('reason' in built) {
    if (isKnown) yield newSkippedItem('series', uid, event, buildText('import-source-reasons', 'recurrenceChanged'))
    else yield* expandEntry({ uid, event, when, changed }, context, built.reason)
    return
  }
  for (const left of built.leftOut) yield toFoundEvent(left.event, `${uid}/${left.key}`, left.event.when)
  if (built.dates === 0 && !isKnown) {
    yield newSkippedItem(
      'event',
      `${uid}/…`,
      event,
      buildText('import-source-reasons', 'noOccurrence', { monthsAhead })
    )
    return
  }
  limits.left -= built.dates
  const { event: item, named } = toFoundEvent(event, uid, when)
  const differing = built.changes.map(one => ({ ...toFoundEvent(one.event, uid, one.event.when), date: one.date }))
  const notes = [
    describeDates(built.dates, built.isEndless),
    ...(item.notes ?? []),
    ...differing.flatMap(one => one.event.notes ?? [])
  ]
  yield {
    named: [...named, ...differing.flatMap(one => one.named)],
    event: {
      ...item,
      kind: 'series',
      notes: [...new Map(notes.map(note => [note.en, note])).values()],
      series: {
        ...built.recurrence,
        changes: differing.map(({ date, event: { texts, fields, image } }) => ({
          date,
          texts,
          fields,
          ...(image === undefined ? {} : { image })
        }))
      }
    }
  }
}

/** Single events for the next twelve months. */
function* expandEntry(
  { uid, event, when, changed: changes }: RecurringEntry,
  { about, limits }: RecurrenceContext,
  whySingle?: Text
): Generator<FoundEvent> {
  const series = expandRules(event, when, about, limits)
  if (series.problem !== undefined) {
    yield toFoundEvent({ ...event, problems: [...event.problems, series.problem] }, uid, when)
    return
  }
  const changed = new Map(changes)
  // The reason is a note of the first event.
  let notes = whySingle === undefined ? [] : [whySingle]
  const find = (one: ParsedEvent, key: string, times: EventTimes | undefined) => {
    const found = toFoundEvent({ ...one, notes: [...notes, ...one.notes] }, `${uid}/${key}`, times)
    notes = []
    return found
  }
  for (const { key, start } of series.occurrences) {
    const change = changed.get(key)?.event
    changed.delete(key)
    if (change === undefined) yield find(event, key, { ...when, start })
    else yield find(change, key, change.when)
  }
  // Occurrences that were moved into the span from before or after it.
  for (const [key, { event: change }] of changed) {
    const isMeant = change.when === undefined || (series.isInSpan(change.when.start) && !series.isExcluded(key))
    if (isMeant) yield find(change, key, change.when)
  }
  if (series.isTruncated)
    yield newSkippedItem(
      'event',
      `${uid}/…`,
      event,
      buildText('import-source-reasons', 'tooManyOccurrences', { seriesMax, monthsAhead, occurrencesMax })
    )
  else if (series.occurrences.length === 0)
    yield newSkippedItem(
      'event',
      `${uid}/…`,
      event,
      buildText('import-source-reasons', 'noOccurrence', { monthsAhead })
    )
}

/** Changed occurrences, the newest version first: programs that append keep the older versions in the file. */
function parseChanges(changes: Component[], about: ICalContext): ParsedEvent[] {
  const stamp = ({ properties }: ParsedEvent) => parseBasicTime(properties.get('DTSTAMP')?.[0]?.value ?? '') ?? 0
  return changes
    .map(change => parseEvent(change, about))
    .sort((one, other) => compareVersions(one, other) || stamp(other) - stamp(one))
}

/** Changed occurrences of a series that is not in the file. */
export function* convertChanges(uid: string, changes: Component[], about: ICalContext): Generator<FoundEvent> {
  const known = new Set<string>()
  for (const change of parseChanges(changes, about)) {
    const [property] = change.properties.get('RECURRENCE-ID') ?? []
    const key =
      property === undefined || change.when === undefined ? undefined : parseRecurrenceKey(property, change.when, about)
    if (key !== undefined && known.has(key)) yield convertOlderVersion(uid, change)
    else yield toFoundEvent(change, `${uid}/${key ?? change.lineNumber}`, change.when)
    if (key !== undefined) known.add(key)
  }
}

/** Some programs write only the properties that differ. */
function inheritTexts(change: ParsedEvent, event: ParsedEvent): ParsedEvent {
  return change.title === '' ? { ...change, title: event.title, texts: event.texts } : change
}

const describeDates = (count: number, isEndless: boolean): Text =>
  isEndless
    ? buildText('import-source-reasons', 'endlessSeries', { count })
    : buildText('import-source-reasons', 'seriesFromToday', { count })
