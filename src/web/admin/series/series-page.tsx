import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { formatShortDay, formatTime } from '../../format/format.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import type { CalendarEvent, Series } from '../../server/calendar-api.ts'
import { renderActionLabel } from '../shared/calendar/trash.tsx'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { getPageNumber } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { type Column, Table } from '../shared/table.tsx'
import { AddDate, MoveForm } from './date-forms.tsx'
import { listDates, loadSeries } from './load-series.ts'

const rowsPerPage = 50
const earliestDay = '1900-01-01'
const queries = { upcoming: { ends_after: 'now' }, past: { ends_before: 'now' } } as const
type DatesView = keyof typeof queries
type PageStrings = Messages<'series-admin'>['page']

/** A date of the series, with the event on it. */
interface DateRow {
  event: CalendarEvent
  isSkipped: boolean
}

/** All dates of a series, and what can be done with them. */
export async function showSeries(context: AdminContext): Promise<AdminPage> {
  const { language, params, query } = context
  const strings = getMessages('series-admin', language).page
  const id = params.id ?? ''
  const view: DatesView = query.show === 'past' ? 'past' : 'upcoming'
  const [loaded, listed, trashed] = await Promise.all([
    loadSeries(context, id),
    listDates(context, id, queries[view]),
    listDates(context, id, { ...queries[view], status: 'trash' })
  ])
  if (loaded === undefined) return await showTrashedSeries(context, id)
  const { series } = loaded
  const rows = [
    ...listed.map(event => ({ event, isSkipped: false })),
    ...trashed.map(event => ({ event, isSkipped: true }))
  ].sort((one, other) => (one.event.start_date < other.event.start_date ? -1 : 1))
  if (view === 'past') rows.reverse()
  const page = getPageNumber(context)
  const name = (listed[0] ?? trashed[0])?.title
  return {
    title: name === undefined ? strings.untitled : strings.title({ name }),
    menu: '/admin/events',
    actions:
      series.next === null ? undefined : (
        <a class="button quiet" href={`/admin/events/${series.next.id}?apply=all`}>
          {strings.editAll}
        </a>
      ),
    body: (
      <>
        <SeriesSummary context={context} series={series} />
        <ViewTabs context={context} id={id} view={view} strings={strings} />
        <Table
          context={context}
          caption={strings.caption}
          columns={buildColumns(context, { id, view, status: listed[0]?.status ?? 'draft' })}
          rows={rows.slice((page - 1) * rowsPerPage, page * rowsPerPage)}
          empty={strings.empty[view]}
        />
        <Pager context={context} page={page} pages={Math.ceil(rows.length / rowsPerPage)} />
        <AddDate context={context} id={id} strings={strings} />
        <div class="actions editor-end">
          <a class="button small quiet danger" href={`/admin/series/${id}/delete`}>
            {strings.remove}
          </a>
        </div>
      </>
    )
  }
}

/** Without any event left, the API has nothing to say about a series, except by its trash. */
async function showTrashedSeries(context: AdminContext, id: string): Promise<AdminPage> {
  const strings = getMessages('series-admin', context.language).page
  const trashed = await listDates(context, id, { starts_after: earliestDay, status: 'trash' })
  const [first] = trashed
  if (first === undefined) throw new ApiError(404, 'rest-series-not-found')
  return {
    title: strings.title({ name: first.title }),
    menu: '/admin/events',
    status: 410,
    body: (
      <>
        <p>{strings.gone}</p>
        <Table
          context={context}
          caption={strings.caption}
          columns={buildColumns(context, { id, view: 'upcoming', status: 'draft' })}
          rows={trashed.slice(0, rowsPerPage).map(event => ({ event, isSkipped: true }))}
          empty=""
        />
        <p>
          <a href="/admin/events?show=trash">{strings.toTrash}</a>
        </p>
      </>
    )
  }
}

