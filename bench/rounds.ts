import type { Lab, Sample, Work } from './lab.ts'
import { connectionCounts, rounds, warmUpMs, warmUps } from './options.ts'
import type { Row } from './table.ts'

/** Something that is measured at a number of connections: work for the load generator, or a program of its own. */
export type Measurement = Work | ((connections: number) => Promise<Sample>)

/** What every round measured, by name and number of connections. */
export type Results = Map<string, Sample[]>

/** Measures everything once in every round, so that a busy moment of the machine does not hit one thing only. */
export async function measure(
  lab: Lab,
  measurements: Record<string, Measurement>,
  {
    at = connectionCounts,
    alsoFirst = {},
    before = async () => {}
  }: {
    at?: number[]
    /** Measured at the first number of connections only. */
    alsoFirst?: Record<string, Measurement>
    before?: () => Promise<void>
  } = {}
): Promise<Results> {
  const results: Results = new Map()
  for (const [index, connections] of at.entries()) {
    for (let round = index === 0 ? 1 - warmUps : 1; round <= rounds; round += 1) {
      await before()
      for (const [name, measurement] of Object.entries({ ...measurements, ...(index === 0 ? alsoFirst : {}) })) {
        progress(`${name}, ${connections} connections, ${round <= 0 ? 'warming up' : `round ${round} of ${rounds}`}`)
        const sample =
          typeof measurement === 'function'
            ? await measurement(connections)
            : await lab.load(measurement, connections, round <= 0 ? warmUpMs : undefined)
        if (round <= 0) continue
        const key = `${name} ${connections}`
        results.set(key, [...(results.get(key) ?? []), sample])
      }
    }
  }
  progress('')
  return results
}

/** What is measured, against what; floor and goal are those of the first number of connections. */
export interface Comparison {
  what: string
  limit: string
  floor?: number
  goal?: number
  at?: number[]
}

/** The rows of a comparison, one for each number of connections. The ratio is the median of those of each round. */
export function compared(results: Results, { what, limit, floor, goal, at = connectionCounts }: Comparison): Row[] {
  return at.map((connections, index) => {
    const ours = results.get(`${what} ${connections}`) ?? []
    const theirs = results.get(`${limit} ${connections}`) ?? []
    const each = ours.map((sample, round) => sample.perSecond / (theirs[round]?.perSecond ?? Number.NaN))
    return {
      name: what,
      against: limit,
      connections,
      unit: 'per second',
      value: medianOf(ours.map(sample => sample.perSecond)),
      limit: medianOf(theirs.map(sample => sample.perSecond)),
      ratio: medianOf(each),
      floor: index === 0 ? (floor ?? null) : null,
      goal: index === 0 ? (goal ?? null) : null,
      cpu: {
        ours: medianOf(ours.map(sample => sample.cpuMicroseconds)),
        limit: medianOf(theirs.map(sample => sample.cpuMicroseconds)),
        database: medianOf(ours.map(sample => sample.databaseMicroseconds))
      }
    }
  })
}

export function medianOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

/** On a terminal one line that tells what goes on. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.slice(0, 100).padEnd(100)}\r`)
}
