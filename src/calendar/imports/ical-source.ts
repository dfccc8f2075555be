import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { textIn } from '#platform/file-text.ts'
import type { Text } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { readZone } from '../zones.ts'
import { type About, type EventRead, readEvent } from './ical/event.ts'
import { type Component, componentsIn, plain } from './ical/lines.ts'
import { isSeries, keyAt, type Limits, monthsAhead, seriesMax, seriesOf } from './ical/series.ts'
import { datesOf, type When } from './ical/when.ts'
import { clocksOf, namedClock, utcClock, valueIn } from './ical/zones.ts'
import { bytesOf, webAddress } from './reading/bytes.ts'
import { zoneNamed } from './reading/zone-names.ts'
import type { Incoming, Source, Tools, Wish } from './source.ts'

const eventsMax = 50_000
/** Occurrences of all series of a calendar together. */
const occurrencesMax = 20_000
/** Days that are looked at for all series together: about half a second. */
const effortMax = 1_000_000
/** Days that are looked at in one go, while others wait. */
const effortInOneGo = 50_000
const batchSize = 100

/** An iCalendar file or address (RFC 5545), as the calendar programs of this world write it. */
export async function openIcal(wish: Wish, tools: Tools): Promise<Source> {
  const text = textIn(await bytesOf(wish, tools, 'text/calendar, text/plain;q=0.5, */*;q=0.1'))
  const calendars = componentsIn(text).filter(({ name }) => name === 'VCALENDAR')
  if (calendars.length === 0) throw noCalendar(text)
  const events = calendars.flatMap(({ parts }) => parts).filter(({ name }) => name === 'VEVENT')
  if (events.length > eventsMax) throw tooManyEvents()
  return {
    // UIDs are at home in the whole world: a calendar may come as a file today and from its address tomorrow.
    origin: 'ical',
    ...totalOf(events),
    batches: () => batchesOf(calendars, wish, tools)
  }
}

/** Events and what they name; unknown where some of them repeat. */
function totalOf(events: Component[]): { total?: number } {
  if (events.some(event => (valueIn(event, 'RRULE') ?? valueIn(event, 'RDATE')) !== undefined)) return {}
  const named = ['LOCATION', 'ORGANIZER', 'CATEGORIES'].map(name => new Set(events.map(event => valueIn(event, name))))
  for (const values of named) values.delete(undefined)
  return { total: named.reduce((sum, { size }) => sum + size, events.length) }
}

async function* batchesOf(calendars: Component[], wish: Wish, tools: Tools): AsyncGenerator<Incoming[]> {
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
    const about = aboutOf(calendar, wish)
    const place = placeOf(calendar, wish)
    for (const [uid, components] of groupsOf(calendar, place)) {
      for (const { named, event } of incomingOf(uid, components, about, limits)) {
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
      if (pausedAt - limits.effort.left > effortInOneGo) await pause()
    }
  }
  if (batch.length > 0) yield batch
}

function aboutOf(calendar: Component, { language, timezone }: Wish): About {
  const own = plain(valueIn(calendar, 'X-WR-TIMEZONE') ?? '').trim()
  const said = zoneNamed(own) ?? readZone(own)
  // Programs that know no better say UTC; whoever imports knows where the events take place.
  const home = said === undefined || /^(?:Etc\/)?(?:UTC|GMT)$/i.test(said) ? timezone : said
  return {
    language,
    floating: namedClock(home),
    utc: utcClock(home),
    clockOf: clocksOf(
      calendar.parts.filter(({ name }) => name === 'VTIMEZONE'),
      home
    ),
    isOurs: (valueIn(calendar, 'PRODID') ?? '').includes('//Kalends//'),
    isCalledOff: /^\s*CANCEL\s*$/i.test(valueIn(calendar, 'METHOD') ?? '')
  }
}

/** Where ids are at home that do not name their own home. */
function placeOf(calendar: Component, { url, fileName }: Wish): string {
  if (url !== null) return webAddress(url)
  return valueIn(calendar, 'X-WR-CALNAME') ?? valueIn(calendar, 'PRODID') ?? fileName ?? ''
}

