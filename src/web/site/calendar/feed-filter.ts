import { withQuery } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { type Filters, parseFilters, toApiQuery } from './calendar-filter.ts'

const falseWords = ['', 'false', 'no', '0']

/** Filters of a feed or embed: accepts the calendar API's parameter names, and those of its pages. */
export function parseFeedFilters({ query }: Pick<PageContext, 'query'>): Filters {
  const { categories, tags, featured = '' } = query
  return parseFilters({
    query: {
      ...query,
      category: categories ?? query.category ?? '',
      tag: tags ?? query.tag ?? '',
      featured: falseWords.includes(featured.trim().toLowerCase()) ? '' : featured
    }
  })
}

/** Adds the filters with the API's parameter names, as all feeds use them. */
export function withFeedFilters(path: string, filters: Filters, more: Parameters<typeof withQuery>[1] = {}): string {
  return withQuery(path, { ...toApiQuery(filters), ...more })
}
