import type { Language } from '#platform/language.ts'
import { formatShortMonth, formatShortWeekday } from '../format/format.ts'

/** The day of an event. Decorative: the same date is beside it as text. */
export function DateBadge({ language, date }: { language: Language; date: string }) {
  return (
    <span class="date-badge" aria-hidden="true">
      <span class="date-badge-month">{formatShortMonth(language, date)}</span>
      <span class="date-badge-day">{Number(date.slice(8, 10))}</span>
      <span class="date-badge-weekday">{formatShortWeekday(language, date)}</span>
    </span>
  )
}
