import { type Query, Refused, withQuery } from '../../api.ts'
import { type CalendarEvent, type Term, venuesOf } from '../../calendar-api.ts'
import { number, shortDay, timeOf } from '../../format.ts'
import { consoleWords } from '../../text/console.ts'
import { type EventWords, eventWords } from '../../text/events.ts'
import { Field } from '../../ui/field.tsx'
import { listAll, listAt, listDownload } from '../calendar-lists.ts'
import { DayOf, LanguageMarks, Select } from '../calendar-parts.tsx'
import type { ConsolePage, Desk, Download } from '../console.ts'
import { Act } from '../form.tsx'
import { pageOf } from '../list-address.ts'
import { findSamples, markSamples } from '../samples.tsx'
import { type Column, Filters, ListActions, Pager, Table } from '../table.tsx'
import { heard, TrashActs } from '../trash.tsx'

type Show = keyof EventWords['shows']

/** Before everything that there is: the API takes no earlier day. */
const always = '1900-01-01'

/** What each view of the list asks for. */
const views: Record<Show, Query> = {
  upcoming: { ends_after: 'now', sort: 'start_date', order: 'asc' },
  past: { ends_before: 'now', sort: 'start_date', order: 'desc' },
  all: { starts_after: always, sort: 'start_date', order: 'desc' },
  draft: { starts_after: always, status: 'draft,pending', sort: 'modified', order: 'desc' },
  scheduled: { starts_after: always, status: 'future', sort: 'start_date', order: 'asc' },
  hidden: { starts_after: always, hidden: true, sort: 'start_date', order: 'desc' },
  'without-de': { starts_after: always, missing_language: 'de', sort: 'start_date', order: 'desc' },
  'without-en': { starts_after: always, missing_language: 'en', sort: 'start_date', order: 'desc' },
  trash: { starts_after: always, status: 'trash', sort: 'modified', order: 'desc' }
}

/** What those see who only read. */
const openShows: Show[] = ['upcoming', 'past', 'all', 'without-de', 'without-en']
const sorts = ['start_date', 'title', 'modified']

function showOf(desk: Desk): Show {
  const asked = desk.query.show as Show
  return asked in views && (desk.may('editor') || openShows.includes(asked)) ? asked : 'upcoming'
}

/** The filters of the address in the words of the API. */
function queryOf(desk: Desk): Query {
  const { query, language } = desk
  const { sort, order, ...view } = views[showOf(desk)]
  const isSorted = sorts.includes(query.sort ?? '')
  return {
    ...view,
    language,
    ...(showOf(desk) === 'trash' && query.hidden === 'yes' ? { hidden: true } : {}),
    search: query.search?.trim().slice(0, 200),
    categories: /^\d{1,15}$/.test(query.category ?? '') ? query.category : undefined,
    orderby: isSorted ? query.sort : sort,
    order: isSorted ? (query.order === 'desc' ? 'desc' : 'asc') : order
  }
}

export async function showEvents(desk: Desk): Promise<ConsolePage> {
  const words = eventWords[desk.language]
  const [samples, categories, found] = await Promise.all([
    findSamples(desk),
    listAll<Term>(desk.api, 'categories', { language: desk.language, hide_empty: false }),
    listAt<CalendarEvent>(desk, 'events', queryOf(desk)).catch((error: unknown) => {
      // A category of an old bookmark that is not there any more finds nothing.
      if (error instanceof Refused && error.status === 400) return { items: [], total: 0, pages: 0 }
      throw error
    })
  ])
  const show = showOf(desk)
  const mayWrite = desk.may('editor')
  const isFiltered = [desk.query.search, desk.query.category, desk.query.show].some(value => (value ?? '') !== '')
  return {
    title: consoleWords[desk.language].nav.events,
    menu: '/admin/events',
    actions: (
      <ListActions
        desk={desk}
        create={mayWrite ? { label: words.list.create, href: '/admin/events/new' } : undefined}
      />
    ),
    body: (
      <>
        <EventFilters desk={desk} categories={categories} show={show} />
        {show !== 'trash' || desk.query.hidden === 'yes' ? null : (
          <p class="small">
            <a href="/admin/events?show=trash&hidden=yes">{words.list.hiddenInTrash}</a>
          </p>
        )}
        <p class="small faded list-total">{words.list.total(number(desk.language, found.total))}</p>
        <Table
          desk={desk}
          caption={words.list.caption}
          columns={markSamples(desk, columnsFor(desk, show), ({ id }) => samples.has('event', id))}
          rows={found.items}
          empty={
            show === 'trash' ? words.list.emptyTrash : isFiltered || !mayWrite ? words.list.empty : words.list.emptyAll
          }
        />
        <Pager desk={desk} page={pageOf(desk)} pages={found.pages} />
      </>
    )
  }
}

