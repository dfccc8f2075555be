import { setImmediate } from 'node:timers/promises'
import { decodeText } from '#platform/csv/decode.ts'
import type { Text } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { parseBasicTime } from '../../../recurrence/wall-time.ts'
import { parseZone } from '../../../time/zones.ts'
import { readSourceFile } from '../incoming/source-file.ts'
import { findZoneByName } from '../incoming/zone-names.ts'
import type { ImportRequest, Incoming, Source, SourceContext } from '../source.ts'
import { type ICalContext, type ParsedEvent, parseEvent } from './event.ts'
import { type EventTimes, toDateFields } from './event-times.ts'
import { type Component, parseComponents, unescapeText } from './parser.ts'
import { expandRules, isSeries, type Limits, monthsAhead, parseRecurrenceKey, seriesMax } from './series.ts'
import { findValue, newClockLookup, newUtcClock, newZoneClock } from './timezones.ts'
import { getPlace, getUidNamespace, groupByUid } from './uid.ts'

const eventsMax = 50_000
/** Maximum occurrences of all series in a calendar. */
const occurrencesMax = 20_000
/** Maximum days examined for all series together: about half a second. */
const effortMax = 1_000_000
/** Days examined before yielding to the event loop. */
const effortPerPause = 50_000
const batchSize = 100

/** An iCalendar file or URL (RFC 5545), as real calendar programs write it. */
export async function openIcal(wish: ImportRequest, tools: SourceContext): Promise<Source> {
  const text = decodeText(await readSourceFile(wish, tools, 'text/calendar, text/plain;q=0.5, */*;q=0.1'))
  const calendars = parseComponents(text).filter(({ name }) => name === 'VCALENDAR')
  if (calendars.length === 0) throw newNotACalendarProblem(text)
  const events = calendars.flatMap(({ children }) => children).filter(({ name }) => name === 'VEVENT')
  if (events.length > eventsMax) throw newTooManyEventsProblem()
  return {
    // UIDs are globally unique: a calendar may come as a file today and from a URL tomorrow.
    origin: 'ical',
    place: getPlace(calendars[0], wish),
    isComplete: () => calendars.every(({ isTruncated }) => !isTruncated),
    ...estimateTotal(events),
    batches: () => readBatches(calendars, wish, tools)
  }
}

/** Events and the items they reference; unknown if some events recur. */
function estimateTotal(events: Component[]): { total?: number } {
  if (events.some(event => Boolean(findValue(event, 'RRULE') || findValue(event, 'RDATE')))) return {}
  const named = ['LOCATION', 'ORGANIZER', 'CATEGORIES'].map(
    name => new Set(events.map(event => findValue(event, name)))
  )
  for (const values of named) values.delete(undefined)
  return { total: named.reduce((sum, { size }) => sum + size, events.length) }
}

async function* readBatches(
  calendars: Component[],
  wish: ImportRequest,
  tools: SourceContext
): AsyncGenerator<Incoming[]> {
  const limits: Limits = { now: tools.now, left: occurrencesMax, effort: { left: effortMax } }
  const known = new Set<string>()
  let batch: Incoming[] = []
  let pausedAt = limits.effort.left
  const pause = async () => {
    pausedAt = limits.effort.left
    await setImmediate()
    tools.signal.throwIfAborted()
  }
  for (const calendar of calendars) {
    const about = buildContext(calendar, wish)
    const place = getUidNamespace(calendar, wish)
    for (const [uid, components] of groupByUid(calendar, place)) {
      const isOwnUid = findValue(components[0], 'UID')?.trim() === uid
      for (const { named, event } of convertGroup(uid, components, about, limits)) {
        if (isOwnUid) event.uid = event.sourceId
        for (const one of named) {
          const id = `${one.kind} ${one.sourceId}`
          if (!known.has(id)) batch.push(one)
          known.add(id)
        }
        batch.push(event)
        if (batch.length < batchSize) continue
        yield batch
        batch = []
        await pause()
      }
      if (pausedAt - limits.effort.left > effortPerPause) await pause()
    }
  }
  if (batch.length > 0) yield batch
}

