import { Field, Select } from '../../components/field.tsx'
import { formatNumber, formatShortDay, formatTime } from '../../format/format.ts'
import { ApiError, type Query, withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, getVenues, type Term } from '../../server/calendar-api.ts'
import { adminStrings } from '../../strings/admin.ts'
import { type EventAdminStrings, eventAdminStrings } from '../../strings/event-admin.ts'
import { seriesAdminStrings } from '../../strings/series-admin.ts'
import { SeriesMark } from '../series/series-mark.tsx'
import { LanguageMarks, ShortDate } from '../shared/calendar/fields.tsx'
import { downloadList, fetchRequestedPage, listAll } from '../shared/calendar/lists.ts'
import { renderActionLabel, TrashRowButtons } from '../shared/calendar/trash.tsx'
import type { AdminContext, AdminPage, Download } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { getPageNumber } from '../shared/list-query.ts'
import { findSamples, markSamples } from '../shared/samples.tsx'
import { type Column, Filters, ListActions, Pager, Table } from '../shared/table.tsx'

type EventView = keyof EventAdminStrings['shows']

/** The earliest day that the API accepts. */
const earliestDay = '1900-01-01'

/** API query of each view of the list. */
const views: Record<EventView, Query> = {
  upcoming: { ends_after: 'now', sort: 'start_date', order: 'asc' },
  past: { ends_before: 'now', sort: 'start_date', order: 'desc' },
  all: { starts_after: earliestDay, sort: 'start_date', order: 'desc' },
  draft: { starts_after: earliestDay, status: 'draft,pending', sort: 'modified', order: 'desc' },
  scheduled: { starts_after: earliestDay, status: 'future', sort: 'start_date', order: 'asc' },
  hidden: { starts_after: earliestDay, hidden: true, sort: 'start_date', order: 'desc' },
  'without-de': { starts_after: earliestDay, missing_language: 'de', sort: 'start_date', order: 'desc' },
  'without-en': { starts_after: earliestDay, missing_language: 'en', sort: 'start_date', order: 'desc' },
  trash: { starts_after: earliestDay, status: 'trash', sort: 'modified', order: 'desc' }
}

/** Views for read-only users. */
const publicViews: EventView[] = ['upcoming', 'past', 'all', 'without-de', 'without-en']
const sorts = ['start_date', 'title', 'modified']

function getView(context: AdminContext): EventView {
  const requested = context.query.show as EventView
  return requested in views && (context.hasRole('editor') || publicViews.includes(requested)) ? requested : 'upcoming'
}

/** API query for the filters of the URL. */
function buildQuery(context: AdminContext): Query {
  const { query, language } = context
  const { sort, order, ...view } = views[getView(context)]
  const isSorted = sorts.includes(query.sort ?? '')
  return {
    ...view,
    language,
    ...(getView(context) === 'trash' && query.hidden === 'yes' ? { hidden: true } : {}),
    search: query.search?.trim().slice(0, 200),
    categories: /^\d{1,15}$/.test(query.category ?? '') ? query.category : undefined,
    series_once: query.series === 'once' ? true : undefined,
    orderby: isSorted ? query.sort : sort,
    order: isSorted ? (query.order === 'desc' ? 'desc' : 'asc') : order
  }
}

export async function showEvents(context: AdminContext): Promise<AdminPage> {
  const strings = eventAdminStrings[context.language]
  const [samples, categories, found] = await Promise.all([
    findSamples(context),
    listAll<Term>(context.api, 'categories', { language: context.language, hide_empty: false }),
    fetchRequestedPage<CalendarEvent>(context, 'events', buildQuery(context)).catch((error: unknown) => {
      // A bookmarked category that no longer exists finds nothing.
      if (error instanceof ApiError && error.status === 400) return { items: [], total: 0, pages: 0 }
      throw error
    })
  ])
  const show = getView(context)
  const mayWrite = context.hasRole('editor')
  const isFiltered = [context.query.search, context.query.category, context.query.show].some(
    value => (value ?? '') !== ''
  )
  return {
    title: adminStrings[context.language].nav.events,
    menu: '/admin/events',
    actions: (
      <ListActions
        context={context}
        create={mayWrite ? { label: strings.list.create, href: '/admin/events/new' } : undefined}
      />
    ),
    body: (
      <>
        <EventFilters context={context} categories={categories} show={show} />
        {show !== 'trash' || context.query.hidden === 'yes' ? null : (
          <p class="small">
            <a href="/admin/events?show=trash&hidden=yes">{strings.list.hiddenInTrash}</a>
          </p>
        )}
        <p class="small faded list-total">{strings.list.total(formatNumber(context.language, found.total))}</p>
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
        <Pager context={context} page={getPageNumber(context)} pages={found.pages} />
      </>
    )
  }
}

function EventFilters({ context, categories, show }: { context: AdminContext; categories: Term[]; show: EventView }) {
  const strings = eventAdminStrings[context.language]
  const series = seriesAdminStrings[context.language].list
  const shows = context.hasRole('editor') ? (Object.keys(strings.shows) as EventView[]) : publicViews
  return (
    <Filters context={context}>
      <Field
        name="search"
        type="search"
        label={strings.list.search}
        value={context.query.search ?? ''}
        maxLength={200}
      />
      <Select
        name="show"
        label={strings.list.show}
        value={show}
        options={shows.map(value => ({ value, label: strings.shows[value] }))}
      />
      <Select
        name="category"
        label={strings.list.category}
        value={context.query.category ?? ''}
        options={[
          { value: '', label: adminStrings[context.language].all },
          ...categories.map(({ id, name }) => ({ value: String(id), label: name }))
        ]}
      />
      <Select
        name="series"
        label={series.series}
        value={context.query.series === 'once' ? 'once' : ''}
        options={[
          { value: '', label: series.allDates },
          { value: 'once', label: series.once }
        ]}
      />
    </Filters>
  )
}

function buildColumns(context: AdminContext, show: EventView): Column<CalendarEvent>[] {
  const strings = eventAdminStrings[context.language]
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
    ...columns,
    {
      label: adminStrings[context.language].actions,
      cell: event => <RowActions context={context} event={event} show={show} />
    }
  ]
}

function EventMarks({ context, event }: { context: AdminContext; event: CalendarEvent }) {
  const { list, happenings } = eventAdminStrings[context.language]
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
      <span class="faded start-time">
        {' '}
        {event.all_day === true ? eventAdminStrings[language].list.allDay : formatTime(event.start_date)}
      </span>
    </time>
  )
}

export function StatusBadge({ context, status }: { context: AdminContext; status: string }) {
  const strings: Record<string, string> = eventAdminStrings[context.language].statuses
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
          label={renderActionLabel(eventAdminStrings[context.language].acts.duplicate, event.title)}
          look="link"
        />
      )}
      <TrashRowButtons
        context={context}
        collection="events"
        item={event}
        name={event.title}
        isTrash={isTrash}
        label={event.series === null ? undefined : seriesAdminStrings[context.language].apply.trash.this}
      />
    </div>
  )
}

export async function downloadEvents(context: AdminContext): Promise<Download> {
  const { list, editor, statuses, happenings } = eventAdminStrings[context.language]
  const stateOf: Record<string, string> = statuses
  return await downloadList<CalendarEvent>(context, 'events', buildQuery(context), [
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
