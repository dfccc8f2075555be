// Model-based tests: after any sequence of actions the program must agree with a simple model of the rules.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Effort, Finding } from './checks.ts'
import { toFinding } from './checks.ts'

/** One action on the model and on the program, with a comparison of the results. */
export type CommandRun<Model, Real> = (model: Model, real: Real) => Promise<void>

/** A command with a name, which is printed in a failing sequence. */
export function newCommand<Model extends object, Real>(
  name: string,
  run: CommandRun<Model, Real>
): fc.AsyncCommand<Model, Real> {
  return { check: () => true, run, toString: () => name }
}

/** Picks an item by number modulo the length; undefined for an empty list. */
export function pickByNumber<Item>(list: Item[], number: number): Item | undefined {
  return list[number % Math.max(1, list.length)]
}

export async function runModel<Model extends object, Real>(
  name: string,
  { seed, cases }: Effort,
  steps: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[],
  { begin, end }: { begin(): { model: Model; real: Real }; end: CommandRun<Model, Real> }
): Promise<Finding> {
  let stepCount = 0
  const property = fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async commands => {
    const { model, real } = begin()
    await fc.asyncModelRun(() => ({ model, real }), commands)
    await end(model, real)
    stepCount += [...commands].length
  })
  const { failed, counterexample, counterexamplePath, errorInstance, numRuns } = await fc.check(property, {
    seed,
    numRuns: cases
  })
  return toFinding(
    name,
    `${numRuns} sequences with ${stepCount} steps, seed ${seed}`,
    'the program agrees with the model after every sequence',
    failed ? [`seed ${seed}, path ${counterexamplePath}: ${counterexample} ${errorInstance}`] : []
  )
}

/** Asserts the status, and names the action in the message. */
export function expectStatus(response: { status: number; text: string }, expected: number, what: string): void {
  assert.equal(response.status, expected, `${what}: ${response.text.slice(0, 300)}`)
}
