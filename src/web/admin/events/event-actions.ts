import { getOtherLanguage, type Language } from '#platform/language.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath, getVenues } from '../../server/calendar-api.ts'
import { eventAdminStrings } from '../../strings/event-admin.ts'
import { getItemPath } from '../shared/calendar/item.ts'
import type { AdminContext } from '../shared/context.ts'

/** An event as the editor reads it, with its ETag. */
export interface EventWithEtag {
  event: CalendarEvent
  etag: string
}

export async function readEvent(context: AdminContext, language: Language): Promise<EventWithEtag> {
  const { body, etag } = await context.api.get<CalendarEvent>(getItemPath(context, 'events'), {
    language,
    context: 'edit'
  })
  return { event: body, etag }
}

/** Reads both languages, and detects a password: without `context=edit` the API refuses protected events. */
export async function readEventInBothLanguages(
  context: AdminContext,
  language: Language
): Promise<EventWithEtag & { other: CalendarEvent; hasPassword: boolean }> {
  const second = getOtherLanguage(language)
  const [first, other] = await Promise.all([
    readEvent(context, language),
    context.api.get<CalendarEvent>(getItemPath(context, 'events'), { language: second }).then(
      ({ body }) => body,
      (error: unknown) => {
        if (error instanceof ApiError && [401, 403].includes(error.status)) return undefined
        throw error
      }
    )
  ])
  if (other !== undefined) return { ...first, other, hasPassword: false }
  return { ...first, other: (await readEvent(context, second)).event, hasPassword: true }
}

/** Copies the event in all its languages into a draft, and opens the copy in the editor. */
export async function duplicateEvent(context: AdminContext): Promise<Redirect> {
  const { event, other, hasPassword } = await readEventInBothLanguages(context, context.site.defaultLanguage)
  const texts = event.language === other.language ? [event] : [event, other]
  const textOf = ({ language, title, description, excerpt }: CalendarEvent) => ({
    title: `${title.slice(0, 480)} ${eventAdminStrings[language].acts.copyMark}`,
    description,
    excerpt
  })
  const ids = (items: { id: number }[]) => items.map(({ id }) => id)
  const path = `${calendarPath}/events`
  const { body } = await context.api.post<CalendarEvent>(withQuery(path, { language: event.language }), {
    ...textOf(event),
    status: 'draft',
    start_date: event.start_date,
    end_date: event.end_date,
    all_day: event.all_day,
    timezone: event.timezone,
    venue: ids(getVenues(event)),
    organizer: ids(event.organizer),
    categories: ids(event.categories),
    tags: ids(event.tags),
    image: event.image === false ? null : event.image.id,
    cost: event.cost,
    ...(event.website === event.url ? {} : { website: event.website }),
    show_map: event.show_map,
    show_map_link: event.show_map_link,
    hide_from_listings: event.hide_from_listings,
    sticky: event.sticky,
    featured: event.featured,
    event_status: event.event_status ?? 'scheduled'
  })
  for (const text of texts.slice(1)) {
    await context.api.patch(withQuery(`${path}/${body.id}`, { language: text.language }), textOf(text))
  }
  const { acts } = eventAdminStrings[context.language]
  context.flash({ text: hasPassword ? acts.duplicatedWithoutPassword : acts.duplicated })
  return redirect(withQuery(`/admin/events/${body.id}`, { lang: body.language }), 303)
}
