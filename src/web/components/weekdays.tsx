import type { Language } from '#platform/language.ts'
import { addDays, addMonths, formatShortWeekday, formatWeekday, parseClock } from '../format/format.ts'

/** A Sunday: adding a weekday's number gives that weekday. */
const sunday = '2027-01-03'

/** JavaScript weekday numbers, in the order of the week. */
function getWeekdayOrder(weekStart: 'monday' | 'sunday'): number[] {
  return weekStart === 'monday' ? [1, 2, 3, 4, 5, 6, 0] : [0, 1, 2, 3, 4, 5, 6]
}

/** Header row of weekdays. */
export function Weekdays({ language, weekStart }: { language: Language; weekStart: 'monday' | 'sunday' }) {
  return (
    <thead>
      <tr>
        {getWeekdayOrder(weekStart).map(number => {
          const day = addDays(sunday, number)
          return (
            <th key={number} scope="col">
              <span aria-hidden="true">{formatShortWeekday(language, day)}</span>
              <span class="visually-hidden">{formatWeekday(language, day)}</span>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** Days of the month, in whole weeks. */
export function listWeeks(month: string, weekStart: 'monday' | 'sunday'): string[][] {
  const first = `${month}-01`
  const place = getWeekdayOrder(weekStart).indexOf(parseClock(first).getUTCDay())
  const begin = addDays(first, -place)
  const end = addDays(`${addMonths(month, 1)}-01`, -1)
  const weeks: string[][] = []
  for (let monday = begin; monday <= end; monday = addDays(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, number) => addDays(monday, number)))
  }
  return weeks
}
