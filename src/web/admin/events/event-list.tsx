import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber, formatShortDay, formatTime } from '../../format/format.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, getVenues } from '../../server/calendar-api.ts'
import { SeriesMark } from '../series/series-mark.tsx'
import { LanguageMarks, ShortDate } from '../shared/calendar/fields.tsx'
import { downloadList, fetchRequestedPage } from '../shared/calendar/lists.ts'
import { renderActionLabel, TrashRowButtons } from '../shared/calendar/trash.tsx'
import type { AdminContext, AdminPage, Download } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { getPageNumber } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { findSamples, markSamples } from '../shared/samples.tsx'
import { type Column, ListActions, Table } from '../shared/table.tsx'
import { BulkBar, buildSelectColumn } from './bulk-bar.tsx'
import { buildEventQuery, type EventView, getView, listActiveFilters, listFilterChoices } from './event-filter.ts'
import { EventFilters } from './event-filters.tsx'

export async function showEvents(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('event-admin', context.language)
  const [samples, choices, found] = await Promise.all([
    findSamples(context),
    listFilterChoices(context),
    fetchRequestedPage<CalendarEvent>(context, 'events', buildEventQuery(context)).catch((error: unknown) => {
      // A bookmarked category or venue that no longer exists finds nothing.
      if (error instanceof ApiError && error.status === 400) return { items: [], total: 0, pages: 0 }
      throw error
    })
  ])
  const show = getView(context)
  const mayWrite = context.hasRole('editor')
  const isFiltered = (context.query.show ?? '') !== '' || listActiveFilters(context, choices).length > 0
  return {
    title: getMessages('admin', context.language).nav.events,
    menu: '/admin/events',
    scripts: ['console'],
    actions: (
      <ListActions
        context={context}
        create={mayWrite ? { label: strings.list.create, href: '/admin/events/new' } : undefined}
      />
    ),
    body: (
      <>
        <EventFilters context={context} choices={choices} />
        {show !== 'trash' || context.query.hidden === 'yes' ? null : (
          <p>
            <a class="button small quiet" href="/admin/events?show=trash&hidden=yes">
              {strings.list.hiddenInTrash}
            </a>
          </p>
        )}
        <p class="small muted list-total">
          {strings.list.total({ count: formatNumber(context.language, found.total) })}
        </p>
        <Table
          context={context}
          caption={strings.list.caption}
          columns={markSamples(context, buildColumns(context, show), ({ id }) => samples.has('event', id))}
          rows={found.items}
          empty={
            show === 'trash'
              ? strings.list.emptyTrash
              : isFiltered || !mayWrite
                ? strings.list.empty
                : strings.list.emptyAll
          }
        />
        {mayWrite && found.items.length > 0 ? (
          <BulkBar context={context} choices={choices} isTrash={show === 'trash'} />
        ) : null}
        <Pager context={context} page={getPageNumber(context)} pages={found.pages} />
      </>
    )
  }
}

function buildColumns(context: AdminContext, show: EventView): Column<CalendarEvent>[] {
  const strings = getMessages('event-admin', context.language)
  const mayWrite = context.hasRole('editor')
  const columns: Column<CalendarEvent>[] = [
    {
      label: strings.list.title,
      sort: 'title',
      isHead: true,
      cell: event => (
        <>
          {mayWrite && show !== 'trash' ? (
            <a href={withQuery(`/admin/events/${event.id}`, { lang: event.language })} lang={event.language}>
              {event.title}
            </a>
          ) : (
            <span lang={event.language}>{event.title}</span>
          )}
          <EventMarks context={context} event={event} />
        </>
      )
    },
    { label: strings.list.start, sort: 'start_date', cell: event => <StartTime context={context} event={event} /> },
    { label: strings.list.venue, cell: event => formatVenueNames(event) },
    { label: strings.list.status, cell: event => <StatusBadge context={context} status={event.status} /> },
    {
      label: strings.list.languages,
      cell: event => <LanguageMarks context={context} written={event.translations} />
    },
    {
      label: strings.list.modified,
      sort: 'modified',
      isNamed: true,
      cell: event => <ShortDate context={context} moment={event.modified} />
    }
  ]
  if (!mayWrite) return columns
  return [
    buildSelectColumn(context),
    ...columns,
    {
      label: getMessages('admin', context.language).actions,
      cell: event => <RowActions context={context} event={event} show={show} />
    }
  ]
}

