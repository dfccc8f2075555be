import type { Text } from '#platform/language.ts'
import { daysLater, toLocal } from '../../time.ts'
import { readZone } from '../../zones.ts'
import { zoneNamed } from '../reading/zone-names.ts'
import { type Cells, shown, truthCell, type Wrong } from './cells.ts'
import { type DayOrder, readDate, readTime, type Written } from './dates.ts'

export function zoneOf(cell: string | undefined, fallback: string, wrong: Wrong): string {
  if (cell === undefined || cell === '') return fallback
  const zone = zoneNamed(cell) ?? readZone(cell)
  if (zone === undefined) {
    wrong(
      'timezone',
      `“${shown(cell)}” must be a time zone such as Europe/Berlin.`,
      `„${shown(cell)}“ muss eine Zeitzone sein, etwa Europe/Berlin.`
    )
  }
  return zone ?? fallback
}

export interface Around {
  order: DayOrder
  zone: string
  wrong: Wrong
  notes: Text[]
}

/** Start and end in the words of the API; nothing where the row does not say them in a way that can be read. */
export function datesOf(cells: Cells, { order, zone, wrong, notes }: Around): Record<string, unknown> {
  const start = momentOf(cells, 'start', { order, zone, wrong, notes })
  const end = momentOf(cells, 'end', { order, zone, wrong, notes })
  const saysAllDay = truthCell(cells, 'all_day', wrong)
  if (start === undefined || end === undefined) return {}
  if (start.date === undefined) {
    wrong('start_date', 'there is no date.', 'Es gibt kein Datum.')
    return {}
  }
  const allDay = saysAllDay ?? start.time === undefined
  const lastDay = end.date ?? start.date
  if (allDay || start.time === undefined) {
    if (saysAllDay !== true && cells.has('start_time')) notes.push(withoutTime)
    return checked(`${start.date} 00:00:00`, `${lastDay} 23:59:59`, { zone, allDay: true, wrong })
  }
  const first = `${start.date} ${start.time}`
  const endTime = end.time ?? start.endTime
  if (endTime === undefined) {
    if (lastDay === start.date) notes.push(withoutEnd)
    return checked(first, lastDay === start.date ? first : `${lastDay} 23:59:59`, { zone, allDay: false, wrong })
  }
  // What begins at 22:00 and ends at 02:00 ends the day after.
  const isNextDay = end.date === undefined && endTime < start.time
  const last = `${isNextDay ? daysLater(start.date, 1) : lastDay} ${endTime}`
  return checked(first, last, { zone, allDay: false, wrong })
}

function checked(
  start: string,
  end: string,
  { zone, allDay, wrong }: { zone: string; allDay: boolean; wrong: Wrong }
): Record<string, unknown> {
  if (end < start) wrong('end_date', 'the end is before the start.', 'Das Ende liegt vor dem Beginn.')
  return { start_date: start, end_date: end, timezone: zone, all_day: allDay }
}

/** The cells of date and time together; undefined, and a problem more, where they cannot be read. */
function momentOf(cells: Cells, which: 'start' | 'end', { order, zone, wrong }: Around): Written | undefined {
  const dateCell = cells.get(`${which}_date`) ?? ''
  const timeCell = cells.get(`${which}_time`) ?? ''
  const date: Written | undefined = dateCell === '' ? {} : (readDate(dateCell, order) ?? readTime(dateCell))
  const time = timeCell === '' ? {} : (readTime(timeCell) ?? timeOf(readDate(timeCell, order)))
  if (date?.isUnclear === true) {
    wrong(
      `${which}_date`,
      `“${shown(dateCell)}” can be two different days, and no other row shows which is meant. Write 2027-03-01 for the first of March.`,
      `„${shown(dateCell)}“ kann zweierlei heißen, und keine andere Zeile zeigt, was gemeint ist. Schreiben Sie 2027-03-01 für den ersten März.`
    )
    return undefined
  }
  if (date === undefined) {
    wrong(
      `${which}_date`,
      `“${shown(dateCell)}” must be a date such as 2027-03-01 or 01.03.2027.`,
      `„${shown(dateCell)}“ muss ein Datum sein, etwa 2027-03-01 oder 01.03.2027.`
    )
    return undefined
  }
  if (time === undefined) {
    wrong(
      `${which}_time`,
      `“${shown(timeCell)}” must be a time such as 19:30 or 7:30 pm.`,
      `„${shown(timeCell)}“ muss eine Uhrzeit sein, etwa 19:30 oder 19.30 Uhr.`
    )
    return undefined
  }
  if (date.instant === undefined) return { ...date, ...time }
  const local = toLocal(date.instant, zone)
  return { date: local.slice(0, 10), time: local.slice(11) }
}

/** Excel writes the day of its beginning before a time alone. */
function timeOf(written: Written | undefined): Pick<Written, 'time'> | undefined {
  return written?.time === undefined ? undefined : { time: written.time }
}

const withoutTime: Text = {
  en: 'Without a time, so it lasts the whole day.',
  de: 'Ohne Uhrzeit, also ganztägig.'
}

const withoutEnd: Text = {
  en: 'Without an end, so it ends when it starts.',
  de: 'Ohne Ende: Es endet, wenn es beginnt.'
}
