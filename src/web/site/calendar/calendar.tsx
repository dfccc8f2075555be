import { Refused } from '../../api.ts'
import { clock, dayIn } from '../../format.ts'
import type { Pages } from '../../page.ts'
import { dayPage } from './day.tsx'
import { listPage } from './list.tsx'
import { firstDay, lastDay, monthPage } from './month.tsx'

/** The calendar as a month, a list and a day. */
export function calendarPages(pages: Pages): void {
  pages.add('calendar', async visit => await monthPage(visit, dayIn(visit.site.timezone, visit.now).slice(0, 7)))
  pages.add('list', listPage)
  pages.add('when', async visit => {
    const { when = '' } = visit.params
    if (isMonth(when)) return await monthPage(visit, when)
    if (isDay(when)) return await dayPage(visit, when)
    throw new Refused(404, 'no-such-date', '', {})
  })
}

function isMonth(when: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(when) && when >= firstDay.slice(0, 7) && when <= lastDay.slice(0, 7)
}

/** There is no 30 February: a clock would make another day of it. */
function isDay(when: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(when) || when < firstDay || when > lastDay) return false
  const date = clock(when)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(when)
}
