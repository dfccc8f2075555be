import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getDirAttribute } from '../format/direction.ts'
import { formatPeriod, getLastDay, isSeveralDays } from '../format/event-period.ts'
import { formatDay, formatTime } from '../format/format.ts'
import type { CalendarEvent } from '../server/calendar-api.ts'
import type { PageContext } from '../server/context.ts'
import { getPath } from '../server/paths.ts'
import { formatEventStatus } from './event-marks.tsx'

/** Compact list of events, one per line: date and time, then the title. */
export function EventLines({ context, events }: { context: Pick<PageContext, 'language'>; events: CalendarEvent[] }) {
  const { language } = context
  return (
    <ul class="event-lines plain-list">
      {events.map(event => (
        <li key={event.id}>
          <EventDate language={language} event={event} />
          <span>
            <a
              href={getPath('event', language, event.slug)}
              lang={getLangAttribute(context, event.language)}
              dir={getDirAttribute(event.title)}
            >
              {event.title}
            </a>
            <Status context={context} event={event} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The start, and the end of an event of several days. */
function EventDate({ language, event }: { language: Language; event: CalendarEvent }) {
  const { oClock } = getMessages('event', language)
  if (isSeveralDays(event)) {
    const { start, end } = formatPeriod(language, event, { withYear: true })
    return (
      <span>
        <time dateTime={event.start_date.slice(0, 10)}>{start}</time> – <time dateTime={getLastDay(event)}>{end}</time>
      </span>
    )
  }
  return (
    <time dateTime={event.start_date.slice(0, 10)}>
      {formatDay(language, event.start_date)}
      {event.all_day === false ? `, ${formatTime(event.start_date)}${oClock}` : ''}
    </time>
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
