import { Refused } from '../../api.ts'
import { type CalendarEvent, calendarPath, type EventList, venuesOf } from '../../calendar-api.ts'
import { clock } from '../../format.ts'
import { type Page, type Pages, type Redirect, redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { eventWords } from '../../text/event.ts'
import { summaryOf } from '../../ui/rich-text.tsx'
import { field, type Visit } from '../../visit.ts'
import { eventJsonLd } from './event-data.ts'
import { EventView, type Surroundings } from './event-view.tsx'
import { PasswordForm } from './password-form.tsx'
import { isProtection, readBySlug } from './reading.ts'
import { addressesOf, unlessBroken } from './twins.ts'

/** Guessing takes long, and nobody mistypes more often. */
const passwordLimit = { name: 'event-passwords', perMinute: 20 }

export function eventPages(pages: Pages): void {
  pages.add('event', async visit => {
    try {
      return await eventPage(visit, await findEvent(visit))
    } catch (error) {
      if (isProtection(error)) return passwordPage(visit)
      throw error
    }
  })

  pages.addForm(
    'event',
    async visit => {
      const words = eventWords[visit.language]
      visit.reply.header('cache-control', 'no-store')
      const password = field(visit, 'password')
      if (password === '' || password.length > 200) {
        return passwordPage(visit, password === '' ? words.missingPassword : words.wrongPassword)
      }
      try {
        const event = await findEvent(visit, password)
        return { ...(await eventPage(visit, event, true)), noindex: true }
      } catch (error) {
        if (isProtection(error)) return passwordPage(visit, words.wrongPassword)
        if (error instanceof Refused && error.code === 'too-many-guesses') {
          return { ...passwordPage(visit, error.message), status: 429 }
        }
        throw error
      }
    },
    passwordLimit
  )
}

async function findEvent(visit: Visit, password?: string): Promise<CalendarEvent> {
  return await readBySlug<CalendarEvent>(visit, `${calendarPath}/events`, { password })
}

/** Says no more than that there is something. */
function passwordPage({ language, params, reply }: Visit, error?: string): Page {
  const slug = params.slug ?? ''
  reply.header('cache-control', 'no-store')
  return {
    title: eventWords[language].protectedTitle,
    description: '',
    menu: 'calendar',
    noindex: true,
    status: error === undefined ? 200 : 403,
    twins: { en: pathTo('event', 'en', slug), de: pathTo('event', 'de', slug) },
    body: <PasswordForm language={language} action={pathTo('event', language, slug)} error={error} />
  }
}

async function eventPage(visit: Visit, event: CalendarEvent, isProtected = false): Promise<Page | Redirect> {
  const { language, origin, params, reply } = visit
  // Slugs are found in any language, and the address of a page is in its own.
  if (!isProtected && event.slug !== params.slug) return redirect(pathTo('event', language, event.slug), 301)

  const [{ own, twins, canonical }, around] = await Promise.all([
    addressesOf(visit, 'event', 'events', event),
    surroundingsOf(visit, event)
  ])
  const description = summaryOf(event.excerpt || event.description)
  reply.header('x-tec-api-root', `${origin}/wp-json/tribe/events/v1/events/${event.id}`)
  return {
    title: event.title,
    description,
    twins,
    canonical,
    menu: 'calendar',
    kind: 'article',
    isEmbeddable: !isProtected,
    image: event.image === false ? undefined : { url: event.image.url, alt: event.image.alt ?? '' },
    jsonLd: isProtected ? undefined : eventJsonLd(event, language, origin, origin + canonical),
    previous: around.previous === undefined ? undefined : pathTo('event', language, around.previous.slug),
    next: around.next === undefined ? undefined : pathTo('event', language, around.next.slug),
    body: (
      <EventView
        visit={visit}
        event={event}
        address={origin + own}
        description={description}
        around={around}
        isProtected={isProtected}
      />
    )
  }
}

async function surroundingsOf(visit: Visit, event: CalendarEvent): Promise<Surroundings> {
  const [venue] = venuesOf(event)
  const start = event.utc_start_date
  const [before, after, here] = await Promise.all([
    neighbours(visit, { starts_before: secondsLater(start, 1), order: 'desc' }),
    neighbours(visit, { starts_after: secondsLater(start, -1), order: 'asc' }),
    venue === undefined ? [] : neighbours(visit, { venue: venue.id, ends_after: 'now', per_page: 4 })
  ])
  return {
    previous: besideOf(before, event),
    next: besideOf(after, event),
    moreHere: here.filter(one => one.id !== event.id).slice(0, 3)
  }
}

/** Enough to find an event among those that begin at the same time. */
const neighboursMax = 6

async function neighbours({ api, language }: Visit, query: Record<string, string | number>): Promise<CalendarEvent[]> {
  const asked = { language, strict_dates: true, per_page: neighboursMax, ...query }
  const found = await api.get<EventList>(`${calendarPath}/events`, asked).catch(unlessBroken)
  return found?.body.events ?? []
}

/** In a list that goes away from the event: the one behind it, or the first that begins at another time. */
function besideOf(list: CalendarEvent[], event: CalendarEvent): CalendarEvent | undefined {
  const at = list.findIndex(one => one.id === event.id)
  return at >= 0 ? list[at + 1] : list.find(one => one.utc_start_date !== event.utc_start_date)
}

/** An instant that the API reads as such, whatever the zone of the site. */
function secondsLater(utc: string, seconds: number): string {
  return new Date(clock(utc).getTime() + seconds * 1000).toISOString().replace('.000', '')
}
