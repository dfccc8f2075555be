import type { Language } from '#platform/language.ts'
import type { Days } from '../calendar-api.ts'
import { dayMonth, monthName } from '../format.ts'
import { pathTo } from '../paths.ts'
import { calendarWords } from '../text/calendar.ts'
import { Weekdays, weeksOf } from './weekdays.tsx'

/** A month in numbers: days with events are bold and lead to them. */
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
  days: Days['days']
}) {
  const words = calendarWords[language]
  const totals = new Map(days.map(({ date, total }) => [date, total]))
  const cell = (date: string) => {
    if (!date.startsWith(month)) return <td key={date} />
    const number = Number(date.slice(8))
    const total = totals.get(date) ?? 0
    const name = date === today ? `${words.today}, ${dayMonth(language, date)}` : dayMonth(language, date)
    return (
      <td key={date} {...(date === today ? { 'aria-current': 'date' as const } : {})}>
        {total === 0 ? (
          <span>{number}</span>
        ) : (
          <a href={pathTo('when', language, date)} aria-label={words.dayLabel(name, total)}>
            {number}
          </a>
        )}
      </td>
    )
  }
  return (
    <table class="mini-month">
      <caption>
        <a href={pathTo('when', language, month)}>{monthName(language, month)}</a>
      </caption>
      <Weekdays language={language} weekStart={weekStart} />
      <tbody>
        {weeksOf(month, weekStart).map(week => (
          <tr key={week[0]}>{week.map(cell)}</tr>
        ))}
      </tbody>
    </table>
  )
}
