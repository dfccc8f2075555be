import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    json: { type: 'string' },
    sizes: { type: 'string' }
  }
})

/** The parts that were named; none means all. */
export const chosenParts = positionals
/** About a minute, with fewer events and one number of connections; less steady. */
export const isQuick = values.quick
/** Is a broken floor a failure? Not where somebody only looks: a busy machine breaks any. */
export const isCheck = values.check
export const jsonFile = values.json

export const rounds = 3
/** Rounds that are not counted: compilers and caches need a few seconds of each. */
export const warmUps = isQuick ? 1 : 2
export const warmUpMs = 1000
export const sliceMs = isQuick ? 300 : 1000
/** pgbench counts in whole ones. */
export const pgbenchSeconds = 1
/** Each takes as long as all rounds of something else. */
export const starts = isQuick ? 1 : 3
/** Where the budgets are measured, and what else is looked at. */
export const busy = 32
export const connectionCounts = isQuick ? [busy] : [busy, 8, 1]
/** How many events: the one in the middle is what most rows are about. */
export const sizes = (values.sizes ?? (isQuick ? '10000' : '10000,100000,1000000')).split(',').map(Number)
export const usualSize = sizes.includes(100_000) ? 100_000 : Math.max(...sizes)
