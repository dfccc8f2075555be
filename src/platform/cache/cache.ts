import type { Change } from '../changes.ts'
import type { Store } from '../database.ts'
import type { Metrics } from '../metrics.ts'
import type { Subject } from '../service.ts'
import { follow } from './following.ts'
import type { Ground } from './ground.ts'
import type { Asked } from './key.ts'
import { newNotices } from './notices.ts'
import { type Content, type Kept, newShelf, type Way } from './shelf.ts'

/** What has changed, by the names that answers rest on. */
export type Touched = Set<string> | 'everything'

/** Answers to visitors, kept in memory until something that they rest on changes. */
export interface Cache {
  /** Another number after each change of anything, by whomever. */
  moment(): number
  /** What is kept under a key; after a pause only when it is known what others wrote meanwhile. */
  recall(key: string): Kept | undefined | Promise<Kept | undefined>
  /** Resolves when it is known what is written from now on; undefined if that is so already. */
  begin(): Promise<boolean> | undefined
  keep(key: string, content: Content, ground: Ground, askedAt: number): Kept | undefined
  addWay(way: Way): void
  /** The way to what was asked, if it may be sent as it is now. */
  findWay(asked: Asked, nowMs: number): Way | undefined
  /** Calls when something has changed, whoever changed it. */
  onChange(listener: (touched: Touched) => void): void
  close(): Promise<void>
}

/** Undefined where no memory is given for it. */
export function newCache(
  store: Store,
  {
    megabytes,
    subjects,
    metrics,
    onSite
  }: { megabytes: number; subjects: Record<string, Subject>; metrics: Metrics; onSite: () => Promise<void> }
): Cache | undefined {
  if (megabytes === 0) return undefined
  const shelf = newShelf(megabytes * 1_048_576)
  const listeners: ((touched: Touched) => void)[] = []
  const figures = { found: 0, missed: 0 }
  metrics.watch('kalends_cached_answers', 'Answers to visitors that are kept in memory.', shelf.answers)
  metrics.watch('kalends_cached_bytes', 'Memory that they take.', shelf.bytes)
  metrics.watch('kalends_cache_hits', 'Requests that were answered with one of them.', () => figures.found)
  metrics.watch('kalends_cache_misses', 'Requests that could have been, if it had been there.', () => figures.missed)

  function change(changes: Change[] | 'everything'): void {
    const touched = changes === 'everything' ? changes : touchedBy(changes, subjects)
    shelf.touch(touched)
    for (const listener of listeners) listener(touched)
    // Settings are part of every key, so what was made with those of before is found no more.
    const isOfSite = changes === 'everything' || changes.some(({ subject }) => subject === 'site')
    if (isOfSite && following.hasBegun()) void onSite()
  }
  const following = follow(store, change)
  const notices = newNotices(store, following.hint)
  const stop = store.onCommit(changes => {
    change(changes)
    notices.tell()
  })

  return {
    moment: shelf.moment,

    recall: key => {
      const found = shelf.find(key)
      if (found === undefined) {
        figures.missed += 1
        return undefined
      }
      figures.found += 1
      if (following.isTrusted()) return found
      return following.catchUp().then(isKnown => (isKnown && !found.isGone ? found : undefined))
    },

    begin: () => {
      notices.listen()
      return following.hasBegun() ? undefined : following.catchUp()
    },
    keep: shelf.put,
    addWay: shelf.addWay,

    findWay: (asked, nowMs) => {
      const way = shelf.findWay(asked)
      if (way === undefined || nowMs >= way.kept.untilMs || !following.isTrusted(nowMs)) return undefined
      figures.found += 1
      way.kept.wasUsed = true
      return way
    },

    onChange: listener => void listeners.push(listener),
    close: async () => {
      stop()
      await notices.close()
    }
  }
}

/** What nobody says anything of may have changed everything. */
function touchedBy(changes: Change[], subjects: Record<string, Subject>): Touched {
  const touched = new Set<string>()
  for (const change of changes) {
    const names = subjects[change.subject]?.touches?.(change)
    if (names === undefined) return 'everything'
    for (const name of names) touched.add(name)
  }
  return touched
}
