import { withQuery } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { type Filters, omitDates, parseFilters, toApiQuery } from './calendar-filter.ts'

const falseWords = ['', 'false', 'no', '0']

/** Filters of a feed or embed: accepts the calendar API's parameter names, and those of its pages. */
export function parseFeedFilters({ query }: Pick<PageContext, 'query'>): Filters {
  const { categories, tags, featured = '', geoloc_lat, geoloc_lng, is_virtual = '' } = query
  const isTrue = (text: string) => !falseWords.includes(text.trim().toLowerCase())
  const filters = parseFilters({
    query: {
      ...query,
      category: categories ?? query.category ?? '',
      tag: tags ?? query.tag ?? '',
      price: query.cost_max ?? query.price ?? '',
      near: geoloc_lat === undefined ? (query.near ?? '') : `${geoloc_lat},${geoloc_lng ?? ''}`,
      within: query.geoloc_radius ?? query.within ?? '',
      online: isTrue(is_virtual) ? 'yes' : (query.online ?? ''),
      featured: isTrue(featured) ? featured : ''
    }
  })
  return omitDates(filters)
}

/** Adds the filters with the API's parameter names, as all feeds use them. */
export function withFeedFilters(path: string, filters: Filters, more: Parameters<typeof withQuery>[1] = {}): string {
  return withQuery(path, { ...toApiQuery(filters), ...more })
}
