import { Readable } from 'node:stream'
import { prefetchFirst } from '#platform/database/streaming.ts'
import { buildContentEtag, isFresh } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import type { Text } from '#platform/language.ts'
import { buildText, getMessages } from '#platform/messages/messages.ts'
import { toMultilineText } from '#platform/rich-text/html.ts'
import * as siteSettings from '#platform/site/queries.ts'
import { version } from '#platform/version.ts'
import { newBoolFilterParam, newNumberFilterParam } from '../../contract/params.ts'
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
import { parseDateTime } from '../../time/natural-dates.ts'
import { addDays, startOfDay, toInstant, toLocal } from '../../time/time.ts'
import { dateFilterNames } from '../default-dates.ts'
import type { EventRow } from '../event-row.ts'
import { buildEventFilter } from '../filter.ts'
import { listAllEvents, listFirstEvents, toReader } from '../list.ts'
import * as events from '../queries.ts'
import { resolveFilter } from '../resolve-filter.ts'
import { type EventFilterValues, eventListParams, eventReadParams } from '../schema.ts'
import { buildEventUrl, isPasswordLocked } from '../wire.ts'
import { formatICalendar, type ICalEvent, type ICalHeader, streamICalendar } from './icalendar.ts'
import { buildUidHost, findFeedVersion } from './queries.ts'
import { buildFeedEntries } from './series-entries.ts'

/** More than calendar clients display; larger calendars have a feed for each year. */
const entriesMax = 5000
/** Subscribers keep past events for this long. */
const daysBack = 90

/** Four weeks, in minutes. */
const alarmMax = 40_320

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
    description: `For calendar programs to subscribe to. Takes the filters of the list; events keep their UID, so that programs update them. A series is one entry with its rule if all of its events from the first day of the feed on are in it. Without dates: the past ${daysBack} days and the next two years, at most ${entriesMax} events. If there are more, \`Link: rel="next"\` has the URL of the feed of the year in which the others begin.`,
    params: {
      ...feedParameters,
      all: newBoolFilterParam('All events, past ones too, however many.'),
      year: newNumberFilterParam('All events of this year, however many.', 1900, 2200)
    },
    response: feedSchema,
    produces: 'text/calendar',
    handler: async (context, values) => {
      const { year, ...filters } = values
      if (values.all === true) return await streamAllEvents(context, filters)
      if (year !== undefined) {
        const inYear = { ...filters, start_date: `${year}-01-01 00:00:00`, end_date: `${year}-12-31 23:59:59` }
        return (await findNotModified(context, inYear, yearEntriesMax)) ?? (await streamAllEvents(context, inYear))
      }
      const shown = withPastDays(context, filters)
      return (await findNotModified(context, shown, entriesMax + 1)) ?? (await buildListFeed(context, shown))
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
    params: {
      ...eventReadParams,
      alarm: newNumberFilterParam('Minutes before the start at which calendar programs remind.', 0, alarmMax)
    },
    response: feedSchema,
    produces: 'text/calendar',
    handler: async (context, { password, alarm }, { id }) => {
      const row = await events.find(context.db, id, toReader(context))
      if (row === undefined) throw newPostNotFoundProblem('event', id)
      if (row.status === 'trash') throw newPostUnavailableProblem('event')
      if (!canSee(context.viewer, row, context.now)) throw newPostNotAccessibleProblem('event')
      if (isPasswordLocked(row, { password })) throw newPasswordRequiredProblem('event')
      const header = await buildICalHeader(context)
      const entries = [{ ...toICalEvent(row, context, password), alarmMinutes: alarm }]
      return buildFeed(context, { header, entries, fileName: row.slug || `event-${id}` })
    }
  })
}

/** Yesterday's events stay in the calendars of subscribers, unless the request has dates of its own. */
function withPastDays({ zone, now }: RequestContext, values: EventFilterValues): EventFilterValues {
  const hasDates = values.start_date !== undefined || dateFilterNames.some(name => values[name] !== undefined)
  if (hasDates) return values
  return { ...values, start_date: startOfDay(`${addDays(toLocal(now, zone).slice(0, 10), -daysBack)} 00:00:00`) }
}

/** No real year has more events. */
const yearEntriesMax = 100_000

/** Sets the ETag, and returns a 304 without building the feed if the client has it. */
async function findNotModified(
  context: RequestContext,
  values: EventFilterValues,
  rows: number
): Promise<RouteResult | undefined> {
  const { request, reply, viewer, language, db } = context
  const filter = buildEventFilter(context, values, await resolveFilter(context, values))
  const [content, name] = await Promise.all([findFeedVersion(db, filter, rows), siteSettings.findName(db)])
  const shape = [version, content, name, language, viewer, context.site.origin, request.originalUrl, values]
  reply.header('etag', buildContentEtag(JSON.stringify(shape)))
  return isFresh(request, reply) ? { body: {}, isNotModified: true } : undefined
}

