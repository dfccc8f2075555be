import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** An event of a served calendar. */
export interface FeedEvent {
  uid: string
  title: string
  /** `20310614T190000`, in UTC. */
  start: string
  description?: string
  location?: string
  /** Further lines. */
  lines?: string[]
}

/** A calendar on a local port. Tests can change its responses. */
export interface FeedServer {
  url: string
  events: FeedEvent[]
  /** Lines of the calendar besides its events. */
  lines: string[]
  /** Sent instead of the calendar. */
  status: number | undefined
  body: string | Buffer | undefined
  /** Whether requests get no response. */
  hangs: boolean
  /** Statuses of all responses so far. */
  answered: number[]
  location: string | undefined
}

export async function startFeed(events: FeedEvent[] = [], lines: string[] = []): Promise<FeedServer> {
  const feed: FeedServer = {
    url: '',
    events,
    lines,
    status: undefined,
    body: undefined,
    hangs: false,
    answered: [],
    location: undefined
  }
  const server = createServer((request, response) => {
    if (feed.hangs) return
    if (feed.location !== undefined) return respond(feed, response, 302, '', { location: feed.location })
    if (feed.status !== undefined) return respond(feed, response, feed.status, 'no calendar')
    const body = feed.body ?? buildIcs(feed)
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`
    const isUnchanged = request.headers['if-none-match'] === etag
    respond(feed, response, isUnchanged ? 304 : 200, isUnchanged ? '' : body, { etag, 'content-type': 'text/calendar' })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  feed.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/calendar.ics`
  return feed
}

function respond(
  feed: FeedServer,
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {}
): void {
  feed.answered.push(status)
  response.writeHead(status, headers).end(body)
}

function buildIcs({ events, lines }: FeedServer): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//Test//EN',
    ...lines,
    ...events.flatMap(({ uid, title, start, description, location, lines: more = [] }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `SUMMARY:${title}`,
      `DTSTART:${start}Z`,
      'DURATION:PT2H',
      ...(description === undefined ? [] : [`DESCRIPTION:${description}`]),
      ...(location === undefined ? [] : [`LOCATION:${location}`]),
      ...more,
      'END:VEVENT'
    ]),
    'END:VCALENDAR',
    ''
  ].join('\r\n')
}
