import type { RequestContext } from '../contract/routing/route.ts'
import type { DateBounds } from './date-bounds.ts'
import { dateFilterNames } from './default-dates.ts'
import type { EventFilterValues } from './schema.ts'

/** The link parameters: everything that was given, in The Events Calendar's order, and the defaults. */
export function buildLinkQuery(
  { rawParams, viewer }: RequestContext,
  values: EventFilterValues,
  { defaults }: DateBounds
): Record<string, unknown> {
  const names = [
    'start_date',
    'end_date',
    'search',
    'geoloc',
    'geoloc_lat',
    'geoloc_lng',
    'geoloc_radius',
    'status',
    'post_parent',
    'series',
    'series_once',
    'include',
    ...dateFilterNames,
    'strict_dates',
    'categories',
    'tags',
    'venue',
    'organizer',
    'author',
    'featured',
    'ticketed',
    'is_virtual',
    'cost_max',
    'hidden',
    'missing_language',
    'orderby',
    'order',
    'password'
  ] as const
  const query: Record<string, unknown> = {}
  for (const name of names) {
    const value = values[name]
    if (value !== undefined) query[name] = Array.isArray(value) ? value : rawParams[name]
    else if (name === 'start_date' || name === 'end_date') query[name] = defaults[name]
    else if (name === 'status' && viewer.visibility === 'published') query[name] = 'publish'
  }
  return query
}
