import { Readable } from 'node:stream'
import { prefetchFirst } from '#platform/database/streaming.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { toMultilineText } from '../../content/html.ts'
import { newBoolFilterParam } from '../../contract/params.ts'
import {
  newPasswordRequiredProblem,
  newPostNotAccessibleProblem,
  newPostNotFoundProblem,
  newPostUnavailableProblem
} from '../../contract/problems.ts'
import { defineRoute, type RequestContext, type RouteResult, type RouteTable } from '../../contract/routing/route.ts'
import { isUnlocked } from '../../linked-posts/wire.ts'
import { toImageJson } from '../../media/wire.ts'
import { canSee } from '../../permissions/permissions.ts'
import type { EventRow } from '../event-row.ts'
import { listAllEvents, listFirstEvents, toReader } from '../list.ts'
import * as events from '../queries.ts'
import { type EventFilterValues, eventListParams, eventReadParams } from '../schema.ts'
import { buildEventUrl, isPasswordLocked } from '../wire.ts'
import { formatICalendar, type ICalEvent, type ICalHeader, streamICalendar } from './icalendar.ts'

/** More than calendar clients display; larger calendars need a filter. */
const entriesMax = 5000

const { page: _page, per_page: _perPage, ...feedParameters } = eventListParams

const contentType = 'text/calendar; charset=utf-8'
const feedSchema = { type: 'string', description: 'iCalendar' }

/** iCalendar feeds to import or subscribe to. */
export function registerFeedRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/events.ics',
    requires: 'public',
    summary: 'Export events as iCalendar, with the filters of the list',
    description:
      'For calendar programs to subscribe to. Takes the filters of the list; events keep their UID, so that programs update them.',
    params: {
      ...feedParameters,
      all: newBoolFilterParam(
        `All events, past ones too, however many; otherwise the next two years, at most ${entriesMax}.`
      )
    },
    response: feedSchema,
    produces: 'text/calendar',
    handler: async (context, values) => {
      if (values.all === true) return await streamAllEvents(context, values)
      const rows = await listFirstEvents(context, values, entriesMax)
      return buildFeed(context, rows, values.password, 'events')
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/events/{id}.ics',
    requires: 'public',
    summary: 'Export an event as iCalendar',
    description: 'For downloading. Protected events need their password.',
    problems: {
      403: ['event-not-accessible', 'event-password-protected'],
      404: ['event-no-longer-available', 'rest-event-not-found']
    },
    params: eventReadParams,
    response: feedSchema,
    produces: 'text/calendar',
    handler: async (context, { password }, { id }) => {
      const row = await events.find(context.db, id, toReader(context))
      if (row === undefined) throw newPostNotFoundProblem('event', id)
      if (row.status === 'trash') throw newPostUnavailableProblem('event')
      if (!canSee(context.viewer, row, context.now)) throw newPostNotAccessibleProblem('event')
      if (isPasswordLocked(row, { password })) throw newPasswordRequiredProblem('event')
      return buildFeed(context, [row], password, row.slug || `event-${id}`)
    }
  })
}

/** Streams the response while reading from the database. */
async function streamAllEvents(context: RequestContext, values: EventFilterValues): Promise<RouteResult> {
  async function* entries() {
    for await (const rows of listAllEvents(context, values))
      yield rows.map(row => toICalEvent(row, context, values.password))
  }
  const content = Readable.from(streamICalendar(buildICalHeader(context), await prefetchFirst(entries())))
  return {
    body: {},
    language: context.language,
    stream: { content, type: contentType, headers: buildAttachmentHeaders('events') }
  }
}

function buildFeed(
  context: RequestContext,
  rows: EventRow[],
  password: string | undefined,
  fileName: string
): RouteResult {
  const content = formatICalendar(
    buildICalHeader(context),
    rows.map(row => toICalEvent(row, context, password))
  )
  return {
    body: {},
    language: context.language,
    text: { content, type: contentType, headers: buildAttachmentHeaders(fileName) }
  }
}

function buildAttachmentHeaders(fileName: string): Record<string, string> {
  const name = fileName.replace(/[^\w-]/g, '').slice(0, 80) || 'events'
  return { 'content-disposition': `attachment; filename="${name}.ics"` }
}

const calendarNames = { en: 'Events', de: 'Termine' }

function buildICalHeader({ site, language, request }: RequestContext): ICalHeader {
  const host = site.origin.replace(/^\w+:\/\//, '').replace(/:\d+$/, '')
  return {
    name: `${calendarNames[language]} · ${host}`,
    description: '',
    language,
    source: site.origin + request.originalUrl.replace(/\/(?=\?|$)/, ''),
    url: site.origin,
    host
  }
}

/** Omits what a password protects. */
function toICalEvent(row: EventRow, context: RequestContext, password: string | undefined): ICalEvent {
  const closed = isPasswordLocked(row, { password })
  const venue = closed ? undefined : row.venues?.find(one => isUnlocked(one, { ...context, password }))
  const image = closed || row.image === null ? null : toImageJson(row.image, context.site)
  return {
    id: row.id,
    version: row.version,
    createdAt: new Date(row.createdAt),
    modifiedAt: new Date(row.modifiedAt),
    title: row.title,
    description: closed ? '' : toMultilineText(row.description === '' ? row.excerpt : row.description),
    start: row.start,
    end: row.end,
    startUtc: new Date(row.startsAt),
    endUtc: new Date(row.endsAt),
    timezone: row.timezone,
    allDay: row.allDay,
    cancelled: row.eventStatus === 'canceled',
    url: buildEventUrl(row, context),
    location: venue === undefined ? '' : formatLocation(venue),
    geo: venue?.geoLat == null || venue.geoLng === null ? null : { latitude: venue.geoLat, longitude: venue.geoLng },
    categories: closed ? [] : (row.terms ?? []).filter(term => term.taxonomy === 'category').map(term => term.name),
    image: image === null ? null : { url: image.url, mimeType: row.image?.sizes[0]?.mimeType ?? '' },
    contact: closed ? '' : (row.organizers ?? []).map(organizer => organizer.name).join(', ')
  }
}

function formatLocation({ name, address, zip, city, country }: NonNullable<EventRow['venues']>[number]): string {
  return [name, address, `${zip} ${city}`.trim(), country].filter(part => part !== '').join(', ')
}
