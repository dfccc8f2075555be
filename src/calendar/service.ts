import type { IncomingMessage } from 'node:http'
import { bodyBytesMax, parseJsonBody } from '#platform/body.ts'
import type { Settings } from '#platform/config.ts'
import { parseForm } from '#platform/form.ts'
import type { Manners } from '#platform/manners.ts'
import type { Example, Scope, Service } from '#platform/service.ts'
import { dayRoutes } from './days/routes.ts'
import { feedRoutes } from './events/feed-routes.ts'
import { eventRoutes } from './events/routes.ts'
import { exportRoutes } from './exports/routes.ts'
import { importRoutes } from './imports/routes.ts'
import { describedRoute, indexRoutes, newAllow } from './index-routes.ts'
import { mediaRoutes } from './media/routes.ts'
import { organizerRoutes } from './organizers/routes.ts'
import { bodyTooLarge, noSuchRoute, wordpressDialect } from './problems.ts'
import { removeCalendarSamples } from './sample-removal.ts'
import { seedCalendar } from './seed.ts'
import { calendarSubjects } from './subjects.ts'
import { aliasPrefix, commonHeaders, discoveryPath, isUnder, ownPrefix, type RouteTable, refusalFor } from './tec.ts'
import { categoryRoutes, tagRoutes } from './terms/routes.ts'
import { totalsOf } from './totals.ts'
import { venueRoutes } from './venues/routes.ts'

const examples: Example[] = [
  {
    path: `${ownPrefix}/events`,
    body: {
      title: 'Summer concert',
      start_date: 'next saturday 19:30',
      end_date: 'next saturday 21:30',
      venue: { venue: 'Town Hall' }
    }
  },
  { path: `${ownPrefix}/events` },
  { path: '/en/events.ics' }
]

export function calendarService(settings: Settings): Service {
  const table: RouteTable = { routes: [] }
  const add = (routes: (scope: Scope, table: RouteTable) => void) => (scope: Scope) => routes(scope, table)
  return {
    name: 'calendar',
    title: 'Kalends: events calendar',
    dialect: wordpressDialect,
    rules: [],
    routes: [
      countAnew,
      add(indexRoutes),
      { specified: add(eventRoutes) },
      add(feedRoutes),
      add(exportRoutes),
      add(dayRoutes),
      { specified: add(venueRoutes) },
      { specified: add(organizerRoutes) },
      { specified: add(categoryRoutes) },
      { specified: add(tagRoutes) },
      { specified: add(mediaRoutes) },
      add(importRoutes)
    ],
    manners: mannersOf(table, settings),
    examples,
    seed: seedCalendar,
    removeSamples: removeCalendarSamples,
    subjects: calendarSubjects(settings)
  }
}

/** Lists are counted anew when another process has changed something, too. */
function countAnew({ db, onChange }: Scope): void {
  onChange(touched => {
    if (touched === 'everything' || touched.has('calendar')) totalsOf(db).forget()
  })
}

/** What clients of The Events Calendar are used to. */
function mannersOf(table: RouteTable, settings: Settings): Manners {
  return {
    owns: path => isUnder(path, ownPrefix) || isUnder(path, discoveryPath) || feed.test(path),
    beforeRouting: request => {
      override(request)
      const url = request.url ?? '/'
      const ofFeed = feed.exec(url)
      if (ofFeed !== null) return `${ownPrefix}${ofFeed[2]}?language=${ofFeed[1]}&${url.slice(ofFeed[0].length + 1)}`
      return isUnder(url, aliasPrefix) ? ownPrefix + url.slice(aliasPrefix.length) : url
    },
    bodies: {
      'application/json': readJson,
      'application/x-www-form-urlencoded': parseForm,
      'multipart/form-data': parseForm,
      // Counts as no parameters; an image is taken as it is.
      '*': bytes => bytes
    },
    headers: request => commonHeaders(request, settings),
    allow: newAllow(table),
    refusal: refusalFor,
    options: (request, methods) => describedRoute(table, request, settings, methods),
    noSuchMethod: noSuchRoute
  }
}

/** Where images are taken a body may be larger, but no text is. */
function readJson(bytes: Buffer): unknown {
  if (bytes.length > bodyBytesMax) throw bodyTooLarge()
  return parseJsonBody(bytes)
}

/** Addresses to subscribe to, which have the language in the path: `/de/events.ics`, `/en/events/7.ics`. */
const feed = /^\/(en|de)(\/events(?:\/\d+)?\.ics)(?=\?|$)/

const overridable = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A POST may say which method it means: for clients behind something that lets only GET and POST through. */
function override(request: IncomingMessage): void {
  if (request.method !== 'POST') return
  const byQuery = /[?&]_method=([a-z]+)(?=&|$)/i.exec(request.url ?? '')?.[1]
  const byHeader = request.headers['x-http-method-override']
  const meant = (byQuery ?? (typeof byHeader === 'string' ? byHeader : '')).toUpperCase()
  if (overridable.includes(meant)) request.method = meant
}
