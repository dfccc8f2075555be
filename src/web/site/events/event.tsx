import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { summarizeHtml } from '../../components/rich-text.tsx'
import { parseClock } from '../../format/format.ts'
import { isSlug } from '../../format/path-segment.ts'
import { type Page, type PageRouter, type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath, type EventList, getVenues } from '../../server/calendar-api.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { getPath, getPaths } from '../../server/paths.ts'
import { findPageAddresses, ignoreRefusal } from './alternates.ts'
import { buildEventJsonLd } from './event-json-ld.ts'
import { EventView, type RelatedEvents } from './event-view.tsx'
import { isPasswordRequired, loadBySlug } from './load-by-slug.ts'
import { PasswordForm } from './password-form.tsx'

/** Rate limit against guessing; higher than any visitor's typing errors. */
const passwordLimit = { name: 'event-passwords', perMinute: 20 }

export function registerEventRoutes(pages: PageRouter): void {
  pages.add('event', async context => {
    try {
      return await buildEventPage(context, await findEvent(context))
    } catch (error) {
      if (isPasswordRequired(error)) return buildPasswordPage(context)
      throw error
    }
  })

  pages.addForm(
    'event',
    async context => {
      const strings = getMessages('event', context.language)
      context.reply.header('cache-control', 'no-store')
      const password = getFormField(context, 'password')
      if (password === '' || password.length > 200) {
        return buildPasswordPage(context, password === '' ? strings.missingPassword : strings.wrongPassword)
      }
      try {
        const event = await findEvent(context, password)
        return { ...(await buildEventPage(context, event, true)), noindex: true }
      } catch (error) {
        if (isPasswordRequired(error)) return buildPasswordPage(context, strings.wrongPassword)
        if (error instanceof ApiError && error.code === 'too-many-guesses') {
          return { ...buildPasswordPage(context, error.message), status: 429 }
        }
        throw error
      }
    },
    passwordLimit
  )
}

async function findEvent(context: PageContext, password?: string): Promise<CalendarEvent> {
  return await loadBySlug<CalendarEvent>(context, `${calendarPath}/events`, { password })
}

/** Reveals only that there is a protected event. */
function buildPasswordPage({ language, params, reply }: PageContext, error?: string): Page {
  const slug = params.slug ?? ''
  reply.header('cache-control', 'no-store')
  return {
    title: getMessages('event', language).protectedTitle,
    description: '',
    menu: 'calendar',
    noindex: true,
    status: error === undefined ? 200 : 403,
    alternates: getPaths('event', slug),
    body: <PasswordForm language={language} action={getPath('event', language, slug)} error={error} />
  }
}

async function buildEventPage(
  context: PageContext,
  event: CalendarEvent,
  isProtected = false
): Promise<Page | Redirect> {
  const { language, origin, params, reply } = context
  // Slugs are found in any language; redirect to the one of the page's language.
  if (!isProtected && !isSlug(params.slug, event.slug)) return redirect(getPath('event', language, event.slug), 301)

  const [{ own, alternates, canonical }, around, campaigns] = await Promise.all([
    findPageAddresses(context, 'event', 'events', event),
    findRelatedEvents(context, event),
    context.api.get<Campaign[]>(`/related-campaigns?eventId=${event.id}`).catch(ignoreRefusal)
  ])
  const description = summarizeHtml(event.excerpt || event.description)
  reply.header('x-tec-api-root', `${origin}/wp-json/tribe/events/v1/events/${event.id}`)
  return {
    title: event.title,
    description,
    alternates: alternates,
    canonical,
    menu: 'calendar',
    kind: 'article',
    isEmbeddable: !isProtected,
    scripts: ['copy'],
    image: event.image === false ? undefined : { url: event.image.url, alt: event.image.alt ?? '' },
    jsonLd: isProtected ? undefined : buildEventJsonLd(event, language, origin, origin + canonical),
    previous: around.previous === undefined ? undefined : getPath('event', language, around.previous.slug),
    next: around.next === undefined ? undefined : getPath('event', language, around.next.slug),
    body: (
      <EventView
        context={context}
        event={event}
        address={origin + own}
        description={description}
        around={around}
        campaigns={campaigns?.body ?? []}
        isProtected={isProtected}
      />
    )
  }
}

async function findRelatedEvents(context: PageContext, event: CalendarEvent): Promise<RelatedEvents> {
  const [venue] = getVenues(event)
  const start = event.utc_start_date
  const [before, after, here, ofSeries] = await Promise.all([
    listNeighbours(context, { starts_before: addSeconds(start, 1), order: 'desc' }),
    listNeighbours(context, { starts_after: addSeconds(start, -1), order: 'asc' }),
    venue === undefined
      ? []
      : listNeighbours(context, { venue: venue.id, ends_after: 'now', series_once: 'true', per_page: 4 }),
    event.series === null
      ? []
      : listNeighbours(context, { series: event.series.id, starts_after: getLater(start, context.now), per_page: 2 })
  ])
  return {
    previous: findAdjacent(before, event),
    next: findAdjacent(after, event),
    moreHere: here.filter(one => one.id !== event.id).slice(0, 3),
    nextOfSeries: ofSeries.find(one => one.id !== event.id)
  }
}

/** Enough to find an event among those with the same start. */
const neighboursMax = 6

async function listNeighbours(
  { api, language }: PageContext,
  query: Record<string, string | number>
): Promise<CalendarEvent[]> {
  const params = { language, strict_dates: true, per_page: neighboursMax, ...query }
  const found = await api.get<EventList>(`${calendarPath}/events`, params).catch(ignoreRefusal)
  return found?.body.events ?? []
}

/** `list` leads away from the event: the one after it, or the first with another start. */
function findAdjacent(list: CalendarEvent[], event: CalendarEvent): CalendarEvent | undefined {
  const at = list.findIndex(one => one.id === event.id)
  return at >= 0 ? list[at + 1] : list.find(one => one.utc_start_date !== event.utc_start_date)
}

/** The start of an event to come, or now. */
function getLater(start: string, now: Date): string {
  return parseClock(start) > now ? addSeconds(start, 0) : `${now.toISOString().slice(0, 19)}Z`
}

/** With a UTC marker, so that the API reads it as an instant in any time zone. */
function addSeconds(utc: string, seconds: number): string {
  return new Date(parseClock(utc).getTime() + seconds * 1000).toISOString().replace('.000', '')
}
