/** What an answer rests on, and for how long it holds even if nothing of that changes. */
export interface Ground {
  /** Names that changes touch: a service (`calendar`), or a thing in it (`campaign 5`). */
  names: readonly string[]
  /** On the clock of `performance.now()`, which nobody sets. */
  untilMs: number
}

const grounds = new WeakMap<object, Ground>()

/** Says what the answer to a request rests on; known by Node's own response, because that is all that pages get to see. */
export function restOn({ raw }: { raw: object }, ground: Ground): void {
  grounds.set(raw, ground)
}

export function groundOf({ raw }: { raw: object }): Ground | undefined {
  return grounds.get(raw)
}

/** Of what was put together from several answers; undefined if nobody knows what one of them rests on. */
export function commonGround(all: (Ground | undefined)[], untilMs: number): Ground | undefined {
  const names = new Set<string>()
  let least = untilMs
  for (const ground of all) {
    if (ground === undefined) return undefined
    for (const name of ground.names) names.add(name)
    least = Math.min(least, ground.untilMs)
  }
  return { names: [...names], untilMs: least }
}