const uidLengthMax = 300

/** The components of each event: itself, and the days of a series that were changed. */
function groupsOf(calendar: Component, place: string): Map<string, Component[]> {
  const groups = new Map<string, Component[]>()
  for (const component of calendar.parts) {
    if (component.name !== 'VEVENT') continue
    const uid = uidOf(component, place)
    const group = groups.get(uid)
    if (group === undefined) groups.set(uid, [component])
    else group.push(component)
  }
  return groups
}

function uidOf(component: Component, place: string): string {
  const uid = valueIn(component, 'UID')?.trim() ?? ''
  if (uid === '') return digest([valueIn(component, 'SUMMARY'), valueIn(component, 'DTSTART'), place].join('\n'))
  if (uid.length > uidLengthMax) return digest(uid)
  // A UID such as `17` is only unique in its calendar, whatever the RFC wishes.
  return uid.length < 16 && !uid.includes('@') ? digest(`${uid}\n${place}`) : uid
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

interface Found {
  named: Incoming[]
  event: Incoming
}

function* incomingOf(uid: string, components: Component[], about: About, limits: Limits): Generator<Found> {
  const isChange = (component: Component) => valueIn(component, 'RECURRENCE-ID') !== undefined
  const changes = components.filter(isChange)
  const events = components.filter(component => !isChange(component))
  const [newest, ...others] = events.map(component => readEvent(component, about)).sort(byAge)
  if (newest === undefined) {
    for (const change of changes) yield changedDay(uid, readEvent(change, about), about)
    return
  }
  if (newest.when === undefined || !isSeries(newest)) yield found(newest, uid, newest.when)
  else yield* daysOf(uid, newest, newest.when, { changes, about, limits })
  for (const other of others) yield sibling(uid, other, newest)
}

/** The latest version first; the sort keeps the order of the file where they are equal. */
function byAge(one: EventRead, other: EventRead): number {
  const version = ({ properties }: EventRead) => Number(properties.get('SEQUENCE')?.[0]?.value.slice(0, 9) ?? 0) || 0
  return version(other) - version(one)
}

/** Two that share a UID are two versions of one event, unless they start at different times and are as old as each other. */
function sibling(uid: string, other: EventRead, newest: EventRead): Found {
  const start = other.when?.start
  const isOwn = start !== undefined && start !== newest.when?.start && byAge(other, newest) === 0
  const one = found(other, `${uid}/${isOwn ? datesOf(other.when as When).start_date : other.number}`, other.when)
  if (!isOwn) one.event.skipped = [...(one.event.skipped ?? []), isOlder(other.number)]
  return one
}

interface Around {
  changes: Component[]
  about: About
  limits: Limits
}

function* daysOf(uid: string, event: EventRead, when: When, { changes, about, limits }: Around): Generator<Found> {
  const series = seriesOf(event, when, about, limits)
  if (series.problem !== undefined) event.problems.push(series.problem)
  if (event.problems.length > 0 || event.skipped.length > 0) {
    yield found(event, uid, when)
    return
  }
  const changed = new Map<string, EventRead>()
  for (const component of changes) {
    const change = readEvent(component, about)
    const [property] = change.properties.get('RECURRENCE-ID') ?? []
    const key = property === undefined ? undefined : keyAt(property, when, about)
    if (property?.parameters.has('RANGE') === true) change.notes.push(onlyThisDay)
    if (key !== undefined) changed.set(key, change)
    else yield changedDay(uid, change, about)
  }
  for (const { key, start } of series.occurrences) {
    const change = changed.get(key)
    changed.delete(key)
    if (change === undefined) yield found(event, `${uid}/${key}`, { ...when, start })
    else yield found(inherited(change, event), `${uid}/${key}`, change.when)
  }
  // Days that were moved here from before or after.
  for (const [key, change] of changed) {
    const isMeant = change.when === undefined || (series.isInSpan(change.when.start) && !series.isExcluded(key))
    if (isMeant) yield found(inherited(change, event), `${uid}/${key}`, change.when)
  }
  if (series.isCut) yield left(uid, event, moreFollow)
  else if (series.occurrences.length === 0) yield left(uid, event, isOver)
}

/** A changed day of a series that is not in the file. */
function changedDay(uid: string, change: EventRead, about: About): Found {
  const [property] = change.properties.get('RECURRENCE-ID') ?? []
  const key = property === undefined || change.when === undefined ? undefined : keyAt(property, change.when, about)
  return found(change, `${uid}/${key ?? change.number}`, change.when)
}

/** Some programs write only what is different. */
function inherited(change: EventRead, event: EventRead): EventRead {
  if (change.title !== '') return change
  return {
    ...change,
    title: event.title,
    texts: event.texts,
    problems: change.when === undefined ? change.problems : []
  }
}

function found(event: EventRead, sourceId: string, when: When | undefined): Found {
  const { title, texts, fields, image, named, problems, skipped, notes, number } = event
  const isFine = problems.length === 0 && skipped.length === 0
  return {
    named: isFine ? named : [],
    event: {
      kind: 'event',
      sourceId,
      texts: title === '' ? { en: { title: `Line ${number}` } } : texts,
      fields: when === undefined ? fields : { ...fields, ...datesOf(when) },
      ...(image === undefined ? {} : { image }),
      problems,
      ...(skipped.length === 0 ? {} : { skipped: [...skipped] }),
      ...(notes.length === 0 ? {} : { notes })
    }
  }
}

/** A line in the report for what is not imported of a series. */
function left(uid: string, event: EventRead, why: Text): Found {
  const { texts } = event
  return { named: [], event: { kind: 'event', sourceId: `${uid}/…`, texts, fields: {}, problems: [], skipped: [why] } }
}

const moreFollow: Text = {
  en: `It comes more often than ${seriesMax} times in the next ${monthsAhead} months, or there are more than ${occurrencesMax} of such events: the others were left out.`,
  de: `Er kommt in den nächsten ${monthsAhead} Monaten mehr als ${seriesMax}-mal, oder es gibt mehr als ${occurrencesMax} solche Termine: Die übrigen wurden ausgelassen.`
}

const isOver: Text = {
  en: `It does not take place in the next ${monthsAhead} months; of events that repeat, nothing else is imported.`,
  de: `Er findet in den nächsten ${monthsAhead} Monaten nicht statt; von wiederkehrenden Terminen wird sonst nichts importiert.`
}

const onlyThisDay: Text = {
  en: 'The calendar changes the days after this one too (RANGE); here only this one is changed.',
  de: 'Der Kalender ändert auch die Tage danach (RANGE); hier ist nur dieser geändert.'
}

const isOlder = (line: number): Text => ({
  en: `The event that begins in line ${line} is an older version of one that is also in the file.`,
  de: `Der Termin ab Zeile ${line} ist eine ältere Fassung eines anderen in der Datei.`
})

const tooManyEvents = () =>
  new Problem(400, 'too-many-events', {
    en: `A calendar may have at most ${eventsMax} events. Import it in parts.`,
    de: `Ein Kalender darf höchstens ${eventsMax} Termine haben. Importieren Sie ihn in Teilen.`
  })

function noCalendar(text: string): Problem {
  const isPage = /^\s{0,100}<(?:!doctype|html|\?xml)/i.test(text.slice(0, 200))
  const en = isPage ? ' It is a web page: copy the address of the calendar itself, which often ends with .ics.' : ''
  const de = isPage
    ? ' Es ist eine Webseite: Kopieren Sie die Adresse des Kalenders selbst, die oft auf .ics endet.'
    : ''
  return new Problem(400, 'not-a-calendar', {
    en: `This is no iCalendar file: BEGIN:VCALENDAR is not in it.${en}`,
    de: `Das ist keine iCalendar-Datei: BEGIN:VCALENDAR kommt darin nicht vor.${de}`
  })
}
