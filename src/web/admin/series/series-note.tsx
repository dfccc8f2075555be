import { getMessages } from '#platform/messages/messages.ts'
import { formatShortDay } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { CalendarEvent } from '../../server/calendar-api.ts'
import type { AdminContext } from '../shared/context.ts'
import type { AdjacentDates } from './load-series.ts'

/** Above the editor of an event of a series: the rule, the dates around it, and what differs. */
export function SeriesNote({
  context,
  event,
  text,
  around: { previous, next },
  labels
}: {
  context: AdminContext
  event: CalendarEvent
  /** The rule in words. */
  text: string
  around: AdjacentDates
  /** Labels of the API's fields. */
  labels: Record<string, string>
}) {
  const { language } = context
  const strings = getMessages('series-admin', language).note
  if (event.series === null) return null
  const { id, changes } = event.series
  const names: Record<string, string> = {
    ...strings.otherFields,
    ...labels,
    start_date: strings.start,
    end_date: strings.end
  }
  const link = (label: string, to: CalendarEvent | undefined) =>
    to === undefined ? null : (
      <a href={withQuery(`/admin/events/${to.id}`, { lang: context.query.lang })}>
        {label}: {formatShortDay(language, to.start_date)} {to.start_date.slice(0, 4)}
      </a>
    )
  return (
    <div class="notice series-note">
      <p>
        <span aria-hidden="true">↻ </span>
        {strings.partOf} <strong>{text}</strong>
      </p>
      {changes.length === 0 ? null : (
        <p>
          <span class="badge warn">
            {strings.differs({ fields: changes.map(name => names[name] ?? name).join(', ') })}
          </span>
        </p>
      )}
      <p class="series-links">
        {link(strings.previous, previous)}
        {link(strings.next, next)}
        <a href={`/admin/series/${id}`}>{strings.allDates}</a>
      </p>
    </div>
  )
}
