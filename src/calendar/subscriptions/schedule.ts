import { everyMinutesDefault, type Subscription } from './schema.ts'

const minuteMs = 60_000
/** Failed runs are tried again at least this often, unless the calendar itself is read less often. */
const backOffMaxMs = 24 * 60 * minuteMs
/** After failing for this long it is paused. */
const failingMaxMs = 7 * 24 * 60 * minuteMs

/** Minutes between two runs: never fewer than the calendar wants. */
export function getIntervalMinutes({
  everyMinutes,
  feedMinutes
}: Pick<Subscription, 'everyMinutes' | 'feedMinutes'>): number {
  return Math.max(everyMinutes ?? feedMinutes ?? everyMinutesDefault, feedMinutes ?? 0)
}

export function getNextRun(subscription: Pick<Subscription, 'everyMinutes' | 'feedMinutes'>, now: Date): Date {
  return new Date(now.getTime() + getIntervalMinutes(subscription) * minuteMs)
}

/** The next attempt after a failure, twice as late each time; null if it has failed for too long. */
export function getNextAttempt(
  subscription: Pick<Subscription, 'everyMinutes' | 'feedMinutes' | 'failures' | 'failingSince'>,
  now: Date
): Date | null {
  const { failures, failingSince } = subscription
  if (failingSince !== null && now.getTime() - Date.parse(failingSince) >= failingMaxMs) return null
  const intervalMs = getIntervalMinutes(subscription) * minuteMs
  const backOffMs = Math.min(intervalMs * 2 ** Math.min(failures, 20), backOffMaxMs)
  return new Date(now.getTime() + Math.max(intervalMs, backOffMs))
}
