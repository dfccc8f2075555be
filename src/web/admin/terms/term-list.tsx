import { type Query, withQuery } from '../../api.ts'
import type { Term } from '../../calendar-api.ts'
import { number } from '../../format.ts'
import { consoleWords } from '../../text/console.ts'
import { placeWords } from '../../text/places.ts'
import { listAll, listAt, listDownload } from '../calendar-lists.ts'
import { LanguageMarks, SearchAndShow } from '../calendar-parts.tsx'
import type { ConsolePage, Desk, Download } from '../console.ts'
import { pageOf } from '../list-address.ts'
import { findSamples, markSamples } from '../samples.tsx'
import { type Column, ListActions, Pager, Table } from '../table.tsx'
import type { TermCollection } from './term-form.tsx'

const shows = ['all', 'without-de', 'without-en'] as const

function showOf({ query }: Desk): (typeof shows)[number] {
  return shows.find(one => one === query.show) ?? 'all'
}

function queryOf(desk: Desk): Query {
  const { query, language } = desk
  const show = showOf(desk)
  const isSorted = query.sort === 'name' || query.sort === 'count'
  return {
    language,
    hide_empty: false,
    search: query.search?.trim().slice(0, 200),
    missing_language: show === 'all' ? undefined : show.slice(-2),
    orderby: isSorted ? query.sort : 'name',
    order: isSorted && query.order === 'desc' ? 'desc' : 'asc'
  }
}

export async function showTerms(desk: Desk, collection: TermCollection): Promise<ConsolePage> {
  const words = placeWords[desk.language]
  const frame = consoleWords[desk.language]
  const [found, samples, all] = await Promise.all([
    listAt<Term>(desk, collection, queryOf(desk)),
    findSamples(desk),
    collection === 'categories' ? parentsFor(desk) : []
  ])
  const kind = collection === 'categories' ? 'category' : 'tag'
  const columns = columnsFor(desk, collection, new Map(all.map(({ id, name }) => [id, name])))
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
        <SearchAndShow desk={desk} show={show} offered={shows} />
        <Table
          desk={desk}
          caption={frame.nav[collection]}
          columns={markSamples(desk, columns, ({ id }) => samples.has(kind, id))}
          rows={found.items}
          empty={isFiltered ? words.found : words[collection].empty}
        />
        <Pager desk={desk} page={pageOf(desk)} pages={found.pages} />
      </>
    )
  }
}

export async function parentsFor({ api, language }: Desk): Promise<Term[]> {
  return await listAll<Term>(api, 'categories', { language, hide_empty: false })
}

function columnsFor(desk: Desk, collection: TermCollection, names: Map<number, string>): Column<Term>[] {
  const words = placeWords[desk.language]
  const mayWrite = desk.may('editor')
  const path = (term: Term) => `/admin/${collection}/${term.id}`
  const columns: (Column<Term> | undefined)[] = [
    {
      label: words.name,
      sort: 'name',
      isHead: true,
      cell: term =>
        mayWrite ? (
          <a href={withQuery(path(term), { lang: term.language })} lang={term.language}>
            {term.name}
          </a>
        ) : (
          <span lang={term.language}>{term.name}</span>
        )
    },
    collection === 'categories' ? { label: words.parent, cell: term => names.get(term.parent ?? 0) ?? '' } : undefined,
    { label: words.events, sort: 'count', isNumber: true, cell: term => number(desk.language, term.count) },
    { label: words.languages, cell: term => <LanguageMarks desk={desk} written={term.translations} /> },
    mayWrite
      ? {
          label: consoleWords[desk.language].actions,
          cell: term => (
            <div class="row-acts">
              <a href={`${path(term)}/delete`}>
                {words.delete}
                <span class="visually-hidden">: {term.name}</span>
              </a>
            </div>
          )
        }
      : undefined
  ]
  return columns.filter(column => column !== undefined)
}

export async function downloadTerms(desk: Desk, collection: TermCollection): Promise<Download> {
  const words = placeWords[desk.language]
  return await listDownload<Term>(desk, collection, queryOf(desk), [
    { name: 'id', cell: term => String(term.id) },
    { name: words.name, cell: term => term.name },
    { name: words.slug, cell: term => term.slug },
    { name: words.parent, cell: term => (term.parent === undefined || term.parent === 0 ? '' : String(term.parent)) },
    { name: words.events, cell: term => String(term.count) },
    { name: words.languages, cell: term => term.translations.join(', ') }
  ])
}
