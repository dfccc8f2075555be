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
/** Whole seconds, because pgbench counts in them. */
export const sliceMs = 1000
/** Where the budgets are measured, and what else is looked at. */
export const busy = 32
export const connectionCounts = isQuick ? [busy] : [busy, 8, 1]
/** How many events: the one in the middle is what most rows are about. */
export const sizes = (values.sizes ?? (isQuick ? '10000' : '10000,100000,1000000')).split(',').map(Number)
export const usualSize = sizes.includes(100_000) ? 100_000 : Math.max(...sizes)
