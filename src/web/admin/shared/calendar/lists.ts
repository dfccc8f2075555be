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

/** Page size limit of the API. */
const perPageMax = 50
/** Maximum number of options in a form: longer lists are not usable. */
const choicesMax = 1000

/** One page of a list; empty past the end, as the list may have become shorter. */
export async function fetchListPage<Item>(
  api: ApiClient,
  collection: CalendarCollection,
  query: Query,
  { page, size = perPage }: { page: number; size?: number }
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

/** The page that the URL asks for. */
export async function fetchRequestedPage<Item>(
  context: AdminContext,
  collection: CalendarCollection,
  query: Query
): Promise<ItemPage<Item>> {
  return await fetchListPage<Item>(context.api, collection, query, { page: getPageNumber(context) })
}

/** All options: fetches the first page, then all others in parallel. */
export async function listAll<Item>(api: ApiClient, collection: CalendarCollection, query: Query): Promise<Item[]> {
  const first = await fetchListPage<Item>(api, collection, query, { page: 1, size: perPageMax })
  const pages = Math.min(first.pages, choicesMax / perPageMax)
  const others = await Promise.all(
    Array.from(
      { length: Math.max(0, pages - 1) },
      async (_, index) => await fetchListPage<Item>(api, collection, query, { page: index + 2, size: perPageMax })
    )
  )
  return [first, ...others].flatMap(({ items }) => items)
}

/** The whole list as a file, streamed page by page. */
export async function downloadList<Item>(
  context: AdminContext,
  collection: CalendarCollection,
  query: Query,
  columns: { name: string; cell(item: Item): Cell }[]
): Promise<Download> {
  const csv = newCsvWriter(context.language)
  const read = async (page: number) =>
    await fetchListPage<Item>(context.api, collection, query, { page, size: perPageMax })
  // Fetched before the response starts, so that an error can still be a page.
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
