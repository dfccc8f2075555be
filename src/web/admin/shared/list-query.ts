import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from './context.ts'

/** Page size of lists. */
export const perPage = 25

export function getPageNumber({ query }: AdminContext): number {
  const page = Number(query.page ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** URL of the same list as CSV. */
export function getCsvPath(context: AdminContext): string {
  return withQuery(`${context.path}.csv`, { ...context.query, page: undefined })
}

/** Query of the list, which its forms send along to return to it. */
export function getListQuery(context: AdminContext): string {
  return withQuery('', context.query)
}

/** Return path of such a form: the same list with the same filters, and nowhere else. */
export function getListPath(path: string, given: string): string {
  return given.length < 2000 && /^\?[\w=&%.+~*!'()-]+$/.test(given) ? path + given : path
}