function buildContext(calendar: Component, { language, timezone }: ImportRequest): ICalContext {
  const own = unescapeText(findValue(calendar, 'X-WR-TIMEZONE') ?? '').trim()
  const said = findZoneByName(own) ?? parseZone(own)
  // Programs that do not know the zone write UTC; the import request knows where the events take place.
  const home = said === undefined || /^(?:Etc\/)?(?:UTC|GMT)$/i.test(said) ? timezone : said
  return {
    language,
    floating: newZoneClock(home),
    utc: newUtcClock(home),
    clockOf: newClockLookup(
      calendar.children.filter(({ name }) => name === 'VTIMEZONE'),
      home
    ),
    isOurs: (findValue(calendar, 'PRODID') ?? '').includes('//Kalends//'),
    isCalledOff: /^\s*CANCEL\s*$/i.test(findValue(calendar, 'METHOD') ?? '')
  }
}

interface FoundEvent {
  named: Incoming[]
  event: Incoming
}

function* convertGroup(
  uid: string,
  components: Component[],
  about: ICalContext,
  limits: Limits
): Generator<FoundEvent> {
  const isChange = (component: Component) => (findValue(component, 'RECURRENCE-ID') ?? '').trim() !== ''
  const changes = components.filter(isChange)
  const events = components.filter(component => !isChange(component))
  const [newest, ...others] = events.map(component => parseEvent(component, about)).sort(compareVersions)
  if (newest === undefined) {
    yield* convertChanges(uid, changes, about)
    return
  }
  if (newest.when === undefined || !isSeries(newest)) yield toFoundEvent(newest, uid, newest.when)
  else yield* expandSeries(uid, newest, newest.when, { changes, about, limits })
  for (const other of others) yield convertSibling(uid, other, newest)
}

/** Latest version first; equal versions keep the order of the file (stable sort). */
function compareVersions(one: ParsedEvent, other: ParsedEvent): number {
  const version = ({ properties }: ParsedEvent) => Number(properties.get('SEQUENCE')?.[0]?.value.slice(0, 9) ?? 0) || 0
  return version(other) - version(one)
}

/** Two events with the same UID are versions of one event, unless start times differ and versions are equal. */
function convertSibling(uid: string, other: ParsedEvent, newest: ParsedEvent): FoundEvent {
  const start = other.when?.start
  const isOwn = start !== undefined && start !== newest.when?.start && compareVersions(other, newest) === 0
  return isOwn
    ? toFoundEvent(other, `${uid}/${toDateFields(other.when as EventTimes).start_date}`, other.when)
    : convertOlderVersion(uid, other)
}

function convertOlderVersion(uid: string, older: ParsedEvent): FoundEvent {
  const one = toFoundEvent(older, `${uid}/${older.lineNumber}`, older.when)
  one.event.skipped = [...(one.event.skipped ?? []), describeOlderVersion(older.lineNumber)]
  return { ...one, named: [] }
}

interface SeriesContext {
  changes: Component[]
  about: ICalContext
  limits: Limits
}

function* expandSeries(
  uid: string,
  event: ParsedEvent,
  when: EventTimes,
  { changes, about, limits }: SeriesContext
): Generator<FoundEvent> {
  const series = expandRules(event, when, about, limits)
  if (series.problem !== undefined) event.problems.push(series.problem)
  if (event.problems.length > 0 || event.skipped.length > 0) {
    yield toFoundEvent(event, uid, when)
    return
  }
  const changed = new Map<string, ParsedEvent>()
  for (const change of parseChanges(changes, about)) {
    const [property] = change.properties.get('RECURRENCE-ID') ?? []
    const key = property === undefined ? undefined : parseRecurrenceKey(property, when, about)
    if (property?.parameters.has('RANGE') === true) change.notes.push(onlyThisDay)
    if (key === undefined) yield toFoundEvent(change, `${uid}/${change.lineNumber}`, change.when)
    else if (changed.has(key)) yield convertOlderVersion(uid, change)
    else changed.set(key, change)
  }
  for (const { key, start } of series.occurrences) {
    const change = changed.get(key)
    changed.delete(key)
    if (change === undefined) yield toFoundEvent(event, `${uid}/${key}`, { ...when, start })
    else yield toFoundEvent(inheritTexts(change, event), `${uid}/${key}`, change.when)
  }
  // Occurrences that were moved into the span from before or after it.
  for (const [key, change] of changed) {
    const isMeant = change.when === undefined || (series.isInSpan(change.when.start) && !series.isExcluded(key))
    if (isMeant) yield toFoundEvent(inheritTexts(change, event), `${uid}/${key}`, change.when)
  }
  if (series.isTruncated) yield newSkippedRest(uid, event, moreFollow)
  else if (series.occurrences.length === 0) yield newSkippedRest(uid, event, isOver)
}

