import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    sizes: { type: 'string' }
  }
})

/** The parts named on the command line; none means the usual ones. */
export const chosenParts = positionals
/** Under three minutes: shorter measurements, and at most 100,000 events. Less steady. */
export const isQuick = values.quick
/** Print the last results instead of measuring. */
export const isTableOnly = values.table

/** The number of connections, unless a measurement has its own. */
export const connections = 32
/** Many short rounds: a busy moment of the machine then falls on few of them, and the median leaves them out. */
export const rounds = isQuick ? 2 : 9
/** Samples that do not count: V8 and the caches of PostgreSQL need some seconds of each workload. */
export const warmUpsMax = isQuick ? 4 : 15
export const warmUpMs = isQuick ? 500 : 1000
/** A sample that is faster by this factor shows that the workload is not warm yet. */
export const steadyGain = 1.05
export const measureMs = isQuick ? 500 : 400
/** pgbench takes whole seconds only. */
export const pgbenchSeconds = 1
/** A start takes as long as all rounds of a workload. */
export const starts = isQuick ? 1 : 3
/** How many events the calendars have. */
export const sizes = (values.sizes ?? (isQuick ? '10000,100000' : '10000,100000,1000000')).split(',').map(Number)
export const usualSize = sizes.includes(100_000) ? 100_000 : Math.max(...sizes)

/** Lists show the events of the next two of twenty years: 50 pages of 10. */
const smallestSize = 5000
if (!sizes.every(size => size >= smallestSize)) throw new Error(`--sizes takes numbers from ${smallestSize} on.`)

/** In a URL: no two requests of the whole run are the same, so that no response comes from the response cache. */
export const serialMark = '{serial}'
