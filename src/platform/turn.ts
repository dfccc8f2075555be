let waiting: (() => void)[] = []

/**
 * Does something when the turn of the event loop is over, together with everything else that waits for that: nothing
 * that comes from outside gets in between.
 */
export function atEndOfTurn(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(endTurn)
}

function endTurn(): void {
  const works = waiting
  waiting = []
  for (const work of works) work()
}