/** Changed occurrences, the newest version first: programs that append keep the older versions in the file. */
function parseChanges(changes: Component[], about: ICalContext): ParsedEvent[] {
  const stamp = ({ properties }: ParsedEvent) => parseBasicTime(properties.get('DTSTAMP')?.[0]?.value ?? '') ?? 0
  return changes
    .map(change => parseEvent(change, about))
    .sort((one, other) => compareVersions(one, other) || stamp(other) - stamp(one))
}

/** Changed occurrences of a series that is not in the file. */
function* convertChanges(uid: string, changes: Component[], about: ICalContext): Generator<FoundEvent> {
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

function toFoundEvent(event: ParsedEvent, sourceId: string, when: EventTimes | undefined): FoundEvent {
  const { title, texts, fields, image, named, problems, skipped, lineNumber } = event
  const isFine = problems.length === 0 && skipped.length === 0
  const notes = title === '' ? [...event.notes, describeUntitled(lineNumber, texts)] : event.notes
  return {
    named: isFine ? named : [],
    event: {
      kind: 'event',
      sourceId,
      texts,
      fields: when === undefined ? fields : { ...fields, ...toDateFields(when) },
      ...(image === undefined ? {} : { image }),
      problems,
      ...(skipped.length === 0 ? {} : { skipped: [...skipped] }),
      ...(notes.length === 0 ? {} : { notes })
    }
  }
}

/** A report row for the occurrences of a series that are not imported. */
function newSkippedRest(uid: string, event: ParsedEvent, why: Text): FoundEvent {
  const { texts } = event
  return { named: [], event: { kind: 'event', sourceId: `${uid}/…`, texts, fields: {}, problems: [], skipped: [why] } }
}

const moreFollow: Text = {
  en: `More than ${seriesMax} occurrences in the next ${monthsAhead} months, or more than ${occurrencesMax} in the file; the others were skipped.`,
  de: `Mehr als ${seriesMax} Wiederholungen in den nächsten ${monthsAhead} Monaten oder mehr als ${occurrencesMax} in der Datei; die übrigen wurden übersprungen.`
}

const isOver: Text = {
  en: `No occurrence in the next ${monthsAhead} months; of recurring events, only these are imported.`,
  de: `Keine Wiederholung in den nächsten ${monthsAhead} Monaten; von wiederkehrenden Terminen werden nur diese importiert.`
}

const onlyThisDay: Text = {
  en: 'The calendar also changes later occurrences (RANGE); only this one is changed here.',
  de: 'Der Kalender ändert auch spätere Wiederholungen (RANGE); hier wird nur diese geändert.'
}

const describeUntitled = (line: number, texts: Incoming['texts']): Text => {
  const [title] = Object.values(texts).map(text => text.title)
  return {
    en: `The event that begins in line ${line} has no title (SUMMARY); it was imported as “${title}”.`,
    de: `Der Termin ab Zeile ${line} hat keinen Titel (SUMMARY); er wurde als „${title}“ importiert.`
  }
}

const describeOlderVersion = (line: number): Text => ({
  en: `The event that begins in line ${line} is an older version of another event in the file.`,
  de: `Der Termin ab Zeile ${line} ist eine ältere Fassung eines anderen in der Datei.`
})

const newTooManyEventsProblem = () =>
  new Problem(400, 'too-many-events', {
    en: `A calendar may have at most ${eventsMax} events. Import it in parts.`,
    de: `Ein Kalender darf höchstens ${eventsMax} Termine haben. Importieren Sie ihn in Teilen.`
  })

function newNotACalendarProblem(text: string): Problem {
  const isPage = /^\s{0,100}<(?:!doctype|html|\?xml)/i.test(text.slice(0, 200))
  const en = isPage ? ' It is a web page: copy the address of the calendar itself, which often ends with .ics.' : ''
  const de = isPage
    ? ' Es ist eine Webseite: Kopieren Sie die Adresse des Kalenders selbst, die oft auf .ics endet.'
    : ''
  return new Problem(400, 'not-a-calendar', {
    en: `This is not an iCalendar file: BEGIN:VCALENDAR is missing.${en}`,
    de: `Das ist keine iCalendar-Datei: BEGIN:VCALENDAR fehlt.${de}`
  })
}
