import { getLanguageValues } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { DateBadge } from '../../components/date-badge.tsx'
import { formatShortDay, formatTime } from '../../format/format.ts'
import { type CalendarEvent, getVenues } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import type { AdminContext } from '../shared/context.ts'
import type { Overview } from './dashboard.tsx'
import { Part } from './dashboard-parts.tsx'

export function NextEvents({ context, overview }: { context: AdminContext; overview: Overview }) {
  const { language } = context
  const strings = getMessages('dashboard', language)
  const maySeeList = context.hasRole('editor', 'viewer')
  const more = maySeeList && overview.upcoming.length > 0 ? <a href="/admin/events">{strings.allEvents}</a> : null
  return (
    <Part id="next-events" title={strings.next} more={more}>
      {overview.upcoming.length === 0 ? (
        <p class="muted part-empty">
          <span>{strings.nextNone}</span>
          {context.hasRole('editor') ? (
            <a class="button small" href="/admin/events/new">
              {strings.newEvent}
            </a>
          ) : null}
        </p>
      ) : (
        <ul class="lines">
          {overview.upcoming.map(event => (
            <li key={event.id} class="line">
              <DateBadge language={language} date={event.start_date} />
              <div class="line-main">
                <p class="line-title" lang={event.language}>
                  {context.hasRole('editor') ? (
                    <a href={`/admin/events/${event.id}`}>{event.title}</a>
                  ) : (
                    <a href={getPath('event', event.language, event.slug)}>{event.title}</a>
                  )}
                </p>
                <p class="line-hint">{formatTimeAndPlace(event, context, strings)}</p>
                <EventBadges context={context} event={event} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function formatTimeAndPlace(event: CalendarEvent, { language }: AdminContext, strings: Messages<'dashboard'>): string {
  const when = event.all_day === true ? strings.allDay : formatTime(event.start_date)
  const where = getVenues(event)
    .map(({ venue }) => venue)
    .filter(name => name !== undefined && name !== '')
  return [`${formatShortDay(language, event.start_date)}, ${when}`, ...where].join(' · ')
}

function EventBadges({ context, event }: { context: AdminContext; event: CalendarEvent }) {
  const strings = getMessages('dashboard', context.language)
  const missing = context.site.languages.filter(language => !event.translations.includes(language))
  if (missing.length === 0 && (event.event_status ?? 'scheduled') === 'scheduled') return null
  return (
    <p class="badges">
      {event.event_status === 'canceled' ? <span class="badge bad">{strings.cancelled}</span> : null}
      {event.event_status === 'postponed' ? <span class="badge warn">{strings.postponed}</span> : null}
      {missing.map(language => (
        <span key={language} class="badge warn">
          {strings.missing(getLanguageValues(language, context.language))}
        </span>
      ))}
    </p>
  )
}
