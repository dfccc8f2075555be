/** True in `npm run check:all`. `npm run check` tries a sample of the values at each route instead of all of them. */
export const isFullRun = process.env.TEST_FULL === 'yes'

/** The `skip` option of a single test that runs in `npm run check:all` only: an expensive test with a cheaper variant. */
export const skipUnlessFull = isFullRun ? false : 'runs in npm run check:all'

/** Outside of a full run every ninth item, with an offset by index, so that each item is tried at some route. */
export function pickSample<Item>(all: readonly Item[], index: number): Item[] {
  return isFullRun ? [...all] : all.filter((_, position) => (position + index) % 9 === 0)
}

/** The number of runs of a property test: a fifth outside of a full run. */
export function countRuns(inFullRun: number): number {
  return isFullRun ? inFullRun : Math.ceil(inFullRun / 5)
}
