import { pageUrl, type Visit } from '../tec.ts'
import { daysBetween, daysLater } from '../time.ts'
import { isPublic, shownStatus } from '../viewer.ts'
import type { EntryRow, FoundDays, Range } from './queries.ts'
import type { Day, DayEntry, Days } from './schema.ts'

type Reading = Pick<Visit, 'site' | 'now' | 'zone'>

export function daysToWire(found: FoundDays, { from, to }: Range, visit: Reading): Days {
  const entries = new Map(found.entries.map(row => [row.id, row]))
  const filled = new Map(found.days.map(row => [row.number, row]))
  const length = daysBetween(from, to) + 1
  const days = Array.from({ length }, (_, number): Day => {
    const date = daysLater(from, number)
    const { total = 0, ids } = filled.get(number) ?? {}
    const events = (ids ?? []).flatMap(id => {
      const row = entries.get(id)
      return row === undefined ? [] : [entryToWire(row, date, visit)]
    })
    return { date, total, events }
  })
  return { from, to, timezone: visit.zone, days, previous: found.previous, next: found.next }
}

const names = new Intl.Collator('de')

/** Who does not give the password sees title and dates, as in lists. */
function entryToWire(row: EntryRow, date: string, { site, now }: Reading): DayEntry {
  const closed = row.password !== null
  return {
    id: row.id,
    title: row.title,
    slug: row.status === 'trash' && row.slug !== '' ? `${row.slug}__trashed` : row.slug,
    url: pageUrl(site, 'event', row.id, row.slug, isPublic(row, now)),
    start_date: row.start,
    end_date: row.end,
    all_day: closed ? null : row.allDay,
    timezone: row.timezone,
    featured: closed ? null : row.featured,
    status: shownStatus(row, now),
    event_status: row.eventStatus,
    categories: closed ? [] : (row.categories ?? []).sort((one, other) => names.compare(one.name, other.name)),
    venue: closed ? null : row.venue,
    language: row.language,
    day: daysBetween(row.firstDay, date) + 1,
    days: daysBetween(row.firstDay, row.lastDay) + 1
  }
}
