import type { Language } from '#platform/language.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import { buildRestUrl } from '../contract/routing/site.ts'
import type { SeriesJson, SeriesPreviewJson } from '../contract/series-shapes.ts'
import { occurrencesMax } from '../recurrence/input.ts'
import { getDay, isEndless, listDates } from '../recurrence/recurrence.ts'
import { toRecurrenceJson } from '../recurrence/recurrence-json.ts'
import { formatRule } from '../recurrence/rule.ts'
import { describeRecurrence } from '../recurrence/sentence.ts'
import { formatWallTime, parseWallTime, type WallTime } from '../recurrence/wall-time.ts'
import { toLocal } from '../time/time.ts'
import type { ShownSeriesRow } from './queries.ts'
import { previewDatesMax } from './schema.ts'
import { parseSeries, type SeriesState } from './series-state.ts'

export function toSeriesJson(
  row: ShownSeriesRow,
  { site, now, language }: Pick<RequestContext, 'site' | 'now' | 'language'>
): SeriesJson {
  const state = parseSeries(row)
  const taken = new Set(row.taken.map(parseWallTime))
  // An occurrence in the trash is a skipped date; one that was restored takes place although its date is excluded.
  const skipped = [...new Set([...state.recurrence.except, ...row.skipped.map(parseWallTime)])]
  const except = skipped.filter(date => !taken.has(date)).sort((one, other) => one - other)
  const today = getDay(parseWallTime(toLocal(now, row.timezone)))
  return {
    id: row.id,
    author: String(row.authorId),
    ...describeState({ ...state, recurrence: { ...state.recurrence, except } }, language, today),
    start_date: row.start,
    end_date: row.end,
    all_day: row.allDay,
    timezone: row.timezone,
    except: except.map(toDate),
    also: row.also.map(date => date.slice(0, 10)),
    next: row.next,
    occurrences: row.occurrences,
    language,
    rest_url: buildRestUrl(site, `/series/${row.id}`)
  }
}

/** The sentence names only dates that are not over. */
function describeState({ recurrence, start }: SeriesState, language: Language, today: WallTime) {
  const { rule, except, also } = recurrence
  const isAhead = (date: WallTime) => date >= today
  return {
    rule: formatRule(rule),
    recurrence: toRecurrenceJson(recurrence, start),
    text: describeRecurrence({ rule, start, except: except.filter(isAhead), also: also.filter(isAhead) }, language),
    isEndless: isEndless(rule)
  }
}

export function toPreviewJson(state: SeriesState, language: Language): SeriesPreviewJson {
  const isOpen = isEndless(state.recurrence.rule)
  const dates = listDates(state.recurrence, state.start, { most: isOpen ? previewDatesMax : occurrencesMax })
  return {
    ...describeState(state, language, 0),
    dates: dates.slice(0, previewDatesMax).map(formatWallTime),
    total: isOpen ? null : dates.length
  }
}

const toDate = (wall: WallTime) => formatWallTime(wall).slice(0, 10)
