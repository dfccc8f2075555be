import { calendarPath, type DayList } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { type Filters, ignoreUnknownFilter, listFilterChoices, toApiQuery } from './calendar-filter.ts'
import { firstDay, lastDay } from './dates.ts'

/** The events of a range of days, and what can be filtered by. There is no answer if a filter names something unknown. */
export async function loadDays(
  context: PageContext,
  filters: Filters,
  { from, to, perDay }: { from: string; to: string; perDay: number }
) {
  const [answer, choices] = await Promise.all([
    ignoreUnknownFilter(
      context.api.get<DayList>(`${calendarPath}/days`, {
        ...toApiQuery(filters),
        from: from < firstDay ? firstDay : from,
        to: to > lastDay ? lastDay : to,
        per_day: perDay
      })
    ),
    listFilterChoices(context, filters)
  ])
  return { answer, choices }
}
