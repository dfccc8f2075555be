import type { Language } from '#platform/language.ts'
import { formatShortDay, formatTime, parseClock } from '../format/format.ts'
import { toPlainText, truncateText } from '../format/plain-text.ts'
import { type CalendarEvent, getVenues, type Image } from '../server/calendar-api.ts'
import { getPath } from '../server/paths.ts'
import { type CalendarStrings, calendarStrings } from '../strings/calendar.ts'
import { DateBadge } from './date-badge.tsx'
import { EventTitle, Star, StatusBadge } from './event-marks.tsx'

/** An event in a list: date badge, title, time, place, beginning of its text, and image. */
export function EventCard({
  language,
  event,
  timezone,
  now,
  level = 3,
  brief = false,
  target
}: {
  language: Language
  event: CalendarEvent
  /** The site's time zone: times in other zones name theirs. */
  timezone: string
  now: Date
  level?: 2 | 3 | 4
  /** Without text. */
  brief?: boolean
  /** Link target, for embeds. */
  target?: '_top' | undefined
}) {
  const strings = calendarStrings[language]
  const Heading = `h${level}` as const
  const ends = Date.parse(`${event.utc_end_date.replace(' ', 'T')}Z`)
  const starts = Date.parse(`${event.utc_start_date.replace(' ', 'T')}Z`)
  const isPast = ends < now.getTime()
  const isRunning = !isPast && starts <= now.getTime() && event.event_status === 'scheduled'
  const place = getPlaceName(event)
  const text = brief ? '' : truncateText(toPlainText(event.excerpt || cutBeforeHeading(event.description)), 200)
  const foreign = event.language === language ? {} : { lang: event.language }
  return (
    <article class={isPast ? 'event-card past' : 'event-card'}>
      <DateBadge language={language} date={event.start_date} />
      <div class="event-card-body">
        <Heading class="event-card-title">
          <Star language={language} event={event} />
          <a href={getPath('event', language, event.slug)} target={target}>
            <EventTitle language={language} event={event} />
          </a>
        </Heading>
        <p class="event-card-when">
          <StatusBadge language={language} event={event} />
          {isRunning ? <span class="badge good">{strings.running}</span> : null}
          <EventTime language={language} event={event} timezone={timezone} />
          {place === '' ? null : <span class="event-card-place">{place}</span>}
        </p>
        {event.series === null ? null : (
          <p class="event-card-series">
            <span aria-hidden="true">↻ </span>
            {event.series.text}
          </p>
        )}
        {text === '' ? null : (
          <p class="event-card-text" {...foreign}>
            {text}
          </p>
        )}
      </div>
      {event.image ? <Thumbnail image={event.image} /> : null}
    </article>
  )
}

/** Cuts before the first heading, which would run into the next sentence. */
export function cutBeforeHeading(description: string): string {
  const start = description.slice(0, 2000)
  const heading = start.search(/<h[1-6]\b/)
  return heading > 0 ? start.slice(0, heading) : start
}

/** Short name of the place. */
export function getPlaceName(event: CalendarEvent): string {
  const [first] = getVenues(event)
  if (first?.venue === undefined) return ''
  return first.city === undefined || first.city === '' ? first.venue : `${first.venue}, ${first.city}`
}

/** The date badge beside it already shows the day, so the text is for screen readers only. */
function EventTime({ language, event, timezone }: { language: Language; event: CalendarEvent; timezone: string }) {
  const strings = calendarStrings[language]
  const { start_date: start } = event
  const several = getLastDay(event) !== start.slice(0, 10)
  const zone = event.timezone === timezone || isAllDay(event) ? '' : ` (${getZoneName(event)})`
  return (
    <time dateTime={start.replace(' ', 'T')}>
      <span class={several ? undefined : 'visually-hidden'}>{formatShortDay(language, start)}</span>
      {several ? ` – ${formatShortDay(language, getLastDay(event))}` : <span class="visually-hidden">, </span>}
      {several ? (isAllDay(event) ? '' : `, ${formatTime(start)}`) : formatTimes(strings, event)}
      {zone}
    </time>
  )
}

function formatTimes(strings: CalendarStrings, event: CalendarEvent): string {
  if (isAllDay(event)) return strings.allDay
  const [start, end] = [formatTime(event.start_date), formatTime(event.end_date)]
  return start === end ? start : `${start}–${end}`
}

function getZoneName({ timezone, timezone_abbr }: CalendarEvent): string {
  return timezone_abbr === '' ? timezone : timezone_abbr
}

/** Null for protected events, so it is derived from the times. */
export function isAllDay(event: { all_day: boolean | null; start_date: string; end_date: string }): boolean {
  return event.all_day ?? (event.start_date.endsWith('00:00:00') && event.end_date.endsWith('23:59:59'))
}

/** An event that ends at midnight ends on the day before. */
function getLastDay({ start_date: start, end_date: end }: CalendarEvent): string {
  if (end.slice(11) !== '00:00:00' || end <= start) return end.slice(0, 10)
  return new Date(parseClock(end).getTime() - 1000).toISOString().slice(0, 10)
}

/** The smallest size that is sharp on a card; no alt text, as the title describes it. */
function Thumbnail({ image }: { image: Image }) {
  const sizes = Object.values(image.sizes).sort((one, other) => one.width - other.width)
  const { url, width, height } = sizes.find(one => one.width >= 300 && one.height >= 200) ?? image
  return <img class="event-card-image" src={url} alt="" width={width} height={height} loading="lazy" decoding="async" />
}