function EventMarks({ context, event }: { context: AdminContext; event: CalendarEvent }) {
  const { list, happenings } = getMessages('event-admin', context.language)
  return (
    <span class="event-marks">
      {event.series === null ? null : <SeriesMark context={context} series={event.series} />}
      {event.featured === true ? (
        <span class="badge">
          <span aria-hidden="true">★ </span>
          {list.featured}
        </span>
      ) : null}
      {event.sticky === true ? <span class="badge plain">{list.sticky}</span> : null}
      {event.hide_from_listings === true ? <span class="badge plain">{list.hiddenMark}</span> : null}
      {event.all_day === null ? <span class="badge plain">{list.protectedMark}</span> : null}
      {event.event_status === 'canceled' || event.event_status === 'postponed' ? (
        <span class={event.event_status === 'canceled' ? 'badge bad' : 'badge warn'}>
          {happenings[event.event_status]}
        </span>
      ) : null}
    </span>
  )
}

function StartTime({ context, event }: { context: AdminContext; event: CalendarEvent }) {
  const { language } = context
  const year = event.start_date.slice(0, 4)
  const isThisYear = year === String(context.now.getFullYear())
  return (
    <time class="start-of" dateTime={event.start_date.replace(' ', 'T')}>
      {formatShortDay(language, event.start_date)}
      {isThisYear ? '' : ` ${year}`}
      <span class="muted start-time">
        {' '}
        {event.all_day === true ? getMessages('event-admin', language).list.allDay : formatTime(event.start_date)}
      </span>
    </time>
  )
}

export function StatusBadge({ context, status }: { context: AdminContext; status: string }) {
  const strings: Record<string, string> = getMessages('event-admin', context.language).statuses
  const look = { publish: 'good', future: 'warn', trash: 'bad' }[status] ?? 'plain'
  return <span class={`badge ${look}`}>{strings[status] ?? status}</span>
}

function formatVenueNames(event: CalendarEvent): string {
  return getVenues(event)
    .map(({ venue }) => venue)
    .join(', ')
}

function RowActions({ context, event, show }: { context: AdminContext; event: CalendarEvent; show: EventView }) {
  const isTrash = show === 'trash'
  return (
    <div class="row-acts">
      {isTrash ? null : (
        <ActionButton
          context={context}
          action={`/admin/events/${event.id}/duplicate`}
          label={renderActionLabel(getMessages('event-admin', context.language).acts.duplicate, event.title)}
          look="link"
        />
      )}
      <TrashRowButtons
        context={context}
        collection="events"
        item={event}
        name={event.title}
        isTrash={isTrash}
        label={event.series === null ? undefined : getMessages('series-admin', context.language).apply.trash.this}
      />
    </div>
  )
}

export async function downloadEvents(context: AdminContext): Promise<Download> {
  const { list, editor, statuses, happenings } = getMessages('event-admin', context.language)
  const stateOf: Record<string, string> = statuses
  return await downloadList<CalendarEvent>(context, 'events', buildEventQuery(context), [
    { name: 'id', cell: event => String(event.id) },
    { name: list.title, cell: event => event.title },
    { name: list.start, cell: event => event.start_date.slice(0, 16) },
    { name: editor.endTime, cell: event => event.end_date.slice(0, 16) },
    { name: editor.timezone, cell: event => event.timezone },
    { name: list.venue, cell: formatVenueNames },
    { name: editor.organizers, cell: event => event.organizer.map(({ organizer }) => organizer).join(', ') },
    { name: editor.categories, cell: event => event.categories.map(({ name }) => name).join(', ') },
    { name: editor.tags, cell: event => event.tags.map(({ name }) => name).join(', ') },
    { name: editor.cost, cell: event => event.cost },
    { name: list.status, cell: event => stateOf[event.status] ?? event.status },
    { name: editor.eventStatus, cell: event => happenings[event.event_status ?? 'scheduled'] },
    { name: list.languages, cell: event => event.translations.join(', ') },
    { name: 'URL', cell: event => event.url }
  ])
}