function EventFilters({ desk, categories, show }: { desk: Desk; categories: Term[]; show: Show }) {
  const words = eventWords[desk.language]
  const shows = desk.may('editor') ? (Object.keys(words.shows) as Show[]) : openShows
  return (
    <Filters desk={desk}>
      <Field name="search" type="search" label={words.list.search} value={desk.query.search ?? ''} maxLength={200} />
      <Select
        name="show"
        label={words.list.show}
        value={show}
        options={shows.map(value => ({ value, label: words.shows[value] }))}
      />
      <Select
        name="category"
        label={words.list.category}
        value={desk.query.category ?? ''}
        options={[
          { value: '', label: consoleWords[desk.language].all },
          ...categories.map(({ id, name }) => ({ value: String(id), label: name }))
        ]}
      />
    </Filters>
  )
}

function columnsFor(desk: Desk, show: Show): Column<CalendarEvent>[] {
  const words = eventWords[desk.language]
  const mayWrite = desk.may('editor')
  const columns: Column<CalendarEvent>[] = [
    {
      label: words.list.title,
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
          <EventMarks desk={desk} event={event} />
        </>
      )
    },
    { label: words.list.start, sort: 'start_date', cell: event => <StartOf desk={desk} event={event} /> },
    { label: words.list.venue, cell: event => venueNames(event) },
    { label: words.list.status, cell: event => <StatusBadge desk={desk} status={event.status} /> },
    {
      label: words.list.languages,
      cell: event => <LanguageMarks desk={desk} written={event.translations} />
    },
    {
      label: words.list.modified,
      sort: 'modified',
      isNamed: true,
      cell: event => <DayOf desk={desk} moment={event.modified} />
    }
  ]
  if (!mayWrite) return columns
  return [
    ...columns,
    { label: consoleWords[desk.language].actions, cell: event => <RowActs desk={desk} event={event} show={show} /> }
  ]
}

function EventMarks({ desk, event }: { desk: Desk; event: CalendarEvent }) {
  const { list, happenings } = eventWords[desk.language]
  return (
    <span class="event-marks">
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

function StartOf({ desk, event }: { desk: Desk; event: CalendarEvent }) {
  const { language } = desk
  const year = event.start_date.slice(0, 4)
  const isThisYear = year === String(desk.now.getFullYear())
  return (
    <time class="start-of" dateTime={event.start_date.replace(' ', 'T')}>
      {shortDay(language, event.start_date)}
      {isThisYear ? '' : ` ${year}`}
      <span class="faded start-time">
        {' '}
        {event.all_day === true ? eventWords[language].list.allDay : timeOf(event.start_date)}
      </span>
    </time>
  )
}

export function StatusBadge({ desk, status }: { desk: Desk; status: string }) {
  const words: Record<string, string> = eventWords[desk.language].statuses
  const look = { publish: 'good', future: 'warn', trash: 'bad' }[status] ?? 'plain'
  return <span class={`badge ${look}`}>{words[status] ?? status}</span>
}

function venueNames(event: CalendarEvent): string {
  return venuesOf(event)
    .map(({ venue }) => venue)
    .join(', ')
}

function RowActs({ desk, event, show }: { desk: Desk; event: CalendarEvent; show: Show }) {
  const isTrash = show === 'trash'
  return (
    <div class="row-acts">
      {isTrash ? null : (
        <Act
          desk={desk}
          action={`/admin/events/${event.id}/duplicate`}
          label={heard(eventWords[desk.language].acts.duplicate, event.title)}
          look="link"
        />
      )}
      <TrashActs desk={desk} collection="events" item={event} name={event.title} isTrash={isTrash} />
    </div>
  )
}

export async function downloadEvents(desk: Desk): Promise<Download> {
  const { list, editor, statuses, happenings } = eventWords[desk.language]
  const stateOf: Record<string, string> = statuses
  return await listDownload<CalendarEvent>(desk, 'events', queryOf(desk), [
    { name: 'id', cell: event => String(event.id) },
    { name: list.title, cell: event => event.title },
    { name: list.start, cell: event => event.start_date.slice(0, 16) },
    { name: editor.endTime, cell: event => event.end_date.slice(0, 16) },
    { name: editor.timezone, cell: event => event.timezone },
    { name: list.venue, cell: venueNames },
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
