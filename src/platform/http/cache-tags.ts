/** Cache tags of a response, and how long it is valid even if none of them is invalidated. */
export interface CacheTags {
  /** Tags that changes invalidate: a service (`calendar`), or a resource in it (`campaign 5`). */
  tags: readonly string[]
  /** In `performance.now()` time, which setting the system clock does not change. */
  untilMs: number
}

const tagsByResponse = new WeakMap<object, CacheTags>()

/** Sets the cache tags of a response; keyed by Node's response object, because pages see nothing else of it. */
export function setCacheTags({ raw }: { raw: object }, tags: CacheTags): void {
  tagsByResponse.set(raw, tags)
}

export function getCacheTags({ raw }: { raw: object }): CacheTags | undefined {
  return tagsByResponse.get(raw)
}

/** Tags of a response composed of several others; undefined if the tags of one of them are unknown. */
export function mergeCacheTags(all: (CacheTags | undefined)[], untilMs: number): CacheTags | undefined {
  const names = new Set<string>()
  let least = untilMs
  for (const tags of all) {
    if (tags === undefined) return undefined
    for (const name of tags.tags) names.add(name)
    least = Math.min(least, tags.untilMs)
  }
  return { tags: [...names], untilMs: least }
}

/** The cache tags that a change invalidates. */
export type InvalidatedTags = Set<string> | 'everything'
