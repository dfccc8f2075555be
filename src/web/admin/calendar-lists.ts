import { Readable } from 'node:stream'
import { type Cell, csvIn } from '#platform/csv.ts'
import { type Api, type Query, Refused } from '../api.ts'
import { calendarPath } from '../calendar-api.ts'
import type { Desk, Download } from './console.ts'
import { pageOf, perPage } from './list-address.ts'

export type Collection = 'events' | 'venues' | 'organizers' | 'categories' | 'tags' | 'media'

export interface Listed<Item> {
  items: Item[]
  total: number
  pages: number
}

/** The most that the API gives at once. */
const perPageMax = 50
/** What a form offers to choose from: beyond this many nobody looks through a list. */
const choicesMax = 1000

/** One page of a list; one past the end is empty, as a list may have become shorter. */
export async function listPage<Item>(
  api: Api,
  collection: Collection,
  query: Query,
  page: number,
  size = perPage
): Promise<Listed<Item>> {
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
    if (error instanceof Refused && error.status === 404) return { items: [], total: 0, pages: 0 }
    throw error
  }
}

/** The page of a list that the address asks for. */
export async function listAt<Item>(desk: Desk, collection: Collection, query: Query): Promise<Listed<Item>> {
  return await listPage<Item>(desk.api, collection, query, pageOf(desk))
}

/** Everything there is to choose from: after the first page all others at once. */
export async function listAll<Item>(api: Api, collection: Collection, query: Query): Promise<Item[]> {
  const first = await listPage<Item>(api, collection, query, 1, perPageMax)
  const pages = Math.min(first.pages, choicesMax / perPageMax)
  const others = await Promise.all(
    Array.from(
      { length: Math.max(0, pages - 1) },
      async (_, index) => await listPage<Item>(api, collection, query, index + 2, perPageMax)
    )
  )
  return [first, ...others].flatMap(({ items }) => items)
}

/** A whole list as a file, read page by page while it is sent. */
export async function listDownload<Item>(
  desk: Desk,
  collection: Collection,
  query: Query,
  columns: { name: string; cell(item: Item): Cell }[]
): Promise<Download> {
  const csv = csvIn(desk.language)
  const read = async (page: number) => await listPage<Item>(desk.api, collection, query, page, perPageMax)
  // Before anything is sent: what is refused is refused as a page.
  let found = await read(1)
  async function* lines() {
    yield csv.head(columns.map(({ name }) => name))
    for (let page = 1; ; page += 1) {
      yield found.items.map(item => csv.line(columns.map(({ cell }) => cell(item)))).join('')
      if (page >= found.pages) return
      found = await read(page + 1)
    }
  }
  return {
    text: Readable.from(lines()),
    type: 'text/csv; charset=utf-8',
    fileName: `${collection}-${desk.now.toISOString().slice(0, 10)}.csv`
  }
}
