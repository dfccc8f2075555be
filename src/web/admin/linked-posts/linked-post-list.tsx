import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import { type Query, withQuery } from '../../server/api-client.ts'
import { StatusBadge } from '../events/event-list.tsx'
import { LanguageMarks, SearchFilters, ShortDate } from '../shared/calendar/fields.tsx'
import { downloadList, fetchRequestedPage } from '../shared/calendar/lists.ts'
import { TrashRowButtons } from '../shared/calendar/trash.tsx'
import type { AdminContext, AdminPage, Download } from '../shared/context.ts'
import { getPageNumber } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { findSamples, markSamples } from '../shared/samples.tsx'
import { type Column, ListActions, Table } from '../shared/table.tsx'
import { getName, type LinkedPost, type LinkedPostType, listCardFields } from './linked-post-type.ts'

type View = keyof Messages<'calendar-admin'>['shows']

const views: Record<View, Query> = {
  all: {},
  'without-de': { missing_language: 'de' },
  'without-en': { missing_language: 'en' },
  trash: { status: 'trash' }
}

function listViews(context: AdminContext): View[] {
  return (Object.keys(views) as View[]).filter(one => one !== 'trash' || context.hasRole('editor'))
}

function getView(context: AdminContext): View {
  return listViews(context).find(one => one === context.query.show) ?? 'all'
}

function buildQuery(context: AdminContext): Query {
  const { query, language } = context
  const isSorted = query.sort === 'title' || query.sort === 'modified'
  return {
    ...views[getView(context)],
    language,
    search: query.search?.trim().slice(0, 200),
    orderby: isSorted ? query.sort : 'title',
    order: isSorted && query.order === 'desc' ? 'desc' : 'asc',
    ...(context.hasRole('editor') ? { with_counts: true } : {})
  }
}

export async function showLinkedPosts(context: AdminContext, kind: LinkedPostType): Promise<AdminPage> {
  const { collection } = kind
  const strings = getMessages('calendar-admin', context.language)
  const frame = getMessages('admin', context.language)
  const [found, samples] = await Promise.all([
    fetchRequestedPage<LinkedPost>(context, collection, buildQuery(context)),
    findSamples(context)
  ])
  const show = getView(context)
  const isFiltered = show !== 'all' || (context.query.search ?? '') !== ''
  return {
    title: frame.nav[collection],
    menu: `/admin/${collection}`,
    actions: (
      <ListActions
        context={context}
        create={
          context.hasRole('editor')
            ? { label: strings[collection].create, href: `/admin/${collection}/new` }
            : undefined
        }
      />
    ),
    body: (
      <>
        <SearchFilters context={context} show={show} offered={listViews(context)} />
        <Table
          context={context}
          caption={frame.nav[collection]}
          columns={markSamples(context, buildColumns(context, kind), ({ id }) => samples.has(kind.name, id))}
          rows={found.items}
          empty={show === 'trash' ? strings.emptyTrash : isFiltered ? strings.found : strings[collection].empty}
        />
        <Pager context={context} page={getPageNumber(context)} pages={found.pages} />
      </>
    )
  }
}

function buildColumns(context: AdminContext, kind: LinkedPostType): Column<LinkedPost>[] {
  const { collection } = kind
  const strings = getMessages('calendar-admin', context.language)
  const isTrash = getView(context) === 'trash'
  const mayWrite = context.hasRole('editor')
  const columns: (Column<LinkedPost> | undefined)[] = [
    {
      label: strings.name,
      sort: 'title',
      isHead: true,
      cell: place => (
        <>
          {mayWrite && !isTrash ? (
            <a href={withQuery(`/admin/${collection}/${place.id}`, { lang: place.language })} lang={place.language}>
              {getName(kind, place)}
            </a>
          ) : (
            <span lang={place.language}>{getName(kind, place)}</span>
          )}
          {place.status === 'publish' || isTrash ? null : (
            <span class="event-marks">
              <StatusBadge context={context} status={place.status} />
            </span>
          )}
        </>
      )
    },
    {
      label: kind.name === 'venue' ? strings.city : strings.email,
      cell: place => String((kind.name === 'venue' ? place.city : place.email) ?? '')
    },
    mayWrite
      ? {
          label: strings.events,
          isNumber: true,
          cell: place => formatNumber(context.language, place.event_count ?? 0)
        }
      : undefined,
    { label: strings.languages, cell: place => <LanguageMarks context={context} written={place.translations} /> },
    {
      label: strings.changed,
      sort: 'modified',
      isNamed: true,
      cell: place => <ShortDate context={context} moment={place.modified} />
    },
    mayWrite
      ? {
          label: getMessages('admin', context.language).actions,
          cell: place => (
            <div class="row-acts">
              <TrashRowButtons
                context={context}
                collection={collection}
                item={place}
                name={getName(kind, place)}
                isTrash={isTrash}
              />
            </div>
          )
        }
      : undefined
  ]
  return columns.filter(column => column !== undefined)
}

export async function downloadLinkedPosts(context: AdminContext, kind: LinkedPostType): Promise<Download> {
  const strings = getMessages('calendar-admin', context.language)
  return await downloadList<LinkedPost>(context, kind.collection, buildQuery(context), [
    { name: 'id', cell: place => String(place.id) },
    { name: strings.name, cell: place => getName(kind, place) },
    ...listCardFields(kind).map(part => ({
      name: String(strings[part.label]),
      cell: (place: LinkedPost) => String(place[part.name] ?? '')
    })),
    ...(context.hasRole('editor')
      ? [{ name: strings.events, cell: (place: LinkedPost) => String(place.event_count ?? 0) }]
      : []),
    { name: strings.languages, cell: place => place.translations.join(', ') },
    { name: 'URL', cell: place => place.url }
  ])
}