function SeriesSummary({ context, series }: { context: AdminContext; series: Series }) {
  const { repeat, page } = getMessages('series-admin', context.language)
  const { start_date: start, end_date: end, timezone } = series
  return (
    <div class="card series-summary">
      <p class="lead">
        <span aria-hidden="true">↻ </span>
        {series.text}
      </p>
      <p>
        {series.all_day ? '' : `${formatTime(start)}–${formatTime(end)} (${timezone}), `}
        {page.events({ count: series.occurrences })}
      </p>
      {series.isEndless ? <p class="hint">{repeat.endless}</p> : null}
    </div>
  )
}

function ViewTabs({
  context,
  id,
  view,
  strings
}: {
  context: AdminContext
  id: string
  view: DatesView
  strings: PageStrings
}) {
  return (
    <nav class="tabs" aria-label={getMessages('series-admin', context.language).note.allDates}>
      <ul>
        {(['upcoming', 'past'] as const).map(one => (
          <li key={one}>
            <a
              href={withQuery(`/admin/series/${id}`, { show: one === 'past' ? 'past' : undefined })}
              {...(one === view ? { 'aria-current': 'page' as const } : {})}
            >
              {strings[one]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function buildColumns(
  context: AdminContext,
  { id, view, status }: { id: string; view: DatesView; status: string }
): Column<DateRow>[] {
  const { language } = context
  const strings = getMessages('series-admin', language).page
  return [
    {
      label: strings.date,
      isHead: true,
      cell: ({ event, isSkipped }) => <DateCell context={context} event={event} isSkipped={isSkipped} />
    },
    { label: strings.event, cell: ({ event }) => <span lang={event.language}>{event.title}</span> },
    { label: strings.state, cell: row => <StateBadge strings={strings} row={row} /> },
    {
      label: strings.move,
      cell: ({ event, isSkipped }) =>
        isSkipped ? null : <MoveForm context={context} id={id} event={event} view={view} />
    },
    {
      label: <span class="visually-hidden">{strings.skip}</span>,
      cell: row => <RowActions context={context} row={row} id={id} view={view} status={status} />
    }
  ]
}

function DateCell({ context, event, isSkipped }: { context: AdminContext } & DateRow) {
  const { language } = context
  const { start_date: start } = event
  const date = (
    <time dateTime={start.replace(' ', 'T')}>
      {formatShortDay(language, start)} {start.slice(0, 4)}
      {event.all_day === true ? '' : `, ${formatTime(start)}`}
    </time>
  )
  return isSkipped ? <s>{date}</s> : <a href={`/admin/events/${event.id}`}>{date}</a>
}

function StateBadge({ strings, row: { event, isSkipped } }: { strings: PageStrings; row: DateRow }) {
  const { states } = strings
  if (isSkipped) return <span class="badge bad">{states.skipped}</span>
  return (
    <span class="event-marks">
      {event.event_status === 'canceled' || event.event_status === 'postponed' ? (
        <span class={event.event_status === 'canceled' ? 'badge bad' : 'badge warn'}>{states[event.event_status]}</span>
      ) : null}
      {event.series?.isException === true ? (
        <span class="badge warn">{states.changed}</span>
      ) : (
        <span class="badge plain">{states.normal}</span>
      )}
    </span>
  )
}

function RowActions({
  context,
  row: { event, isSkipped },
  id,
  view,
  status
}: {
  context: AdminContext
  row: DateRow
  id: string
  view: DatesView
  status: string
}) {
  const strings = getMessages('series-admin', context.language).page
  const act = (word: string, action: string, more: Record<string, string> = {}) => (
    <ActionButton
      context={context}
      action={`/admin/series/${id}/${action}`}
      label={renderActionLabel(word, event.start_date.slice(0, 10))}
      fields={{ event: String(event.id), show: view, ...more }}
      look="link"
    />
  )
  return (
    <div class="row-acts">
      {isSkipped ? act(strings.restore, 'restore', { status }) : act(strings.skip, 'skip')}
      {isSkipped || view === 'past' ? null : act(strings.endHere, 'end')}
    </div>
  )
}
