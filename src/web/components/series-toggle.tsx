import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { CalendarEvent } from '../server/calendar-api.ts'

/** The visitor's choice between every date and each series once; left out where no event repeats. */
export function SeriesToggle({
  language,
  events,
  once,
  href
}: {
  language: Language
  events: CalendarEvent[]
  once: boolean
  /** The same list with the other choice. */
  href: string
}) {
  const strings = getMessages('calendar', language)
  if (!once && events.every(({ series }) => series === null)) return null
  return (
    <p class="series-toggle no-print">
      <a href={href} rel="nofollow">
        <span aria-hidden="true">↻ </span>
        {once ? strings.everyDate : strings.seriesOnce}
      </a>
    </p>
  )
}
