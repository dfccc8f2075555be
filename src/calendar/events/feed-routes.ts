import { Readable } from 'node:stream'
import type { Scope } from '#platform/service.ts'
import { begun } from '#platform/stream.ts'
import { textOf } from '../html.ts'
import { type CalendarEntry, type CalendarHead, calendarPieces, calendarText } from '../ical.ts'
import { isUnlocked } from '../linked/wire.ts'
import { imageToWire } from '../media/wire.ts'
import { noLongerAvailable, notAccessible, notFound, passwordProtected } from '../problems.ts'
import { truthFilter } from '../rules.ts'
import { type Answer, addRoute, type RouteTable, type Visit } from '../tec.ts'
import { maySee } from '../viewer.ts'
import { findAll, findFirst, readerOf } from './page.ts'
import type { EventRow } from './queries.ts'
import * as events from './queries.ts'
import { type EventFilterValues, eventListParameters, readParameters } from './schema.ts'
import { eventUrl, isClosed } from './wire.ts'

/** More than a calendar program shows; whoever has more filters. */
const entriesMax = 5000

const { page: _page, per_page: _perPage, ...feedParameters } = eventListParameters

const type = 'text/calendar; charset=utf-8'
const answers = { type: 'string', description: 'iCalendar' }

/** Calendars to import or subscribe to. */
export function feedRoutes(scope: Scope, table: RouteTable): void {
  addRoute(scope, table, {
    methods: ['GET'],
    path: '/events.ics',
    needs: 'nothing',
    summary: 'Events as iCalendar, with the filters of the list',
    takes: {
      ...feedParameters,
      all: truthFilter(`All events, past ones too, however many; otherwise the next two years, at most ${entriesMax}.`)
    },
    answers,
    produces: 'text/calendar',
    handler: async (visit, values) => {
      if (values.all === true) return await allOf(visit, values)
      const rows = await findFirst(visit, values, entriesMax)
      return feedOf(visit, rows, values.password, 'events')
    }
  })

  addRoute(scope, table, {
    methods: ['GET'],
    path: '/events/{id}.ics',
    needs: 'nothing',
    summary: 'One event as iCalendar',
    takes: readParameters,
    answers,
    produces: 'text/calendar',
    handler: async (visit, { password }, { id }) => {
      const row = await events.find(visit.db, id, readerOf(visit))
      if (row === undefined) throw notFound('event', id)
      if (row.status === 'trash') throw noLongerAvailable('event')
      if (!maySee(visit.viewer, row, visit.now)) throw notAccessible('event')
      if (isClosed(row, { password })) throw passwordProtected('event')
      return feedOf(visit, [row], password, row.slug || `event-${id}`)
    }
  })
}

/** Sent while it is read. */
async function allOf(visit: Visit, values: EventFilterValues): Promise<Answer> {
  async function* entries() {
    for await (const rows of findAll(visit, values)) yield rows.map(row => entryOf(row, visit, values.password))
  }
  const content = Readable.from(calendarPieces(headOf(visit), await begun(entries())))
  return { body: {}, language: visit.language, stream: { content, type, headers: attached('events') } }
}

function feedOf(visit: Visit, rows: EventRow[], password: string | undefined, fileName: string): Answer {
  const content = calendarText(
    headOf(visit),
    rows.map(row => entryOf(row, visit, password))
  )
  return { body: {}, language: visit.language, text: { content, type, headers: attached(fileName) } }
}

function attached(fileName: string): Record<string, string> {
  const name = fileName.replace(/[^\w-]/g, '').slice(0, 80) || 'events'
  return { 'content-disposition': `attachment; filename="${name}.ics"` }
}

const names = { en: 'Events', de: 'Veranstaltungen' }

function headOf({ site, language, request }: Visit): CalendarHead {
  const host = site.origin.replace(/^\w+:\/\//, '').replace(/:\d+$/, '')
  return {
    name: `${names[language]} · ${host}`,
    description: '',
    language,
    source: site.origin + request.originalUrl.replace(/\/(?=\?|$)/, ''),
    url: site.origin,
    host
  }
}

/** What a password hides is not in it either. */
function entryOf(row: EventRow, visit: Visit, password: string | undefined): CalendarEntry {
  const closed = isClosed(row, { password })
  const venue = closed ? undefined : row.venues?.find(one => isUnlocked(one, { ...visit, password }))
  const image = closed || row.image === null ? null : imageToWire(row.image, visit.site)
  return {
    id: row.id,
    version: row.version,
    createdAt: new Date(row.createdAt),
    modifiedAt: new Date(row.modifiedAt),
    title: row.title,
    description: closed ? '' : textOf(row.description === '' ? row.excerpt : row.description),
    start: row.start,
    end: row.end,
    startUtc: new Date(row.startsAt),
    endUtc: new Date(row.endsAt),
    timezone: row.timezone,
    allDay: row.allDay,
    cancelled: row.eventStatus === 'canceled',
    url: eventUrl(row, visit),
    location: venue === undefined ? '' : placeOf(venue),
    geo: venue?.geoLat == null || venue.geoLng === null ? null : { latitude: venue.geoLat, longitude: venue.geoLng },
    categories: closed ? [] : (row.terms ?? []).filter(term => term.taxonomy === 'category').map(term => term.name),
    image: image === null ? null : { url: image.url, mimeType: row.image?.sizes[0]?.mimeType ?? '' },
    contact: closed ? '' : (row.organizers ?? []).map(organizer => organizer.name).join(', ')
  }
}

function placeOf({ name, address, zip, city, country }: NonNullable<EventRow['venues']>[number]): string {
  return [name, address, `${zip} ${city}`.trim(), country].filter(part => part !== '').join(', ')
}
