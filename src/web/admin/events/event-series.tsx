import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath, type Series, type SeriesPreview } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { ApplyChoice } from '../series/apply-choice.tsx'
import { type AdjacentDates, findAdjacentDates, loadSeries } from '../series/load-series.ts'
import { findRepeatErrors, type RepeatInput, toRecurrence, toRepeatInput } from '../series/repeat-input.ts'
import { getTextLanguage } from '../shared/calendar/fields.tsx'
import type { AdminContext } from '../shared/context.ts'
import { type FormErrors, hasErrors } from '../shared/editor.tsx'
import { ActionButton, Form } from '../shared/form.tsx'
import { toEventErrors } from './event-errors.ts'
import type { EventInput } from './event-fields.ts'
import { toEventBody, toEventDates } from './event-input.ts'

/** What the editor shows of the series of an event. */
export interface EditorSeries {
  text: string
  repeat: RepeatInput
  around: AdjacentDates
}

/** Undefined for a single event. */
export async function loadEventSeries(context: AdminContext, event: CalendarEvent): Promise<EditorSeries | undefined> {
  if (event.series === null) return undefined
  const [loaded, around] = await Promise.all([loadSeries(context, event.series.id), findAdjacentDates(context, event)])
  if (loaded === undefined) return undefined
  const { series, except } = loaded
  return { text: series.text, repeat: toRepeatInput(series, except, event.series.date), around }
}

/** “Show dates” was pressed instead of the button that saves. */
export function isDatesRequest(context: AdminContext): boolean {
  return getFormField(context, 'do') === 'dates'
}

/** The dates of the rule in the form, or what is wrong with it. An event that was moved counts with its date by the rule. */
export async function previewDates(
  context: AdminContext,
  input: EventInput,
  event?: CalendarEvent
): Promise<FormErrors & { dates?: SeriesPreview }> {
  const { all_day, start_date, end_date } = toEventDates(input)
  const isAsSaved = event !== undefined && event.series !== null && event.start_date.startsWith(start_date)
  const start = isAsSaved ? (event.series?.date ?? start_date) : start_date
  const recurrence = toRecurrence(input.repeat, start.slice(0, 10))
  if (recurrence == null)
    return { errors: { repeat: getMessages('series-admin', context.language).repeat.chooseFirst } }
  const errors = findRepeatErrors(context, input.repeat)
  if (hasErrors({ errors })) return { errors }
  try {
    const { body } = await context.api.post<SeriesPreview>(
      withQuery(`${calendarPath}/series/preview`, { language: context.language }),
      { start_date: start, ...(isAsSaved ? {} : { end_date }), all_day, timezone: input.timezone, recurrence }
    )
    return { errors: {}, dates: body }
  } catch (error) {
    return toEventErrors(context, error, input)
  }
}

/** Creates all events of the series, and opens the first one. */
export async function createSeries(context: AdminContext, input: EventInput): Promise<Redirect> {
  const path = withQuery(`${calendarPath}/events`, { language: getTextLanguage(context) })
  const { body } = await context.api.post<CalendarEvent>(path, toEventBody(context, input))
  const { language } = context
  const series = (await context.api.get<Series>(`${calendarPath}/series/${body.series?.id}`, { language })).body
  context.flash({
    text: getMessages('series-admin', language).repeat.created({ count: series.occurrences, text: series.text })
  })
  return redirect(withQuery(`/admin/events/${body.id}`, { lang: body.language }), 303)
}

/** Below the editor of an event of a series: copies, and the trash with the choice of events. */
export function SeriesActions({ context, event }: { context: AdminContext; event: CalendarEvent }) {
  const { language } = context
  const strings = getMessages('series-admin', language)
  const path = `/admin/events/${event.id}`
  return (
    <>
      <ActionButton context={context} action={`${path}/duplicate`} label={strings.duplicateOne} />
      <ActionButton
        context={context}
        action={`${path}/duplicate`}
        label={strings.duplicateAll}
        fields={{ copy: 'series' }}
      />
      <details class="series-trash">
        <summary>{getMessages('calendar-admin', language).trash}</summary>
        <Form context={context} action={`${path}/trash`}>
          <input type="hidden" name="status" value={event.status} />
          <input type="hidden" name="title" value={event.title.slice(0, 100)} />
          <ApplyChoice context={context} act="trash" chosen="this" />
          <button type="submit" class="small quiet danger">
            {getMessages('calendar-admin', language).trash}
          </button>
        </Form>
      </details>
    </>
  )
}
