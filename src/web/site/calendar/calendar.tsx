import { parseClock, toLocalDay } from '../../format/format.ts'
import type { PageRouter } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { showDay } from './day.tsx'
import { showList } from './list.tsx'
import { firstDay, lastDay, showMonth } from './month.tsx'

/** Month, list and day views of the calendar. */
export function registerCalendarRoutes(pages: PageRouter): void {
  pages.add(
    'calendar',
    async context => await showMonth(context, toLocalDay(context.site.timezone, context.now).slice(0, 7))
  )
  pages.add('list', showList)
  pages.add('when', async context => {
    const { when = '' } = context.params
    if (isMonth(when)) return await showMonth(context, when)
    if (isDay(when)) return await showDay(context, when)
    throw new ApiError(404, 'no-such-date')
  })
}

function isMonth(when: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(when) && when >= firstDay.slice(0, 7) && when <= lastDay.slice(0, 7)
}

/** Rejects days such as 30 February, which Date would turn into another day. */
function isDay(when: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(when) || when < firstDay || when > lastDay) return false
  const date = parseClock(when)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(when)
}
