import { type Query, withQuery } from '../../api.ts'
import { number } from '../../format.ts'
import { consoleWords } from '../../text/console.ts'
import { type PlaceWords, placeWords } from '../../text/places.ts'
import { listAt, listDownload } from '../calendar-lists.ts'
import { DayOf, LanguageMarks, SearchAndShow } from '../calendar-parts.tsx'
import type { ConsolePage, Desk, Download } from '../console.ts'
import { StatusBadge } from '../events/event-list.tsx'
import { pageOf } from '../list-address.ts'
import { findSamples, markSamples } from '../samples.tsx'
import { type Column, ListActions, Pager, Table } from '../table.tsx'
import { TrashActs } from '../trash.tsx'
import { nameIn, type Place, type PlaceKind, partsOf } from './place-kinds.ts'

type Show = keyof PlaceWords['shows']

const shows: Record<Show, Query> = {
  all: {},
  'without-de': { missing_language: 'de' },
  'without-en': { missing_language: 'en' },
  trash: { status: 'trash' }
}

function offeredShows(desk: Desk): Show[] {
  return (Object.keys(shows) as Show[]).filter(one => one !== 'trash' || desk.may('editor'))
}

function showOf(desk: Desk): Show {
  return offeredShows(desk).find(one => one === desk.query.show) ?? 'all'
}

function queryOf(desk: Desk): Query {
  const { query, language } = desk
  const isSorted = query.sort === 'title' || query.sort === 'modified'
  return {
    ...shows[showOf(desk)],
    language,
    search: query.search?.trim().slice(0, 200),
    orderby: isSorted ? query.sort : 'title',
    order: isSorted && query.order === 'desc' ? 'desc' : 'asc',
    ...(desk.may('editor') ? { with_counts: true } : {})
  }
}

export async function showPlaces(desk: Desk, kind: PlaceKind): Promise<ConsolePage> {
  const { collection } = kind
  const words = placeWords[desk.language]
  const frame = consoleWords[desk.language]
  const [found, samples] = await Promise.all([listAt<Place>(desk, collection, queryOf(desk)), findSamples(desk)])
  const show = showOf(desk)
  const isFiltered = show !== 'all' || (desk.query.search ?? '') !== ''
  return {
    title: frame.nav[collection],
    menu: `/admin/${collection}`,
    actions: (
      <ListActions
        desk={desk}
        create={desk.may('editor') ? { label: words[collection].create, href: `/admin/${collection}/new` } : undefined}
      />
    ),
    body: (
      <>
        <SearchAndShow desk={desk} show={show} offered={offeredShows(desk)} />
        <Table
          desk={desk}
          caption={frame.nav[collection]}
          columns={markSamples(desk, columnsFor(desk, kind), ({ id }) => samples.has(kind.name, id))}
          rows={found.items}
          empty={show === 'trash' ? words.emptyTrash : isFiltered ? words.found : words[collection].empty}
        />
        <Pager desk={desk} page={pageOf(desk)} pages={found.pages} />
      </>
    )
  }
}

function columnsFor(desk: Desk, kind: PlaceKind): Column<Place>[] {
  const { collection } = kind
  const words = placeWords[desk.language]
  const isTrash = showOf(desk) === 'trash'
  const mayWrite = desk.may('editor')
  const columns: (Column<Place> | undefined)[] = [
    {
      label: words.name,
      sort: 'title',
      isHead: true,
      cell: place => (
        <>
          {mayWrite && !isTrash ? (
            <a href={withQuery(`/admin/${collection}/${place.id}`, { lang: place.language })} lang={place.language}>
              {nameIn(kind, place)}
            </a>
          ) : (
            <span lang={place.language}>{nameIn(kind, place)}</span>
          )}
          {place.status === 'publish' || isTrash ? null : (
            <span class="event-marks">
              <StatusBadge desk={desk} status={place.status} />
            </span>
          )}
        </>
      )
    },
    {
      label: kind.name === 'venue' ? words.city : words.email,
      cell: place => String((kind.name === 'venue' ? place.city : place.email) ?? '')
    },
    mayWrite
      ? {
          label: words.events,
          isNumber: true,
          cell: place => number(desk.language, place.event_count ?? 0)
        }
      : undefined,
    { label: words.languages, cell: place => <LanguageMarks desk={desk} written={place.translations} /> },
    {
      label: words.changed,
      sort: 'modified',
      isNamed: true,
      cell: place => <DayOf desk={desk} moment={place.modified} />
    },
    mayWrite
      ? {
          label: consoleWords[desk.language].actions,
          cell: place => (
            <div class="row-acts">
              <TrashActs
                desk={desk}
                collection={collection}
                item={place}
                name={nameIn(kind, place)}
                isTrash={isTrash}
              />
            </div>
          )
        }
      : undefined
  ]
  return columns.filter(column => column !== undefined)
}

export async function downloadPlaces(desk: Desk, kind: PlaceKind): Promise<Download> {
  const words = placeWords[desk.language]
  return await listDownload<Place>(desk, kind.collection, queryOf(desk), [
    { name: 'id', cell: place => String(place.id) },
    { name: words.name, cell: place => nameIn(kind, place) },
    ...partsOf(kind).map(part => ({
      name: String(words[part.label]),
      cell: (place: Place) => String(place[part.name] ?? '')
    })),
    ...(desk.may('editor') ? [{ name: words.events, cell: (place: Place) => String(place.event_count ?? 0) }] : []),
    { name: words.languages, cell: place => place.translations.join(', ') },
    { name: 'URL', cell: place => place.url }
  ])
}
