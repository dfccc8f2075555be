import { setImmediate } from 'node:timers/promises'
import { decodeText } from '#platform/csv/decode.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { parseZone } from '../../../time/zones.ts'
import { readSourceFile } from '../incoming/source-file.ts'
import { findZoneByName } from '../incoming/zone-names.ts'
import type { ImportRequest, Incoming, Source, SourceContext } from '../source.ts'
import { readCalendarProperties } from './calendar-properties.ts'
import { type ICalContext, type ParsedEvent, parseEvent } from './event.ts'
import { type EventTimes, toDateFields } from './event-times.ts'
import { convertOlderVersion, type FoundEvent, toFoundEvent } from './found-event.ts'
import { type Component, parseComponents, unescapeText } from './parser.ts'
import {
  compareVersions,
  convertChanges,
  convertRecurring,
  occurrencesMax,
  type RecurrenceContext
} from './recurring-entry.ts'
import { isSeries, type Limits } from './series.ts'
import { findValue, newClockLookup, newUtcClock, newZoneClock } from './timezones.ts'
import { getPlace, getUidNamespace, groupByUid } from './uid.ts'

/** UIDs are globally unique: a calendar may come as a file today and from a URL tomorrow. */
const origin = 'ical'
const eventsMax = 50_000
/** Maximum days examined for all series together: about half a second. */
const effortMax = 1_000_000
/** Days examined before yielding to the event loop. */
const effortPerPause = 50_000
const batchSize = 100

/** An iCalendar file or URL (RFC 5545), as real calendar programs write it. */
export async function openIcal(request: ImportRequest, tools: SourceContext): Promise<Source> {
  const text = decodeText(await readSourceFile(request, tools, 'text/calendar, text/plain;q=0.5, */*;q=0.1'))
  const calendars = parseComponents(text).filter(({ name }) => name === 'VCALENDAR')
  if (calendars.length === 0) throw newNotACalendarProblem(text)
  const events = calendars.flatMap(({ children }) => children).filter(({ name }) => name === 'VEVENT')
  if (events.length > eventsMax) throw newTooManyEventsProblem()
  return {
    origin,
    place: getPlace(calendars[0], request),
    isComplete: () => calendars.every(({ isTruncated }) => !isTruncated),
    ...readCalendarProperties(calendars[0]),
    ...estimateTotal(events),
    batches: () => readBatches(calendars, request, tools)
  }
}

/** Events and the items they reference; unknown if some events recur. */
function estimateTotal(events: Component[]): { total?: number } {
  if (events.some(isRecurring)) return {}
  const named = ['LOCATION', 'ORGANIZER', 'CATEGORIES'].map(
    name => new Set(events.map(event => findValue(event, name)))
  )
  for (const values of named) values.delete(undefined)
  return { total: named.reduce((sum, { size }) => sum + size, events.length) }
}

async function* readBatches(
  calendars: Component[],
  request: ImportRequest,
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
    const about = buildContext(calendar, request)
    const place = getUidNamespace(calendar, request)
    const groups = groupByUid(calendar, place)
    const uids = [...groups].flatMap(([uid, components]) => (components.some(isRecurring) ? [uid] : []))
    const recurring = await tools.findRecurring?.(origin, uids)
    for (const [uid, components] of groups) {
      const isOwnUid = findValue(components[0], 'UID')?.trim() === uid
      for (const { named, event } of convertGroup(uid, components, { about, limits, recurring })) {
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

const isChange = (component: Component) => (findValue(component, 'RECURRENCE-ID') ?? '').trim() !== ''
const isRecurring = (component: Component) => ['RRULE', 'RDATE'].some(name => findValue(component, name))

function* convertGroup(uid: string, components: Component[], context: RecurrenceContext): Generator<FoundEvent> {
  const { about } = context
  const changes = components.filter(isChange)
  const events = components.filter(component => !isChange(component))
  const [newest, ...others] = events.map(component => parseEvent(component, about)).sort(compareVersions)
  if (newest === undefined) {
    yield* convertChanges(uid, changes, about)
    return
  }
  if (newest.when === undefined || !isSeries(newest)) yield toFoundEvent(newest, uid, newest.when)
  else yield* convertRecurring(uid, newest, changes, context)
  for (const other of others) yield convertSibling(uid, other, newest)
}

/** Two events with the same UID are versions of one event, unless start times differ and versions are equal. */
function convertSibling(uid: string, other: ParsedEvent, newest: ParsedEvent): FoundEvent {
  const start = other.when?.start
  const isOwn = start !== undefined && start !== newest.when?.start && compareVersions(other, newest) === 0
  return isOwn
    ? toFoundEvent(other, `${uid}/${toDateFields(other.when as EventTimes).start_date}`, other.when)
    : convertOlderVersion(uid, other)
}

const newTooManyEventsProblem = () =>
  new Problem(400, 'too-many-events', buildText('import-source-reasons', 'tooManyEvents', { eventsMax }))

function newNotACalendarProblem(text: string): Problem {
  const isPage = /^\s{0,100}<(?:!doctype|html|\?xml)/i.test(text.slice(0, 200))
  return new Problem(
    400,
    'not-a-calendar',
    isPage ? buildText('import-problems', 'webPage') : buildText('import-problems', 'notACalendar')
  )
}
