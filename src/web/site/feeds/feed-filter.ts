import { withQuery } from '../../api.ts'
import type { Visit } from '../../visit.ts'
import { asked, type Filters, filtersIn } from '../calendar/calendar-filter.ts'

const no = ['', 'false', 'no', '0']

/** What a feed or an embedded list is narrowed by: in the words of the calendar's API, and in those of its pages. */
export function feedFiltersIn({ query }: Pick<Visit, 'query'>): Filters {
  const { categories, tags, featured = '' } = query
  return filtersIn({
    query: {
      ...query,
      category: categories ?? query.category ?? '',
      tag: tags ?? query.tag ?? '',
      featured: no.includes(featured.trim().toLowerCase()) ? '' : featured
    }
  })
}

/** An address that is narrowed in the words of the API, as all feeds are. */
export function narrowed(path: string, filters: Filters, more: Parameters<typeof withQuery>[1] = {}): string {
  return withQuery(path, { ...asked(filters), ...more })
}
