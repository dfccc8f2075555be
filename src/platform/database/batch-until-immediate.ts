let pendingWork: (() => void)[] = []

/**
 * Does something when the turn of the event loop is over, together with everything else that waits for that: nothing
 * that comes from outside gets in between.
 */
export function batchUntilImmediate(work: () => void): void {
  if (pendingWork.push(work) === 1) setImmediate(runBatch)
}

function runBatch(): void {
  const works = pendingWork
  pendingWork = []
  for (const work of works) work()
}
