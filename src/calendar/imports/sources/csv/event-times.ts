import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
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
    wrong('timezone', buildText('import-source-reasons', 'notAZone', { cell: truncateCell(cell) }))
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
    wrong('start_date', buildText('import-source-reasons', 'noDate'))
    return {}
  }
  const allDay = saysAllDay ?? start.time === undefined
  const lastDay = end.date ?? start.endDate ?? start.date
  if (allDay || start.time === undefined) {
    if (saysAllDay !== true && cells.has('start_time')) notes.push(buildText('import-source-reasons', 'noTime'))
    return checkOrder(`${start.date} 00:00:00`, `${lastDay} 23:59:59`, { zone, allDay: true, wrong })
  }
  const first = `${start.date} ${start.time}`
  const endTime = end.time ?? start.endTime
  if (endTime === undefined) {
    if (lastDay === start.date) notes.push(buildText('import-source-reasons', 'noEnd'))
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
  if (end < start) wrong('end_date', buildText('import-source-reasons', 'endBeforeStart'))
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
    wrong(`${which}_date`, buildText('import-source-reasons', 'ambiguousDate', { dateCell: truncateCell(dateCell) }))
    return undefined
  }
  if (date === undefined) {
    wrong(`${which}_date`, buildText('import-source-reasons', 'notADate', { dateCell: truncateCell(dateCell) }))
    return undefined
  }
  if (time === undefined) {
    wrong(`${which}_time`, buildText('import-source-reasons', 'notATime', { timeCell: truncateCell(timeCell) }))
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
