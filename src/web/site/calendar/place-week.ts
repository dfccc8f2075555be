import type { DayEntry, DayList } from '../../server/calendar-api.ts'

/** An event of several days within one week. */
export interface EventBar {
  entry: DayEntry
  /** Places of its first and last day in the week, from 0. */
  first: number
  last: number
  /** Row below the numbers of the days, from 0. */
  lane: number
  /** It began before this week, or goes on after it. */
  beganBefore: boolean
  goesOn: boolean
}

export interface PlacedDay {
  date: string
  total: number
  /** Rows that bars occupy on this day. */
  lanes: number
  /** Events of this day only. */
  entries: DayEntry[]
  /** Events of the day that are not shown. */
  hidden: number
}

/** Places the events of a week: those of several days as bars, one for each, the others in their day. */
export function placeWeek(
  week: string[],
  days: Map<string, DayList['days'][number]>,
  rowsMax: number
): { bars: EventBar[]; days: PlacedDay[] } {
  const bars = placeBars(week, days).filter(({ lane }) => lane < rowsMax)
  return {
    bars,
    days: week.map((date, place) => {
      const { total = 0, events = [] } = days.get(date) ?? {}
      const covering = bars.filter(({ first, last }) => first <= place && place <= last)
      const lanes = Math.max(0, ...covering.map(({ lane }) => lane + 1))
      const entries = events.filter(entry => entry.days === 1).slice(0, rowsMax - lanes)
      return { date, total, lanes, entries, hidden: total - covering.length - entries.length }
    })
  }
}

/** Each bar is in the first row that is free for all of its days; earlier and longer ones come first. */
function placeBars(week: string[], days: Map<string, DayList['days'][number]>): EventBar[] {
  const found = new Map<number, EventBar>()
  for (const [place, date] of week.entries()) {
    for (const entry of days.get(date)?.events ?? []) {
      if (entry.days === 1 || found.has(entry.id)) continue
      const first = place - (entry.day - 1)
      const last = place + (entry.days - entry.day)
      found.set(entry.id, {
        entry,
        first: Math.max(first, 0),
        last: Math.min(last, week.length - 1),
        lane: 0,
        beganBefore: first < 0,
        goesOn: last >= week.length
      })
    }
  }
  const bars = [...found.values()].sort(
    (one, other) => one.first - other.first || other.last - one.last || one.entry.id - other.entry.id
  )
  const lastOfLanes: number[] = []
  for (const bar of bars) {
    const free = lastOfLanes.findIndex(last => last < bar.first)
    bar.lane = free < 0 ? lastOfLanes.length : free
    lastOfLanes[bar.lane] = bar.last
  }
  return bars
}
