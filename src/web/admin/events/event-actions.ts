import { getOtherLanguage, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath, getVenues, type Series } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { formatRecurrence } from '../series/load-series.ts'
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

/** Copies the event, or its whole series, in all languages into drafts, and opens the copy in the editor. */
export async function duplicateEvent(context: AdminContext): Promise<Redirect> {
  const { event, other, hasPassword } = await readEventInBothLanguages(context, context.site.defaultLanguage)
  const texts = event.language === other.language ? [event] : [event, other]
  const textOf = ({ language, title, description, excerpt }: CalendarEvent) => ({
    title: `${title.slice(0, 480)} ${getMessages('event-admin', language).acts.copyMark}`,
    description,
    excerpt
  })
  const ids = (items: { id: number }[]) => items.map(({ id }) => id)
  const repeated = getFormField(context, 'copy') === 'series' ? await findRepetition(context, event) : undefined
  const path = `${calendarPath}/events`
  const { body } = await context.api.post<CalendarEvent>(withQuery(path, { language: event.language }), {
    ...textOf(event),
    status: 'draft',
    start_date: event.start_date,
    end_date: event.end_date,
    all_day: event.all_day,
    timezone: event.timezone,
    ...repeated,
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
    is_virtual: event.is_virtual,
    event_status: event.event_status ?? 'scheduled'
  })
  for (const text of texts.slice(1)) {
    const query = { language: text.language, apply: repeated === undefined ? undefined : 'all' }
    await context.api.patch(withQuery(`${path}/${body.id}`, query), textOf(text))
  }
  const { acts } = getMessages('event-admin', context.language)
  const copied = repeated === undefined ? acts.duplicated : getMessages('series-admin', context.language).duplicatedAll
  context.flash({ text: hasPassword ? acts.duplicatedWithoutPassword : copied })
  return redirect(withQuery(`/admin/events/${body.id}`, { lang: body.language }), 303)
}

/** Rule and times of the series of an event, for a copy that has the same dates. */
async function findRepetition(
  { api }: AdminContext,
  event: CalendarEvent
): Promise<Record<string, unknown> | undefined> {
  if (event.series === null) return undefined
  const series = (await api.get<Series>(`${calendarPath}/series/${event.series.id}`)).body
  const { start_date, end_date, all_day, timezone, also } = series
  // The API refuses a series that leaves out its own start.
  const except = series.except.filter(date => !start_date.startsWith(date))
  return { start_date, end_date, all_day, timezone, recurrence: formatRecurrence(series, except, also) }
}
