const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** How long a message waits after its first, second, … failed attempt; with the last one it is a little over three days. */
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

/** How long a receiver is left alone after failures in a row; then it is asked as often as in the end, with one message. */
const receiverDelaysMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs]

/** Whoever fails for this long is switched off. */
export const failingMaxMs = 72 * hourMs

/** A receiver that asks for more time gets it, but not more than this. */
const retryAfterMaxMs = hourMs

/** By how much of itself a delay is longer at most, so that what failed together does not come back together. */
const jitter = 0.2

/** How long after this attempt the next one is; undefined if it was the last. */
export function getMessageDelay(attempts: number, askedMs: number, chance = Math.random()): number | undefined {
  const delay = messageDelaysMs[attempts - 1]
  return delay === undefined ? undefined : Math.max(addJitter(delay, chance), askedMs)
}

/** How long a receiver is left alone after so many failures. */
export function getReceiverDelay(failures: number, askedMs: number, chance = Math.random()): number {
  const delay = receiverDelaysMs[Math.min(failures, receiverDelaysMs.length) - 1] ?? 0
  return Math.max(addJitter(delay, chance), askedMs)
}

function addJitter(delayMs: number, chance: number): number {
  return Math.round(delayMs * (1 + jitter * chance))
}

/** How long the receiver asks to be left alone, in seconds or as a date; within bounds. */
export function parseRetryAfter(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0
  const asked = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now.getTime()
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), retryAfterMaxMs) : 0
}
