import { type Language, pickByLanguage } from '#platform/language.ts'
import { formatNumericDay } from '#platform/messages/format-day.ts'
import { toMultilineText } from '#platform/rich-text/html.ts'
import type {
  SubscribedEventJson,
  SubscriptionJson,
  SubscriptionRowJson,
  SubscriptionRunJson
} from '../contract/subscription-shapes.ts'
import { getSubscriptionName } from './address.ts'
import type { EventValues } from './items/event-values.ts'
import { getFieldName } from './items/field-names.ts'
import { findTextField } from './items/field-values.ts'
import type { LinkNames } from './items/link-names.ts'
import type { SubscribedEvent } from './items/queries.ts'
import { getIntervalMinutes } from './schedule.ts'
import { type ListedSubscription, noRunCounts, type SubscriptionRow, type SubscriptionRun } from './schema.ts'

/** A subscription as response body; errors are in the reader's language. */
export function toSubscriptionJson(found: ListedSubscription, language: Language): SubscriptionJson {
  return {
    id: found.id,
    url: found.url,
    name: getSubscriptionName(found),
    own_name: found.name,
    source: found.source,
    every: found.everyMinutes,
    interval: getIntervalMinutes(found),
    category: found.categoryId,
    gone: found.gone,
    status: found.status,
    language: found.language,
    timezone: found.timezone,
    is_paused: found.isPaused,
    matches_titles: found.matchesTitles,
    problem: found.problem,
    error: (found.error && pickByLanguage(found.error, language)) ?? null,
    failures: found.failures,
    last_run_at: found.lastRunAt,
    last_result: found.lastResult,
    ...(found.lastCounts === null ? {} : { last_counts: { ...noRunCounts, ...found.lastCounts } }),
    next_run_at: found.nextRunAt,
    counts: { events: found.eventCount, conflicts: found.conflictCount, gone: found.goneCount },
    author: String(found.authorId),
    author_name: found.authorName,
    created_at: found.createdAt,
    modified_at: found.modifiedAt
  }
}

export function toRunJson(run: SubscriptionRun, language: Language): SubscriptionRunJson {
  return {
    id: run.id,
    result: run.result,
    times: run.times,
    counts: { ...noRunCounts, ...run.counts },
    error: (run.error && pickByLanguage(run.error, language)) ?? null,
    started_at: run.startedAt,
    finished_at: run.finishedAt
  }
}

export function toRowJson(row: SubscriptionRow, language: Language): SubscriptionRowJson {
  return {
    position: row.position,
    kind: row.kind,
    source_id: row.sourceId,
    title: row.title,
    outcome: row.outcome,
    reasons: row.reasons.map(reason => pickByLanguage(reason, language)),
    item_id: row.itemId
  }
}

export function toSubscribedEventJson(
  event: SubscribedEvent,
  { values, names, language }: { values: EventValues | undefined; names: LinkNames; language: Language }
): SubscribedEventJson {
  return {
    id: event.eventId,
    title: event.title,
    start_date: event.start,
    status: event.status,
    source_id: event.sourceId,
    gone_at: event.goneAt,
    gone_action: event.goneAction,
    conflicts: Object.entries(event.conflicts ?? {}).map(([field, { value }]) => ({
      field,
      name: getFieldName(field, language),
      here: formatValue(field, values?.values[field], { names, language }),
      theirs: formatValue(field, value, { names, language })
    }))
  }
}

const valueLengthMax = 2000

/** The value as text for people. */
function formatValue(
  field: string,
  value: unknown,
  { names, language }: { names: LinkNames; language: Language }
): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(id => names.get(`${field} ${id}`) ?? `#${id}`).join(', ')
  if (field === 'when') return formatTimes(value as Record<string, unknown>, language)
  if (typeof value === 'object') return JSON.stringify(value)
  const text = findTextField(field) === undefined ? String(value) : toMultilineText(String(value))
  return text.slice(0, valueLengthMax).toWellFormed()
}

/** `2031-07-01 10:00 – 12:00 (Europe/Berlin)`, in German `01.07.2031`. */
function formatTimes(
  { start_date: start, end_date: end, timezone, all_day: isDay }: Record<string, unknown>,
  language: Language
): string {
  const [from = '', to = ''] = [start, end].map(time => String(time ?? ''))
  const formatDay = (time: string) => formatNumericDay(time.slice(0, 10), language)
  const isOneDay = from.slice(0, 10) === to.slice(0, 10)
  if (isDay === true) return isOneDay ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`
  const [first, last] = [from.slice(11, 16), to.slice(11, 16)]
  return `${formatDay(from)} ${first} – ${isOneDay ? '' : `${formatDay(to)} `}${last} (${timezone})`
}
