import type { Environment, Sample, Workload } from './environment.ts'
import { measureMs, rounds, steadyGain, warmUpMs, warmUpsMax } from './options.ts'
import type { Row, Section } from './table.ts'

/** A workload for the load generator, or a program that measures itself. */
export type Measurement = Workload | (() => Promise<Sample>)

/** The samples of all rounds, by the name of the measurement. */
export type Results = Map<string, Sample[]>

/**
 * Warms up each measurement until it gets no faster, then measures everything once in each round, so that a busy moment of
 * the machine does not hit one measurement only.
 */
export async function measure(
  environment: Environment,
  measurements: Record<string, Measurement>,
  beforeRound = async () => {}
): Promise<Results> {
  const results: Results = new Map(Object.keys(measurements).map(name => [name, []]))
  const take = async (measurement: Measurement, ms: number) =>
    typeof measurement === 'function' ? await measurement() : await environment.load(measurement, ms)
  await beforeRound()
  for (const [name, measurement] of Object.entries(measurements)) {
    showProgress(`${name}, warming up`)
    await warmUp(async () => (await take(measurement, warmUpMs)).perSecond)
  }
  for (let round = 1; round <= rounds; round += 1) {
    await beforeRound()
    for (const [name, measurement] of Object.entries(measurements)) {
      showProgress(`${name}, round ${round} of ${rounds}`)
      const ownMs = typeof measurement === 'function' ? undefined : measurement.sampleMs
      results.get(name)?.push(await take(measurement, ownMs ?? measureMs))
    }
  }
  showProgress('')
  return results
}

/** V8 compiles what is used often, which takes many seconds on a slow machine. Ends when two samples bring no more. */
async function warmUp(sample: () => Promise<number>): Promise<void> {
  let best = await sample()
  let withoutGain = 0
  for (let count = 1; count < warmUpsMax && withoutGain < 2; count += 1) {
    const perSecond = await sample()
    withoutGain = perSecond > best * steadyGain ? 0 : withoutGain + 1
    best = Math.max(best, perSecond)
  }
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
