import { getMessages } from '#platform/messages/messages.ts'
import type { CalendarEvent } from '../../server/calendar-api.ts'
import type { AdminContext } from '../shared/context.ts'

/** The rule in words, as a link to all dates for those who may open it. */
export function SeriesMark({
  context,
  series
}: {
  context: AdminContext
  series: NonNullable<CalendarEvent['series']>
}) {
  const { page } = getMessages('series-admin', context.language)
  const text = (
    <>
      <span aria-hidden="true">↻ </span>
      {series.text}
    </>
  )
  return (
    <>
      {context.hasRole('editor') ? (
        <a class="badge plain" href={`/admin/series/${series.id}`}>
          {text}
        </a>
      ) : (
        <span class="badge plain">{text}</span>
      )}
      {series.isException ? <span class="badge warn">{page.states.changed}</span> : null}
    </>
  )
}
