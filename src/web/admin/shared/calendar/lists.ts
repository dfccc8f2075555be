import { Readable } from 'node:stream'
import { type Cell, newCsvWriter } from '#platform/csv/csv.ts'
import { type ApiClient, ApiError, type Query } from '../../../server/api-client.ts'
import { calendarPath } from '../../../server/calendar-api.ts'
import type { AdminContext, Download } from '../context.ts'
import { getPageNumber, perPage } from '../list-query.ts'

export type CalendarCollection = 'events' | 'venues' | 'organizers' | 'categories' | 'tags' | 'media'

export interface ItemPage<Item> {
  items: Item[]
  total: number
  pages: number
}

/** The most that the API gives at once. */
const perPageMax = 50
/** What a form offers to choose from: beyond this many nobody looks through a list. */
const choicesMax = 1000

/** One page of a list; one past the end is empty, as a list may have become shorter. */
export async function fetchListPage<Item>(
  api: ApiClient,
  collection: CalendarCollection,
  query: Query,
  page: number,
  size = perPage
): Promise<ItemPage<Item>> {
  try {
    const { body } = await api.get<Record<string, unknown>>(`${calendarPath}/${collection}`, {
      ...query,
      page,
      per_page: size
    })
    return {
      items: body[collection] as Item[],
      total: Number(body.total ?? 0),
      pages: Number(body.total_pages ?? 1)
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { items: [], total: 0, pages: 0 }
    throw error
  }
}

/** The page of a list that the address asks for. */
export async function fetchRequestedPage<Item>(
  context: AdminContext,
  collection: CalendarCollection,
  query: Query
): Promise<ItemPage<Item>> {
  return await fetchListPage<Item>(context.api, collection, query, getPageNumber(context))
}

/** Everything there is to choose from: after the first page all others at once. */
export async function listAll<Item>(api: ApiClient, collection: CalendarCollection, query: Query): Promise<Item[]> {
  const first = await fetchListPage<Item>(api, collection, query, 1, perPageMax)
  const pages = Math.min(first.pages, choicesMax / perPageMax)
  const others = await Promise.all(
    Array.from(
      { length: Math.max(0, pages - 1) },
      async (_, index) => await fetchListPage<Item>(api, collection, query, index + 2, perPageMax)
    )
  )
  return [first, ...others].flatMap(({ items }) => items)
}

/** A whole list as a file, read page by page while it is sent. */
export async function downloadList<Item>(
  context: AdminContext,
  collection: CalendarCollection,
  query: Query,
  columns: { name: string; cell(item: Item): Cell }[]
): Promise<Download> {
  const csv = newCsvWriter(context.language)
  const read = async (page: number) => await fetchListPage<Item>(context.api, collection, query, page, perPageMax)
  // Before anything is sent: what is refused is refused as a page.
  let found = await read(1)
  async function* lines() {
    yield csv.formatHeader(columns.map(({ name }) => name))
    for (let page = 1; ; page += 1) {
      yield found.items.map(item => csv.formatRow(columns.map(({ cell }) => cell(item)))).join('')
      if (page >= found.pages) return
      found = await read(page + 1)
    }
  }
  return {
    text: Readable.from(lines()),
    type: 'text/csv; charset=utf-8',
    fileName: `${collection}-${context.now.toISOString().slice(0, 10)}.csv`
  }
}
