import type { Environment, Sample, Workload } from './environment.ts'
import { measureMs, rounds, warmUpMs, warmUpRounds } from './options.ts'
import type { Row, Section } from './table.ts'

/** A workload for the load generator, or a program that measures itself. */
export type Measurement = Workload | (() => Promise<Sample>)

/** The samples of all rounds, by the name of the measurement. */
export type Results = Map<string, Sample[]>

/** Measures everything once in each round, so that a busy moment of the machine does not hit one measurement only. */
export async function measure(
  environment: Environment,
  measurements: Record<string, Measurement>,
  beforeRound = async () => {}
): Promise<Results> {
  const results: Results = new Map(Object.keys(measurements).map(name => [name, []]))
  for (let round = 1 - warmUpRounds; round <= rounds; round += 1) {
    await beforeRound()
    for (const [name, measurement] of Object.entries(measurements)) {
      const isWarmUp = round <= 0
      showProgress(`${name}, ${isWarmUp ? 'warming up' : `round ${round} of ${rounds}`}`)
      const sample =
        typeof measurement === 'function'
          ? await measurement()
          : await environment.load(measurement, isWarmUp ? warmUpMs : measureMs)
      if (!isWarmUp) results.get(name)?.push(sample)
    }
  }
  showProgress('')
  return results
}

/** Two measurements to compare by requests per second; floor and goal are ratios. */
export interface Comparison {
  section: Section
  name: string
  limit: string
  floor?: number
  goal?: number
}

/** The ratio is the median of the ratios of the rounds. */
export function compare(results: Results, { section, name, limit, floor, goal }: Comparison): Row {
  const [ours, theirs] = [results.get(name) ?? [], results.get(limit) ?? []]
  const ratios = ours.map((sample, round) => sample.perSecond / (theirs[round]?.perSecond ?? Number.NaN))
  return {
    section,
    name,
    against: limit,
    unit: 'per second',
    value: median(ours.map(sample => sample.perSecond)),
    limit: median(theirs.map(sample => sample.perSecond)),
    ratio: median(ratios),
    bound: { of: 'ratio', is: 'at least', floor: floor ?? null, goal: goal ?? null },
    cpu: {
      ours: median(ours.map(sample => sample.cpuMicroseconds)),
      limit: median(theirs.map(sample => sample.cpuMicroseconds)),
      database: median(ours.map(sample => sample.databaseMicroseconds))
    }
  }
}

export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

/** On a terminal, one line that says what is being measured. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.slice(0, 100).padEnd(100)}\r`)
}
