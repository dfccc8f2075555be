/** True in `npm run check:all`. `npm run check` tries a sample of the values at each route instead of all of them. */
export const isFullRun = process.env.TEST_FULL === 'yes'

/** The `skip` option of a single test that runs in `npm run check:all` only: one that is expensive and has a cheaper form beside it. */
export const skipUnlessFull = isFullRun ? false : 'runs in npm run check:all'

/** Outside of a full run every ninth item, starting at another one for each index: all of them are tried at some route. */
export function pickSample<Item>(all: readonly Item[], index: number): Item[] {
  return isFullRun ? [...all] : all.filter((_, position) => (position + index) % 9 === 0)
}

/** The number of runs of a property test: a fifth outside of a full run. */
export function countRuns(inFullRun: number): number {
  return isFullRun ? inFullRun : Math.ceil(inFullRun / 5)
}
