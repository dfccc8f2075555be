import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { formatWeekday } from '../../format/format.ts'
import type { CalendarEvent } from '../../server/calendar-api.ts'
import { renderActionLabel } from '../shared/calendar/trash.tsx'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'

/** Moves one date: the event keeps its duration. */
export function MoveForm({
  context,
  id,
  event,
  view
}: {
  context: AdminContext
  id: string
  event: CalendarEvent
  view: string
}) {
  const strings = getMessages('series-admin', context.language).page
  return (
    <details class="move-date">
      <summary>
        {renderActionLabel(
          strings.move,
          `${formatWeekday(context.language, event.start_date)} ${event.start_date.slice(0, 10)}`
        )}
      </summary>
      <Form
        context={context}
        action={`/admin/series/${id}/move`}
        draft={`/admin/series/${id}/move/${event.id}`}
        class="move-form"
      >
        <input type="hidden" name="event" value={event.id} />
        <input type="hidden" name="show" value={view} />
        <input type="date" name="day" value={event.start_date.slice(0, 10)} aria-label={strings.moveDay} required />
        {event.all_day === true ? null : (
          <input
            type="time"
            name="time"
            value={event.start_date.slice(11, 16)}
            aria-label={strings.moveTime}
            required
          />
        )}
        <button type="submit" class="small">
          {strings.moveNow}
        </button>
      </Form>
    </details>
  )
}

/** Adds a date to the series. */
export function AddDate({
  context,
  id,
  strings
}: {
  context: AdminContext
  id: string
  strings: Messages<'series-admin'>['page']
}) {
  return (
    <details class="card add-date">
      <summary>{strings.add}</summary>
      <Form context={context} action={`/admin/series/${id}/add`} draft={`/admin/series/${id}/add`} class="move-form">
        <label for="field-add-day">{strings.addDay}</label>
        <input type="date" id="field-add-day" name="day" required aria-describedby="field-add-day-hint" />
        <button type="submit" class="small">
          {strings.addNow}
        </button>
        <p class="hint" id="field-add-day-hint">
          {strings.addHint}
        </p>
      </Form>
    </details>
  )
}
