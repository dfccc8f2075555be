import type { Text } from '#platform/language.ts'
import { addDays, toLocal } from '../../../time/time.ts'
import { parseZone } from '../../../time/zones.ts'
import { findZoneByName } from '../incoming/zone-names.ts'
import { type Cells, type ReportError, readBoolCell, truncateCell } from './cells.ts'
import { type DayOrder, type ParsedDate, parseDateCell, parseTimeCell } from './date-parser.ts'
import { parseDateOrRange } from './date-range.ts'

export function parseZoneCell(cell: string | undefined, fallback: string, wrong: ReportError): string {
  if (cell === undefined || cell === '') return fallback
  const zone = findZoneByName(cell) ?? parseZone(cell)
  if (zone === undefined) {
    wrong(
      'timezone',
      `“${truncateCell(cell)}” must be a time zone such as Europe/Berlin.`,
      `„${truncateCell(cell)}“ muss eine Zeitzone sein, etwa Europe/Berlin.`
    )
  }
  return zone ?? fallback
}

export interface DateContext {
  order: DayOrder
  zone: string
  wrong: ReportError
  notes: Text[]
}

/** Start and end as API fields; omitted if the row does not have them in a readable form. */
export function readDates(cells: Cells, { order, zone, wrong, notes }: DateContext): Record<string, unknown> {
  const start = readDateTime(cells, 'start', { order, zone, wrong, notes })
  const end = readDateTime(cells, 'end', { order, zone, wrong, notes })
  const saysAllDay = readBoolCell(cells, 'all_day', wrong)
  if (start === undefined || end === undefined) return {}
  if (start.date === undefined) {
    wrong('start_date', 'there is no date.', 'Es gibt kein Datum.')
    return {}
  }
  const allDay = saysAllDay ?? start.time === undefined
  const lastDay = end.date ?? start.endDate ?? start.date
  if (allDay || start.time === undefined) {
    if (saysAllDay !== true && cells.has('start_time')) notes.push(missingTimeNote)
    return checkOrder(`${start.date} 00:00:00`, `${lastDay} 23:59:59`, { zone, allDay: true, wrong })
  }
  const first = `${start.date} ${start.time}`
  const endTime = end.time ?? start.endTime
  if (endTime === undefined) {
    if (lastDay === start.date) notes.push(missingEndNote)
    return checkOrder(first, lastDay === start.date ? first : `${lastDay} 23:59:59`, { zone, allDay: false, wrong })
  }
  // An event from 22:00 to 02:00 ends on the next day.
  const isNextDay = lastDay === start.date && end.date === undefined && endTime < start.time
  const last = `${isNextDay ? addDays(start.date, 1) : lastDay} ${endTime}`
  return checkOrder(first, last, { zone, allDay: false, wrong })
}

function checkOrder(
  start: string,
  end: string,
  { zone, allDay, wrong }: { zone: string; allDay: boolean; wrong: ReportError }
): Record<string, unknown> {
  if (end < start) wrong('end_date', 'the end is before the start.', 'Das Ende liegt vor dem Beginn.')
  return { start_date: start, end_date: end, timezone: zone, all_day: allDay }
}

/** Combines the date and time cells; reports an error and returns undefined if they cannot be parsed. */
function readDateTime(
  cells: Cells,
  which: 'start' | 'end',
  { order, zone, wrong }: DateContext
): ParsedDate | undefined {
  const dateCell = cells.get(`${which}_date`) ?? ''
  const timeCell = cells.get(`${which}_time`) ?? ''
  const date: ParsedDate | undefined =
    dateCell === '' ? {} : (parseDateOrRange(dateCell, order) ?? parseTimeCell(dateCell))
  const time = timeCell === '' ? {} : (parseTimeCell(timeCell) ?? toTime(parseDateCell(timeCell, order)))
  if (date?.isUnclear === true) {
    wrong(
      `${which}_date`,
      `“${truncateCell(dateCell)}” can be two different days, and no other row shows which is meant. Write 2027-03-01 for the first of March.`,
      `„${truncateCell(dateCell)}“ kann zweierlei heißen, und keine andere Zeile zeigt, was gemeint ist. Schreiben Sie 2027-03-01 für den ersten März.`
    )
    return undefined
  }
  if (date === undefined) {
    wrong(
      `${which}_date`,
      `“${truncateCell(dateCell)}” must be a date such as 2027-03-01 or 01.03.2027.`,
      `„${truncateCell(dateCell)}“ muss ein Datum sein, etwa 2027-03-01 oder 01.03.2027.`
    )
    return undefined
  }
  if (time === undefined) {
    wrong(
      `${which}_time`,
      `“${truncateCell(timeCell)}” must be a time such as 19:30 or 7:30 pm.`,
      `„${truncateCell(timeCell)}“ muss eine Uhrzeit sein, etwa 19:30 oder 19.30 Uhr.`
    )
    return undefined
  }
  if (date.instant === undefined) return { ...date, ...time }
  const local = toLocal(date.instant, zone)
  return { date: local.slice(0, 10), time: local.slice(11) }
}

/** Excel writes its epoch day before a time without a date. */
function toTime(written: ParsedDate | undefined): Pick<ParsedDate, 'time'> | undefined {
  return written?.time === undefined ? undefined : { time: written.time }
}

const missingTimeNote: Text = {
  en: 'No time given; imported as an all-day event.',
  de: 'Ohne Uhrzeit; als ganztägig importiert.'
}

const missingEndNote: Text = {
  en: 'No end given; the end is set to the start.',
  de: 'Ohne Ende; das Ende ist der Beginn.'
}
