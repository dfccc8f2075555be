import { ApiError } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath, type Series } from '../../server/calendar-api.ts'
import { fetchListPage, listAll } from '../shared/calendar/lists.ts'
import type { AdminContext } from '../shared/context.ts'

/** The earliest day that the API accepts. */
const earliestDay = '1900-01-01'

/** A series as its editors see it. */
export interface LoadedSeries {
  series: Series
  /** Excluded dates without those whose events are in the trash: these are skipped, and can be restored. */
  except: string[]
}

/** Undefined if all of its events are in the trash. */
export async function loadSeries(context: AdminContext, id: number | string): Promise<LoadedSeries | undefined> {
  const path = `${calendarPath}/series/${encodeURIComponent(id)}`
  const series = await context.api.get<Series>(path, { language: context.language }).then(
    ({ body }) => body,
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    }
  )
  if (series === undefined) return undefined
  if (series.except.length === 0) return { series, except: [] }
  const trashed = await listDates(context, id, { starts_after: earliestDay, status: 'trash' })
  const skipped = new Set(trashed.map(event => event.series?.date.slice(0, 10)))
  return { series, except: series.except.filter(date => !skipped.has(date)) }
}

/** Events of a series, those hidden from listings too, by date; none if there is no such series. */
export async function listDates(
  { api, language }: AdminContext,
  id: number | string,
  query: Record<string, string>
): Promise<CalendarEvent[]> {
  const list = async (hidden: boolean) =>
    await listAll<CalendarEvent>(api, 'events', {
      language,
      series: id,
      order: 'asc',
      ...query,
      ...(hidden ? { hidden } : {})
    }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 400) return []
      throw error
    })
  const [listed, hidden] = await Promise.all([list(false), list(true)])
  return [...listed, ...hidden].sort((one, other) => (one.start_date < other.start_date ? -1 : 1))
}

/** The dates before and after an event of a series. */
export interface AdjacentDates {
  previous: CalendarEvent | undefined
  next: CalendarEvent | undefined
}

export async function findAdjacentDates(context: AdminContext, event: CalendarEvent): Promise<AdjacentDates> {
  const { api, language } = context
  const find = async (query: Record<string, string>) => {
    const params = { language, series: event.series?.id, strict_dates: true, ...query }
    const hidden = event.hide_from_listings === true ? { hidden: true } : {}
    const { items } = await fetchListPage<CalendarEvent>(api, 'events', { ...params, ...hidden }, { page: 1, size: 2 })
    return items.find(({ id }) => id !== event.id)
  }
  const start = `${event.utc_start_date.replace(' ', 'T')}Z`
  const [previous, next] = await Promise.all([
    find({ starts_before: start, order: 'desc' }),
    find({ starts_after: start, order: 'asc' })
  ])
  return { previous, next }
}

/** The recurrence as text, in which every rule can be given. */
export function formatRecurrence({ rule }: Pick<Series, 'rule'>, except: string[], also: string[]): string {
  const line = (name: string, dates: string[]) => (dates.length === 0 ? [] : [`${name}:${dates.join(',')}`])
  return [`RRULE:${rule}`, ...line('EXDATE', except), ...line('RDATE', also)].join('\n')
}
