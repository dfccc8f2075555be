import { formatCost, toCostDetails } from '../../content/cost.ts'
import type { DayEntryJson, DaysJson } from '../../contract/day-shapes.ts'
import type { RequestContext } from '../../contract/routing/route.ts'
import { buildPageUrl } from '../../contract/routing/site.ts'
import { getPublicStatus, isPublic } from '../../permissions/permissions.ts'
import { addDays, countDaysBetween } from '../../time/time.ts'
import type { DayEntryRow, DayRange, DaysResult } from './queries.ts'

type DaysContext = Pick<RequestContext, 'site' | 'now' | 'zone'>

export function toDaysJson(found: DaysResult, { from, to }: DayRange, context: DaysContext): DaysJson {
  const entries = new Map(found.entries.map(row => [row.id, row]))
  const filled = new Map(found.days.map(row => [row.number, row]))
  const length = countDaysBetween(from, to) + 1
  const days = Array.from({ length }, (_, number): DaysJson['days'][number] => {
    const date = addDays(from, number)
    const { total = 0, ids } = filled.get(number) ?? {}
    const events = (ids ?? []).flatMap(id => {
      const row = entries.get(id)
      return row === undefined ? [] : [toDayEntryJson(row, date, context)]
    })
    return { date, total, events }
  })
  return { from, to, timezone: context.zone, days, previous: found.previous, next: found.next }
}

const collator = new Intl.Collator('de')

/** Without the password, a reader sees title and dates only, as in lists. */
function toDayEntryJson(row: DayEntryRow, date: string, { site, now }: DaysContext): DayEntryJson {
  const closed = row.password !== null
  return {
    id: row.id,
    title: row.title,
    slug: row.status === 'trash' && row.slug !== '' ? `${row.slug}__trashed` : row.slug,
    url: buildPageUrl(site, { kind: 'event', id: row.id, slug: row.slug, isPublished: isPublic(row, now) }),
    start_date: row.start,
    end_date: row.end,
    all_day: closed ? null : row.allDay,
    timezone: row.timezone,
    featured: closed ? null : row.featured,
    status: getPublicStatus(row, now),
    event_status: row.eventStatus,
    categories: closed ? [] : row.categories.sort((one, other) => collator.compare(one.name, other.name)),
    cost: closed ? '' : formatCost(row.cost, site.currency),
    cost_details: toCostDetails(closed ? null : row.cost),
    venue: closed ? null : (row.venue ?? null),
    language: row.language,
    day: countDaysBetween(row.firstDay, date) + 1,
    days: countDaysBetween(row.firstDay, row.lastDay) + 1
  }
}
