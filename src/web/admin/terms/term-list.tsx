import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import { type Query, withQuery } from '../../server/api-client.ts'
import type { Term } from '../../server/calendar-api.ts'
import { LanguageMarks, SearchFilters } from '../shared/calendar/fields.tsx'
import { downloadList, fetchRequestedPage, listAll } from '../shared/calendar/lists.ts'
import type { AdminContext, AdminPage, Download } from '../shared/context.ts'
import { getPageNumber } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { findSamples, markSamples } from '../shared/samples.tsx'
import { type Column, ListActions, Table } from '../shared/table.tsx'
import type { TermCollection } from './term-form.tsx'

const views = ['all', 'without-de', 'without-en'] as const

function getView({ query }: AdminContext): (typeof views)[number] {
  return views.find(one => one === query.show) ?? 'all'
}

function buildQuery(context: AdminContext): Query {
  const { query, language } = context
  const show = getView(context)
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

export async function showTerms(context: AdminContext, collection: TermCollection): Promise<AdminPage> {
  const strings = getMessages('calendar-admin', context.language)
  const frame = getMessages('admin', context.language)
  const [found, samples, all] = await Promise.all([
    fetchRequestedPage<Term>(context, collection, buildQuery(context)),
    findSamples(context),
    collection === 'categories' ? listParentTerms(context) : []
  ])
  const kind = collection === 'categories' ? 'category' : 'tag'
  const columns = buildColumns(context, collection, new Map(all.map(({ id, name }) => [id, name])))
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
        <SearchFilters context={context} show={show} offered={views} />
        <Table
          context={context}
          caption={frame.nav[collection]}
          columns={markSamples(context, columns, ({ id }) => samples.has(kind, id))}
          rows={found.items}
          empty={isFiltered ? strings.found : strings[collection].empty}
        />
        <Pager context={context} page={getPageNumber(context)} pages={found.pages} />
      </>
    )
  }
}

export async function listParentTerms({ api, language }: AdminContext): Promise<Term[]> {
  return await listAll<Term>(api, 'categories', { language, hide_empty: false })
}

function buildColumns(context: AdminContext, collection: TermCollection, names: Map<number, string>): Column<Term>[] {
  const strings = getMessages('calendar-admin', context.language)
  const mayWrite = context.hasRole('editor')
  const path = (term: Term) => `/admin/${collection}/${term.id}`
  const columns: (Column<Term> | undefined)[] = [
    {
      label: strings.name,
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
    collection === 'categories'
      ? { label: strings.parent, cell: term => names.get(term.parent ?? 0) ?? '' }
      : undefined,
    { label: strings.events, sort: 'count', isNumber: true, cell: term => formatNumber(context.language, term.count) },
    { label: strings.languages, cell: term => <LanguageMarks context={context} written={term.translations} /> },
    mayWrite
      ? {
          label: getMessages('admin', context.language).actions,
          cell: term => (
            <div class="row-acts">
              <a href={`${path(term)}/delete`}>
                {strings.delete}
                <span class="visually-hidden">: {term.name}</span>
              </a>
            </div>
          )
        }
      : undefined
  ]
  return columns.filter(column => column !== undefined)
}

export async function downloadTerms(context: AdminContext, collection: TermCollection): Promise<Download> {
  const strings = getMessages('calendar-admin', context.language)
  return await downloadList<Term>(context, collection, buildQuery(context), [
    { name: 'id', cell: term => String(term.id) },
    { name: strings.name, cell: term => term.name },
    { name: strings.slug, cell: term => term.slug },
    { name: strings.parent, cell: term => (term.parent === undefined || term.parent === 0 ? '' : String(term.parent)) },
    { name: strings.events, cell: term => String(term.count) },
    { name: strings.languages, cell: term => term.translations.join(', ') }
  ])
}
