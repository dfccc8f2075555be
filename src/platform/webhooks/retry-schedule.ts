const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Delays after the first, second, … failed attempt of a message: a little over three days in all. */
const messageDelaysMs = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs
]

/** Consecutive pauses of a receiver; the last one repeats, and each is followed by a single message. */
const receiverDelaysMs = [
  5 * secondMs,
  10 * secondMs,
  20 * secondMs,
  40 * secondMs,
  minuteMs,
  2 * minuteMs,
  5 * minuteMs,
  10 * minuteMs
]

/** How many of the last responses decide whether a receiver is paused. */
export const recentResponsesMax = 20
/** Fewer responses than this say nothing about the receiver: a single failure delays its own message only. */
const recentResponsesMin = 10
/** The share of failures at which a receiver is paused. */
const failureShareMax = 0.5

/** A webhook that fails for this long is switched off. */
export const failingMaxMs = 72 * hourMs

/** The longest Retry-After that we respect. */
const retryAfterMaxMs = hourMs

/**
 * Fraction by which a delay is extended at most, so that failures at the same time are not retried at the same time.
 */
const jitter = 0.2

/** The delay before the next attempt; undefined if this was the last. */
export function getMessageDelay(attempts: number, retryAfterMs: number, chance = Math.random()): number | undefined {
  const delay = messageDelaysMs[attempts - 1]
  return delay === undefined ? undefined : Math.max(addJitter(delay, chance), retryAfterMs)
}

/** Whether most of the last responses (`+` for 2xx, `-` for others) were failures. */
export function isMostlyFailing(recentResponses: string): boolean {
  const failed = recentResponses.split('-').length - 1
  return recentResponses.length >= recentResponsesMin && failed / recentResponses.length >= failureShareMax
}

/** The length of the pause of a receiver, by the number of consecutive pauses. */
export function getReceiverDelay(failures: number, retryAfterMs: number, chance = Math.random()): number {
  const delay = receiverDelaysMs[Math.min(failures, receiverDelaysMs.length) - 1] ?? 0
  return Math.max(addJitter(delay, chance), retryAfterMs)
}

function addJitter(delayMs: number, chance: number): number {
  return Math.round(delayMs * (1 + jitter * chance))
}

/** Parses Retry-After, in seconds or as a date, and limits it. */
export function parseRetryAfter(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0
  const delayMs = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now.getTime()
  return Number.isFinite(delayMs) ? Math.min(Math.max(delayMs, 0), retryAfterMaxMs) : 0
}
