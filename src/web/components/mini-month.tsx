import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDayMonth, formatMonth } from '../format/format.ts'
import type { DayList } from '../server/calendar-api.ts'
import { getPath } from '../server/paths.ts'
import { listWeeks, Weekdays } from './weekdays.tsx'

/** Compact month: days with events are bold links. */
export function MiniMonth({
  language,
  month,
  today,
  weekStart,
  days
}: {
  language: Language
  month: string
  today: string
  weekStart: 'monday' | 'sunday'
  days: DayList['days']
}) {
  const strings = getMessages('calendar', language)
  const totals = new Map(days.map(({ date, total }) => [date, total]))
  const cell = (date: string) => {
    if (!date.startsWith(month)) return <td key={date} />
    const number = Number(date.slice(8))
    const total = totals.get(date) ?? 0
    const name = date === today ? `${strings.today}, ${formatDayMonth(language, date)}` : formatDayMonth(language, date)
    return (
      <td key={date} {...(date === today ? { 'aria-current': 'date' as const } : {})}>
        {total === 0 ? (
          <span>{number}</span>
        ) : (
          <a href={getPath('when', language, date)} aria-label={strings.dayLabel({ day: name, count: total })}>
            {number}
          </a>
        )}
      </td>
    )
  }
  return (
    <table class="mini-month">
      <caption>
        <a href={getPath('when', language, month)}>{formatMonth(language, month)}</a>
      </caption>
      <Weekdays language={language} weekStart={weekStart} />
      <tbody>
        {listWeeks(month, weekStart).map(week => (
          <tr key={week[0]}>{week.map(cell)}</tr>
        ))}
      </tbody>
    </table>
  )
}
