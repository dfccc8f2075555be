import { formatDay, formatTime } from '../format/format.ts'
import type { CalendarEvent } from '../server/calendar-api.ts'
import type { PageContext } from '../server/context.ts'
import { getPath } from '../server/paths.ts'
import { eventStrings } from '../strings/event.ts'
import { formatEventStatus } from './event-marks.tsx'

/** Compact list of events, one per line: date and time, then the title. */
export function EventLines({ context, events }: { context: Pick<PageContext, 'language'>; events: CalendarEvent[] }) {
  const { language } = context
  const strings = eventStrings[language]
  return (
    <ul class="event-lines plain-list">
      {events.map(event => (
        <li key={event.id}>
          <time dateTime={event.start_date.slice(0, 10)}>
            {formatDay(language, event.start_date)}
            {event.all_day === false ? `, ${formatTime(event.start_date)}${strings.oClock}` : ''}
          </time>
          <span>
            <a href={getPath('event', language, event.slug)} lang={getLangAttribute(context, event.language)}>
              {event.title}
            </a>
            <Status context={context} event={event} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Status({ context, event }: { context: Pick<PageContext, 'language'>; event: CalendarEvent }) {
  const word = formatEventStatus(context.language, event)
  return word === '' ? null : (
    <>
      {' '}
      <span class="badge bad">{word}</span>
    </>
  )
}

/** `lang` attribute of a text, if it differs from the page's language. */
export function getLangAttribute(
  { language }: Pick<PageContext, 'language'>,
  own: PageContext['language']
): PageContext['language'] | undefined {
  return own === language ? undefined : own
}
