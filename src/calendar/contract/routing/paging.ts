import type { Problem } from '#platform/problem.ts'
import { type ParamValues, withDescription } from '../param-definition.ts'
import { newPositiveIntParam } from '../params.ts'
import type { RequestContext, RouteResult } from './route.ts'
import { buildRestUrl } from './site.ts'

export const perPageDefault = 10
/** Larger page sizes are silently lowered, as clients of the contract expect. */
const perPageMax = 50
/** Beyond the end of any list, and still a safe integer after adding the page size. */
const offsetMax = 2 ** 52

export const pagingParams = {
  page: withDescription(newPositiveIntParam('Page number, from 1.'), 'Page number, from 1.', {
    default: 1
  }),
  per_page: withDescription(newPositiveIntParam('Items per page.'), `Items per page; at most ${perPageMax}.`, {
    default: String(perPageDefault)
  })
}

export interface Page {
  number: number
  size: number
  offset: number
}

export function parsePage({ page = 1, per_page = perPageDefault }: ParamValues<typeof pagingParams>): Page {
  const size = Math.min(per_page, perPageMax)
  return { number: page, size, offset: Math.min((page - 1) * size, offsetMax) }
}

/** The total, if the page itself reveals it: it is the last or the only page. */
export function inferTotal(page: Page, rows: number): number | undefined {
  if (rows === page.size || (rows === 0 && page.number > 1)) return undefined
  return page.offset + rows
}

/**
 * A list with totals and links. `query` holds what the links carry besides the page: every filter that was given, and
 * the defaults of those that were not.
 */
export function buildListResult(
  context: RequestContext,
  collection:
    | 'events'
    | 'venues'
    | 'organizers'
    | 'categories'
    | 'tags'
    | 'media'
    | 'files'
    | 'imports'
    | 'subscriptions'
    | 'suggestions',
  items: object[],
  found: { page: Page; total: number; query: Record<string, unknown>; beyond: () => Problem | undefined }
): RouteResult {
  const { page, total } = found
  const pages = Math.ceil(total / page.size)
  if (page.number > 1 && page.number > pages) {
    const problem = found.beyond()
    if (problem !== undefined) throw problem
  }

  const base = buildRestUrl(context.site, `/${collection}/`)
  const { requestedLanguage: language } = context
  const query = language === undefined ? found.query : { ...found.query, language }
  const link = (number: number, order: 'first' | 'last') => `${base}?${formatQuery(number, order, page.size, query)}`
  const next = page.number < pages ? link(page.number + 1, 'last') : undefined
  const previous = page.number > 1 ? link(page.number - 1, 'last') : undefined
  const totals = { 'x-tec-total': total, 'x-tec-totalpages': pages, 'x-wp-total': total, 'x-wp-totalpages': pages }
  context.reply.headers(totals)
  const relations = [
    ...(previous === undefined ? [] : [`<${previous}>; rel="prev"`]),
    ...(next === undefined ? [] : [`<${next}>; rel="next"`])
  ]
  context.reply.header('link', [context.reply.getHeader('link'), ...relations].filter(Boolean).join(', '))

  return {
    body: {
      [collection]: items,
      rest_url: link(page.number, 'first'),
      ...(next === undefined ? {} : { next_rest_url: next }),
      ...(previous === undefined ? {} : { previous_rest_url: previous }),
      total,
      total_pages: pages
    }
  }
}

/** As in The Events Calendar: the page comes last in links to other pages and is omitted for the first one. */
function formatQuery(number: number, order: 'first' | 'last', size: number, query: Record<string, unknown>): string {
  const text = new URLSearchParams()
  if (order === 'first') text.append('page', String(number))
  text.append('per_page', String(size))
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) text.append(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  if (order === 'last' && number > 1) text.append('page', String(number))
  return text.toString()
}
