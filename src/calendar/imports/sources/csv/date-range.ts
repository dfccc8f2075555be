import type { IsoDate } from '../../../time/time.ts'
import { type DayOrder, type ParsedDate, parseDateCell } from './date-parser.ts'

/** Longer text is not a range of dates. Also bounds the number of attempts. */
const lengthMax = 100

/** A date as `parseDateCell`, or a range of dates such as `3.–5. Mai 2027`, with the last day in `endDate`. */
export function parseDateOrRange(text: string, order: DayOrder): ParsedDate | undefined {
  return parseDateCell(text, order) ?? parseDateRange(text, order)
}

/** Tries each place where the text could be divided: a hyphen also separates the parts of a date. */
function parseDateRange(text: string, order: DayOrder): ParsedDate | undefined {
  if (text.length > lengthMax) return undefined
  for (const mark of text.matchAll(/[-–—]|\s(?:bis|to|until)\s/gi)) {
    const first = text.slice(0, mark.index).trim()
    const last = text.slice(mark.index + mark[0].length).trim()
    const range = first === '' || last === '' ? undefined : joinRange(first, last, order)
    if (range !== undefined) return range
  }
  return undefined
}

function joinRange(first: string, last: string, order: DayOrder): ParsedDate | undefined {
  const end = parseDateCell(completeEnd(first, last), order)
  if (end?.isUnclear === true) return { isUnclear: true }
  if (end?.date === undefined || end.endTime !== undefined) return undefined
  const start = parseDateCell(first, order) ?? completeStart(first, end.date, order)
  if (start?.isUnclear === true) return { isUnclear: true }
  if (start?.date === undefined || start.endTime !== undefined) return undefined
  return {
    date: start.date,
    ...(start.time === undefined ? {} : { time: start.time }),
    endDate: end.date,
    ...(end.time === undefined ? {} : { endTime: end.time })
  }
}

/** `May 3 – 5, 2027`: the month is only in the first part. */
function completeEnd(first: string, last: string): string {
  const month = /^(\p{L}{3,10})\.? \d{1,2}$/u.exec(first)?.[1]
  return month !== undefined && /^\d{1,2}(?:st|nd|rd|th)?,? \d{4}$/.test(last) ? `${month} ${last}` : last
}

/** `3.`, `3.5.`, `30. April`, `April 30`, `4/30`: what is missing is as in the last day, or in the year before. */
function completeStart(first: string, last: IsoDate, order: DayOrder): ParsedDate | undefined {
  const [year = '', month = ''] = last.split('-')
  const day = /^(\d{1,2})\.?$/.exec(first)?.[1]
  if (day !== undefined) return parseDateCell(`${year}-${month}-${day.padStart(2, '0')}`, order)
  const separator = /^\d{1,2}\.\s?\d{1,2}\.?$/.test(first) ? '.' : /^\d{1,2}\/\d{1,2}$/.test(first) ? '/' : ' '
  const complete = (whole: string) => parseDateCell(`${first.replace(/[.,]$/, '')}${separator}${whole}`, order)
  const same = complete(year)
  return same?.date !== undefined && same.date > last ? complete(String(Number(year) - 1)) : same
}
