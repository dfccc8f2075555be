import { type Language, otherLanguage } from '#platform/language.ts'
import { Refused, withQuery } from '../../api.ts'
import { type CalendarEvent, calendarPath, venuesOf } from '../../calendar-api.ts'
import { type Redirect, redirect } from '../../page.ts'
import { eventWords } from '../../text/events.ts'
import { itemPath } from '../calendar-item.ts'
import type { Desk } from '../console.ts'

/** An event as its editor reads it, with the tag of its version. */
export interface ReadEvent {
  event: CalendarEvent
  etag: string
}

export async function readEvent(desk: Desk, language: Language): Promise<ReadEvent> {
  const { body, etag } = await desk.api.get<CalendarEvent>(itemPath(desk, 'events'), { language, context: 'edit' })
  return { event: body, etag }
}

/** The same in both languages, and whether a password keeps others out: only those who do not edit are told. */
export async function readBoth(
  desk: Desk,
  language: Language
): Promise<ReadEvent & { other: CalendarEvent; hasPassword: boolean }> {
  const second = otherLanguage(language)
  const [first, other] = await Promise.all([
    readEvent(desk, language),
    desk.api.get<CalendarEvent>(itemPath(desk, 'events'), { language: second }).then(
      ({ body }) => body,
      (error: unknown) => {
        if (error instanceof Refused && [401, 403].includes(error.status)) return undefined
        throw error
      }
    )
  ])
  if (other !== undefined) return { ...first, other, hasPassword: false }
  return { ...first, other: (await readEvent(desk, second)).event, hasPassword: true }
}

/** A draft of everything that the event has, in all its languages. Ends in the editor of the copy. */
export async function duplicateEvent(desk: Desk): Promise<Redirect> {
  const { event, other, hasPassword } = await readBoth(desk, desk.site.defaultLanguage)
  const texts = event.language === other.language ? [event] : [event, other]
  const textOf = ({ language, title, description, excerpt }: CalendarEvent) => ({
    title: `${title.slice(0, 480)} ${eventWords[language].acts.copyMark}`,
    description,
    excerpt
  })
  const ids = (items: { id: number }[]) => items.map(({ id }) => id)
  const path = `${calendarPath}/events`
  const { body } = await desk.api.post<CalendarEvent>(withQuery(path, { language: event.language }), {
    ...textOf(event),
    status: 'draft',
    start_date: event.start_date,
    end_date: event.end_date,
    all_day: event.all_day,
    timezone: event.timezone,
    venue: ids(venuesOf(event)),
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
    await desk.api.patch(withQuery(`${path}/${body.id}`, { language: text.language }), textOf(text))
  }
  const { acts } = eventWords[desk.language]
  desk.say({ text: hasPassword ? acts.duplicatedWithoutPassword : acts.duplicated })
  return redirect(withQuery(`/admin/events/${body.id}`, { lang: body.language }), 303)
}
