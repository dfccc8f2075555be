/** A request that would wait for longer than this is refused at once, which is better for it and for the others. */
const waitMsMax = 200
/** Requests that take longer than this mostly wait for each other, so that more of them would only wait longer. */
const slowMs = waitMsMax / 2
/** Fewer requests in a window do not show how fast requests are served. */
const servedMin = 10
/** Lower bound of the limit while requests are served fast: only requests in progress show how many can be served. */
const idleLimitMin = 200
/** Lower bound of the limit while requests are slow and none is refused. */
const slowLimitMin = 64
/** Lower bound of the limit after a refusal, however slow requests are: without requests no recovery would show. */
const refusingLimitMin = 32
/** For counting requests. */
const windowMs = 1000

export interface ConcurrencyLimiter {
  /** True if so many requests are in progress that one more would wait too long, or for another reason. Counts the refusal. */
  shouldRefuse(forAnotherReason?: boolean): boolean
  begin(request: object): void
  /** Ends a request that began; nothing happens if it has ended already. */
  finish(request: object): void
  countInProgress(): number
  countRefused(): number
}

/**
 * Limits the number of requests in progress to those that are served within `waitMsMax`, measured as we go: a limit that
 * fits one machine and one kind of request would be wrong for all others.
 */
export function newConcurrencyLimiter(
  onWindowWithRefusals: (refused: number) => void,
  now: () => number = () => performance.now()
): ConcurrencyLimiter {
  const startedAtMs = new Map<object, number>()
  const empty = { served: 0, slow: 0, refused: 0 }
  let windowBegan = now()
  let current = { ...empty }
  /** Requests per second, and how many of them were slow or refused. */
  let last = empty
  /** In the last window that had enough requests to tell. */
  let wereSlow = false
  let refused = 0

  function advanceWindow(): void {
    const passedMs = now() - windowBegan
    if (passedMs < windowMs) return
    if (current.refused > 0) onWindowWithRefusals(current.refused)
    const share = windowMs / passedMs
    last = { served: current.served * share, slow: current.slow * share, refused: current.refused * share }
    if (last.served >= servedMin) wereSlow = last.slow * 2 > last.served
    windowBegan += passedMs
    current = { ...empty }
  }

  function getLimit(): number {
    const servedInTime = (Math.max(last.served, current.served) * waitMsMax) / windowMs
    const least = last.refused > 0 ? refusingLimitMin : wereSlow ? slowLimitMin : idleLimitMin
    return Math.max(least, servedInTime)
  }

  return {
    shouldRefuse: (forAnotherReason = false) => {
      advanceWindow()
      if (!forAnotherReason && startedAtMs.size < getLimit()) return false
      current.refused += 1
      refused += 1
      return true
    },
    begin: request => void startedAtMs.set(request, now()),
    finish: request => {
      const startedAt = startedAtMs.get(request)
      if (startedAt === undefined) return
      startedAtMs.delete(request)
      current.served += 1
      if (now() - startedAt > slowMs) current.slow += 1
    },
    countInProgress: () => startedAtMs.size,
    countRefused: () => refused
  }
}
