let pendingWork: (() => void)[] = []

/**
 * Runs the work at the end of the current turn of the event loop, together with all other pending work: no external
 * event is handled in between.
 */
export function batchUntilImmediate(work: () => void): void {
  if (pendingWork.push(work) === 1) setImmediate(runBatch)
}

function runBatch(): void {
  const works = pendingWork
  pendingWork = []
  for (const work of works) work()
}
