/** What an answer rests on, and for how long it holds even if nothing of that changes. */
export interface CacheTags {
  /** Names that changes touch: a service (`calendar`), or a thing in it (`campaign 5`). */
  tags: readonly string[]
  /** On the clock of `performance.now()`, which nobody sets. */
  untilMs: number
}

const tagsByResponse = new WeakMap<object, CacheTags>()

/** Says what the answer to a request rests on; known by Node's own response, because that is all that pages get to see. */
export function setCacheTags({ raw }: { raw: object }, ground: CacheTags): void {
  tagsByResponse.set(raw, ground)
}

export function getCacheTags({ raw }: { raw: object }): CacheTags | undefined {
  return tagsByResponse.get(raw)
}

/** Of what was put together from several answers; undefined if nobody knows what one of them rests on. */
export function mergeCacheTags(all: (CacheTags | undefined)[], untilMs: number): CacheTags | undefined {
  const names = new Set<string>()
  let least = untilMs
  for (const ground of all) {
    if (ground === undefined) return undefined
    for (const name of ground.tags) names.add(name)
    least = Math.min(least, ground.untilMs)
  }
  return { tags: [...names], untilMs: least }
}

/** What has changed, by the names that answers rest on. */
export type InvalidatedTags = Set<string> | 'everything'
