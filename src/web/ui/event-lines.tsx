import type { CalendarEvent } from '../calendar-api.ts'
import { plainDay, timeOf } from '../format.ts'
import { pathTo } from '../paths.ts'
import { eventWords } from '../text/event.ts'
import type { Visit } from '../visit.ts'
import { statusWord } from './event-marks.tsx'

/** Events in few words, one a line: day and time, then the title. */
export function EventLines({ visit, events }: { visit: Pick<Visit, 'language'>; events: CalendarEvent[] }) {
  const { language } = visit
  const words = eventWords[language]
  return (
    <ul class="event-lines plain-list">
      {events.map(event => (
        <li key={event.id}>
          <time dateTime={event.start_date.slice(0, 10)}>
            {plainDay(language, event.start_date)}
            {event.all_day === false ? `, ${timeOf(event.start_date)}${words.oClock}` : ''}
          </time>
          <span>
            <a href={pathTo('event', language, event.slug)} lang={langOf(visit, event.language)}>
              {event.title}
            </a>
            <Status visit={visit} event={event} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Status({ visit, event }: { visit: Pick<Visit, 'language'>; event: CalendarEvent }) {
  const word = statusWord(visit.language, event)
  return word === '' ? null : (
    <>
      {' '}
      <span class="badge bad">{word}</span>
    </>
  )
}

/** The language of a text, where it is not that of the page. */
export function langOf({ language }: Pick<Visit, 'language'>, own: Visit['language']): Visit['language'] | undefined {
  return own === language ? undefined : own
}
