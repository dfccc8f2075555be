import { toLocalDay } from '../../format/format.ts'
import type { PageRouter } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { isDay, isMonth, isWeek } from './dates.ts'
import { showDay } from './day.tsx'
import { showList } from './list.tsx'
import { showMonth } from './month.tsx'
import { showWeek } from './week.tsx'

/** Month, week, list and day views of the calendar. */
export function registerCalendarRoutes(pages: PageRouter): void {
  pages.add(
    'calendar',
    async context => await showMonth(context, toLocalDay(context.site.timezone, context.now).slice(0, 7))
  )
  pages.add('list', showList)
  pages.add('when', async context => {
    const { when = '' } = context.params
    if (isMonth(when)) return await showMonth(context, when)
    if (isWeek(when)) return await showWeek(context, when)
    if (isDay(when)) return await showDay(context, when)
    throw new ApiError(404, 'no-such-date')
  })
}
