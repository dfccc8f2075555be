import type { Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { getDirAttribute } from '../format/direction.ts'
import { formatPeriod, isAllDay, isSeveralDays } from '../format/event-period.ts'
import { formatShortDay, formatTime } from '../format/format.ts'
import { toPlainText, truncateText } from '../format/plain-text.ts'
import { type CalendarEvent, getVenues, type Image } from '../server/calendar-api.ts'
import { getPath } from '../server/paths.ts'
import type { SiteSettings } from '../server/site-settings.ts'
import { DateBadge } from './date-badge.tsx'
import { EventTitle, Star, StatusBadge } from './event-marks.tsx'
import { formatCost } from './format-cost.ts'

/** An event in a list: date badge, title, time, place, beginning of its text, and image. */
export function EventCard({
  language,
  event,
  site,
  now,
  level = 3,
  brief = false,
  target
}: {
  language: Language
  event: CalendarEvent
  /** Times in other zones than the site's name theirs. */
  site: Pick<SiteSettings, 'timezone' | 'currency'>
  now: Date
  level?: 2 | 3 | 4
  /** Without text. */
  brief?: boolean
  /** Link target, for embeds. */
  target?: '_top' | undefined
}) {
  const strings = getMessages('calendar', language)
  const Heading = `h${level}` as const
  const ends = Date.parse(`${event.utc_end_date.replace(' ', 'T')}Z`)
  const starts = Date.parse(`${event.utc_start_date.replace(' ', 'T')}Z`)
  const isPast = ends < now.getTime()
  const isRunning = !isPast && starts <= now.getTime() && event.event_status === 'scheduled'
  const place = [getPlaceName(event), event.is_virtual === true ? strings.online : ''].filter(Boolean).join(' · ')
  const cost = formatCost(language, site.currency, event)
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
          <EventTime language={language} event={event} timezone={site.timezone} />
          {place === '' ? null : (
            <span class="event-card-place" dir={getDirAttribute(place)}>
              {place}
            </span>
          )}
          {cost === '' ? null : (
            <span class="event-card-cost" dir={getDirAttribute(cost)}>
              {cost}
            </span>
          )}
        </p>
        {event.series === null ? null : (
          <p class="event-card-series">
            <span aria-hidden="true">↻ </span>
            {event.series.text}
          </p>
        )}
        {text === '' ? null : (
          <p class="event-card-text" dir={getDirAttribute(text)} {...foreign}>
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

/** The date badge beside it already shows a single day, so its text is for screen readers only. */
function EventTime({ language, event, timezone }: { language: Language; event: CalendarEvent; timezone: string }) {
  const strings = getMessages('calendar', language)
  const { start_date: start } = event
  const zone = event.timezone === timezone || isAllDay(event) ? '' : ` (${getZoneName(event)})`
  if (isSeveralDays(event)) {
    const period = formatPeriod(language, event)
    return (
      <span class="event-card-time">
        <time dateTime={start.replace(' ', 'T')}>{period.start}</time> –{' '}
        <time dateTime={event.end_date.replace(' ', 'T')}>
          {period.end}
          {zone}
        </time>
      </span>
    )
  }
  return (
    <time class="event-card-time" dateTime={start.replace(' ', 'T')}>
      <span class="visually-hidden">{formatShortDay(language, start)}, </span>
      {formatTimes(strings, event)}
      {zone}
    </time>
  )
}

function formatTimes(strings: Messages<'calendar'>, event: CalendarEvent): string {
  if (isAllDay(event)) return strings.allDay
  const [start, end] = [formatTime(event.start_date), formatTime(event.end_date)]
  return start === end ? start : `${start}–${end}`
}

function getZoneName({ timezone, timezone_abbr }: CalendarEvent): string {
  return timezone_abbr === '' ? timezone : timezone_abbr
}

/** The smallest size that is sharp on a card; no alt text, as the title describes it. */
function Thumbnail({ image }: { image: Image }) {
  const sizes = Object.values(image.sizes).sort((one, other) => one.width - other.width)
  const { url, width, height } = sizes.find(one => one.width >= 300 && one.height >= 200) ?? image
  return <img class="event-card-image" src={url} alt="" width={width} height={height} loading="lazy" decoding="async" />
}
