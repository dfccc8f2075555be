import { withQuery } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { type Filters, parseFilters, toApiQuery } from './calendar-filter.ts'

const falseWords = ['', 'false', 'no', '0']

/** What a feed or an embedded list is narrowed by: in the words of the calendar's API, and in those of its pages. */
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

/** An address that is narrowed in the words of the API, as all feeds are. */
export function withFeedFilters(path: string, filters: Filters, more: Parameters<typeof withQuery>[1] = {}): string {
  return withQuery(path, { ...toApiQuery(filters), ...more })
}
