import type { SubscriptionJson, SubscriptionRunJson } from '#calendar/contract/subscription-shapes.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'

const resultBadgeClasses: Record<SubscriptionRunJson['result'], string> = {
  running: 'warn',
  changed: 'good',
  unchanged: 'plain',
  failed: 'bad',
  stopped: 'bad'
}

export function ResultBadge({ context, result }: { context: AdminContext; result: SubscriptionRunJson['result'] }) {
  return (
    <span class={`badge nowrap ${resultBadgeClasses[result]}`}>
      {getMessages('subscription', context.language).results[result]}
    </span>
  )
}

const outcomes = ['new', 'changed', 'same', 'conflict', 'gone', 'restored', 'skipped', 'problem'] as const

/** 12 new, 3 changed: zero counts are omitted. */
export function formatCounts({ language }: AdminContext, counts: SubscriptionRunJson['counts']): string {
  const { tally } = getMessages('subscription', language)
  return outcomes
    .filter(outcome => counts[outcome] > 0)
    .map(outcome => `${formatNumber(language, counts[outcome])} ${tally[outcome]}`)
    .join(', ')
}

/** `Every 6 hours`. */
export function formatInterval({ language }: Pick<AdminContext, 'language'>, minutes: number): string {
  const strings = getMessages('subscription', language)
  if (minutes % 1440 === 0) return strings.everyDays({ days: minutes / 1440 })
  if (minutes % 60 === 0) return strings.everyHours({ hours: minutes / 60 })
  return strings.everyMinutes({ minutes: formatNumber(language, minutes) })
}

/** The job has been asked to read it, or is reading it. */
export function isBeingRead(
  { is_paused: isPaused, next_run_at: next, last_result: result }: SubscriptionJson,
  now: Date
): boolean {
  if (isPaused) return false
  return result === 'running' || (next !== null && Date.parse(next) <= now.getTime())
}

export function Moment({ context, at }: { context: AdminContext; at: string }) {
  return <time dateTime={at}>{formatDateTime(context.language, at, context.site.timezone)}</time>
}

/** Paused, waiting, or the next time. */
export function NextRun({ context, one }: { context: AdminContext; one: SubscriptionJson }) {
  const strings = getMessages('subscription', context.language)
  if (one.is_paused) return <span class="badge nowrap warn">{strings.paused}</span>
  if (one.next_run_at === null) return <span class="badge bad">{strings.waits}</span>
  if (isBeingRead(one, context.now)) return <>{strings.soon}</>
  return <Moment context={context} at={one.next_run_at} />
}
