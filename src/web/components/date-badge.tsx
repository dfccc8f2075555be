import type { Language } from '#platform/language.ts'
import { formatShortMonth, formatShortWeekday } from '../format/format.ts'

/** A day as a calendar leaf. Decorative: the same date stands beside it as text. */
export function DateBadge({ language, date }: { language: Language; date: string }) {
  return (
    <span class="date-leaf" aria-hidden="true">
      <span class="date-leaf-month">{formatShortMonth(language, date)}</span>
      <span class="date-leaf-day">{Number(date.slice(8, 10))}</span>
      <span class="date-leaf-weekday">{formatShortWeekday(language, date)}</span>
    </span>
  )
}
