import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from './context.ts'

/** What a page of a list holds. */
export const perPage = 25

/** The number of the page that the address asks for. */
export function getPageNumber({ query }: AdminContext): number {
  const page = Number(query.page ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The same list as a file. */
export function getCsvPath(context: AdminContext): string {
  return withQuery(`${context.path}.csv`, { ...context.query, page: undefined })
}

/** What a form of a list sends along, to come back to where it was. */
export function getListQuery(context: AdminContext): string {
  return withQuery('', context.query)
}

/** Where such a form leads back to: the same list with the same filters, and nowhere else. */
export function getListPath(path: string, given: string): string {
  return given.length < 2000 && /^\?[\w=&%.+~*!'()-]+$/.test(given) ? path + given : path
}
