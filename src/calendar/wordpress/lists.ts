import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import { type CallApi, copyHeaders } from './call-api.ts'
import type { WordpressNamespace, WordpressRequest } from './define-route.ts'

/** The limit of WordPress, and that of the contract, which a page is put together from. */
export const perPageMax = 100
const contractPageMax = 50
export const perPageDefault = 10
const pageMax = 1_000_000

/** Values of `orderby`, and the field of the contract that each of them sorts by. */
export const postOrders: Record<WordpressNamespace, Record<string, string>> = {
  'wp/v2': { date: 'date', id: 'date', include: 'date', modified: 'modified', title: 'title', slug: 'title' },
  'tec/v1': { date: 'date', event_date: 'start_date', menu_order: 'start_date', modified: 'modified', title: 'title' }
}

/** A page of a list of the contract; undefined if the list ends before it. */
export async function listItems<Item>(
  { callApi, params, reply }: Pick<WordpressRequest, 'callApi' | 'params' | 'reply'>,
  collection: string,
  query: Record<string, string | undefined>
): Promise<{ items: Item[]; total: number } | undefined> {
  const size = parseCount('per_page', params.per_page, perPageDefault, perPageMax)
  const offset = (parseCount('page', params.page, 1, pageMax) - 1) * size
  const unit = Math.min(size, contractPageMax)
  const items: Item[] = []
  const first = Math.floor(offset / unit)
  let total: number | undefined
  for (let page = first; page * unit < Math.min(offset + size, total ?? Number.POSITIVE_INFINITY); page += 1) {
    const result = await callPage(callApi, collection, { ...query, page: String(page + 1), per_page: String(unit) })
    if (result === undefined) return undefined
    total = Number(result.body.total)
    items.push(...(result.body[collection] as Item[]))
    copyHeaders(reply, result)
  }
  const start = offset - first * unit
  if (total === undefined || (offset > 0 && offset >= total)) return undefined
  return { items: items.slice(start, start + size), total }
}

async function callPage(callApi: CallApi, collection: string, query: Record<string, string | undefined>) {
  try {
    return await callApi<Record<string, unknown>>({ method: 'GET', path: `/${collection}`, query })
  } catch (error) {
    if (error instanceof Problem && error.code.endsWith('-archive-page-not-found')) return undefined
    throw error
  }
}

function parseCount(name: string, given: unknown, fallback: number, most: number): number {
  if (given === undefined) return fallback
  const count = /^\d{1,9}$/.test(toPlainText(given)) ? Number(given) : 0
  if (count >= 1 && count <= most) return count
  throw newInvalidParamProblem(name, 'range', buildText('calendar-problems', 'range', { most }))
}

/** Sets total and links as WordPress does. */
export function setListHeaders({ params, reply, request, root }: WordpressRequest, total: number): void {
  const size = parseCount('per_page', params.per_page, perPageDefault, perPageMax)
  const number = parseCount('page', params.page, 1, pageMax)
  const pages = Math.ceil(total / size)
  const [path = '', search = ''] = request.originalUrl.split('?', 2)
  const link = (page: number, rel: string) => {
    const query = new URLSearchParams(search)
    query.set('page', String(page))
    return `<${root}${path.replace(/^\/wp-json/, '').replace(/\/$/, '')}?${query}>; rel="${rel}"`
  }
  reply.headers({ 'x-wp-total': total, 'x-wp-totalpages': pages })
  const links = [
    reply.getHeader('link'),
    ...(number > 1 ? [link(number - 1, 'prev')] : []),
    ...(number < pages ? [link(number + 1, 'next')] : [])
  ]
  reply.header('link', links.filter(Boolean).join(', '))
}

/** A list in a parameter: an array, or values with commas between. */
export function toCommaList(given: unknown): string | undefined {
  if (given === undefined || given === '') return undefined
  return Array.isArray(given) ? given.map(toPlainText).join(',') : toPlainText(given)
}

/** An object, which may have a `toString` of its own that is no function, becomes a text that no parameter accepts. */
export function toPlainText(given: unknown): string {
  return typeof given === 'object' && given !== null ? '[object]' : String(given)
}

export function toText(given: unknown): string | undefined {
  return given === undefined || given === '' || typeof given === 'object' ? undefined : String(given)
}

export const newWordpressPageProblem = () =>
  new Problem(400, 'rest_post_invalid_page_number', buildText('calendar-problems', 'wordpressPage'))

/** The Events Calendar has this code for all three collections. */
export const newTecPageProblem = () =>
  new Problem(404, 'tec_rest_organizers_page_not_found', buildText('calendar-problems', 'tecPage'))