/** The first events; if there are more, the feed says where they are. */
async function buildListFeed(context: RequestContext, values: EventFilterValues): Promise<RouteResult> {
  const rows = await listFirstEvents(context, values, entriesMax + 1)
  const header = await buildICalHeader(context)
  const next = rows[entriesMax]
  const entries = await buildFeedEntries(rows.slice(0, entriesMax), {
    db: context.db,
    viewer: context.viewer,
    from: findFirstInstant(context, values),
    toEntry: row => toICalEvent(row, context, values.password)
  })
  if (next === undefined) return buildFeed(context, { header, entries, fileName: 'events' })
  const yearUrl = buildYearUrl(header.source, next.start.slice(0, 4))
  const result = buildFeed(context, {
    header: { ...header, description: describeMore(yearUrl)[context.language] },
    entries,
    fileName: 'events'
  })
  const link = [context.reply.getHeader('link'), `<${yearUrl}>; rel="next"`].filter(Boolean).join(', ')
  context.reply.header('link', link)
  return result
}

function buildYearUrl(source: string, year: string): string {
  const [path = '', query = ''] = source.split('?', 2)
  const given = new URLSearchParams(query)
  for (const name of ['start_date', 'end_date', ...dateFilterNames]) given.delete(name)
  given.set('year', year)
  return `${path}?${given}`
}

const describeMore = (yearUrl: string): Text => buildText('event-problems', 'more', { entriesMax, yearUrl })

/** Streams the response while reading from the database. */
async function streamAllEvents(context: RequestContext, values: EventFilterValues): Promise<RouteResult> {
  async function* entries() {
    for await (const rows of listAllEvents(context, values))
      yield rows.map(row => toICalEvent(row, context, values.password))
  }
  const header = await buildICalHeader(context)
  const content = Readable.from(streamICalendar(header, await prefetchFirst(entries())))
  // A feed with a version can be requested again.
  const caching = context.reply.hasHeader('etag') ? { 'cache-control': 'no-cache' } : {}
  return {
    body: {},
    language: context.language,
    stream: { content, type: contentType, headers: { ...buildAttachmentHeaders('events'), ...caching } }
  }
}

/** When the first events of the feed may start; undefined if filters other than `start_date` decide. */
function findFirstInstant({ zone, now }: RequestContext, values: EventFilterValues): Date | undefined {
  const hasOthers = values.include !== undefined || dateFilterNames.some(name => values[name] !== undefined)
  const moment = hasOthers ? undefined : parseDateTime(values.start_date, zone, now)
  if (moment === undefined) return undefined
  return values.strict_dates === true ? moment.instant : toInstant(startOfDay(moment.local), zone)
}

function buildFeed(
  context: RequestContext,
  { header, entries, fileName }: { header: ICalHeader; entries: ICalEvent[]; fileName: string }
): RouteResult {
  return {
    body: {},
    language: context.language,
    text: {
      content: formatICalendar(header, entries),
      type: contentType,
      headers: buildAttachmentHeaders(fileName)
    }
  }
}

function buildAttachmentHeaders(fileName: string): Record<string, string> {
  const name = fileName.replace(/[^\w-]/g, '').slice(0, 80) || 'events'
  return { 'content-disposition': `attachment; filename="${name}.ics"` }
}

async function buildICalHeader({ db, site, language, request }: RequestContext): Promise<ICalHeader> {
  return {
    name: `${getMessages('calendar-feed', language).name} · ${await siteSettings.findName(db)}`,
    description: '',
    language,
    source: site.origin + request.originalUrl.replace(/\/(?=\?|$)/, ''),
    url: site.origin
  }
}

/** Omits what a password protects. */
function toICalEvent(row: EventRow, context: RequestContext, password: string | undefined): ICalEvent {
  const closed = isPasswordLocked(row, { password })
  const venue = closed ? undefined : row.venues.find(one => isUnlocked(one, { ...context, password }))
  const image = closed || row.image === null ? null : toImageJson(row.image, context.site)
  return {
    uid: row.uid ?? `event-${row.id}@${buildUidHost(context.site.origin)}`,
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
    status: row.eventStatus,
    url: buildEventUrl(row, context),
    location: venue === undefined ? '' : formatLocation(venue),
    geo: venue?.geoLat == null || venue.geoLng === null ? null : { latitude: venue.geoLat, longitude: venue.geoLng },
    categories: closed ? [] : row.terms.filter(term => term.taxonomy === 'category').map(term => term.name),
    image: image === null ? null : { url: image.url, mimeType: row.image?.sizes[0]?.mimeType ?? '' },
    contact: closed ? '' : row.organizers.map(organizer => organizer.name).join(', ')
  }
}

function formatLocation({ name, address, zip, city, country }: NonNullable<EventRow['venues']>[number]): string {
  return [name, address, `${zip} ${city}`.trim(), country].filter(part => part !== '').join(', ')
}
