import type { Answered } from '../log.ts'
import type { Ground } from './ground.ts'
import { type Asked, isSame } from './key.ts'

/** An answer as it is sent, without what belongs to one request. */
export interface Content {
  bytes: Buffer
  headers: Record<string, number | string | string[] | undefined>
}

export interface Kept extends Content, Ground {
  key: string
  isGone: boolean
  /** Since the shelf was last looked through for room. */
  wasUsed: boolean
  ways: Way[]
  heldBytes: number
  /** The same as it is sent: if there are few, as text of one byte each, which goes out in one piece with the head. */
  body?: string | Buffer
}

/** The whole answer to a request as it goes over the wire. */
export interface Way {
  asked: Asked
  kept: Kept
  whole: Form
  /** For who has it already. */
  unchanged: Form
  etag: string
  body: string | Buffer
  route: string
}

export interface Form {
  status: number
  /** The first line and those that are the same every time, up to the id of the request. */
  head: string
  /** For the log, of a GET. */
  answered: Answered
}

export interface Shelf {
  /** Another number after each change. */
  moment(): number
  find(key: string): Kept | undefined
  /**
   * Keeps what was asked for at a moment, unless something that it rests on has changed since, it is too large, or nobody
   * has asked for it before: what is wanted once, as by those who put something new into every address, is not worth room.
   */
  put(key: string, content: Content, ground: Ground, askedAt: number): Kept | undefined
  /** Another way to the same answer. */
  addWay(way: Way): void
  findWay(asked: Asked): Way | undefined
  /** Forgets what rests on one of these names. */
  touch(names: Iterable<string> | 'everything'): void
  answers(): number
  bytes(): number
}

/** Room for the whole is better than for one answer: what is larger is made anew each time. */
const answerBytesMax = 1_048_576
/** What an answer, and a way to it, take besides their texts; measured roughly, to the safe side. */
const overheadBytes = 1500
/** To one address: browsers spell languages in many ways. */
const waysMax = 200
/** Of what was asked for, so many are remembered at least, and twice as many at most. */
const askedMax = 10_000
/** Names of things that were touched; beyond that one moment stands for all. */
const touchedMax = 10_000

export function newShelf(bytesMax: number, now: () => number = () => performance.now()): Shelf {
  const kept = new Map<string, Kept>()
  /** By address: a text that is put together for each request would be read anew each time. */
  const ways = new Map<string, Way[]>()
  const onGround = new Map<string, Set<Kept>>()
  const touchedAt = new Map<string, number>()
  let asked = new Set<number>()
  let askedEarlier = new Set<number>()
  let allTouchedAt = 0
  let moment = 0
  let heldBytes = 0

  function remove(one: Kept): void {
    one.isGone = true
    heldBytes -= one.heldBytes
    kept.delete(one.key)
    for (const way of one.ways) takeOut(way)
    for (const name of one.names) {
      const all = onGround.get(name)
      all?.delete(one)
      if (all?.size === 0) onGround.delete(name)
    }
  }

  const findWay = (asked: Asked) => ways.get(asked.url)?.find(way => isSame(way.asked, asked))

  function takeOut(way: Way): void {
    const { url } = way.asked
    const others = ways.get(url)?.filter(other => other !== way) ?? []
    if (others.length === 0) ways.delete(url)
    else ways.set(url, others)
  }

  function hold(one: Kept, bytes: number): void {
    one.heldBytes += bytes
    heldBytes += bytes
    if (heldBytes > bytesMax) makeRoom()
  }

  /** What was asked for since the last time gets a second chance; the rest goes, oldest first. */
  function makeRoom(): void {
    for (const one of kept.values()) {
      if (heldBytes <= bytesMax) return
      if (one.wasUsed && now() < one.untilMs) {
        one.wasUsed = false
        kept.delete(one.key)
        kept.set(one.key, one)
      } else remove(one)
    }
  }

  function isAskedAgain(key: string): boolean {
    const print = printOf(key)
    if (asked.has(print)) return true
    if (asked.size >= askedMax) {
      askedEarlier = asked
      asked = new Set()
    }
    asked.add(print)
    return askedEarlier.has(print)
  }

  function isUntouched(names: readonly string[], since: number): boolean {
    return allTouchedAt <= since && names.every(name => (touchedAt.get(name) ?? 0) <= since)
  }

  return {
    moment: () => moment,

    find: key => {
      const found = kept.get(key)
      if (found === undefined) return undefined
      if (now() >= found.untilMs) {
        remove(found)
        return undefined
      }
      found.wasUsed = true
      return found
    },

    put: (key, content, { names, untilMs }, askedAt) => {
      if (now() >= untilMs || !isUntouched(names, askedAt)) return undefined
      const size = content.bytes.length
      if (size > answerBytesMax || size > bytesMax / 4 || !isAskedAgain(key)) return undefined
      const before = kept.get(key)
      if (before !== undefined) remove(before)
      const one: Kept = { ...content, key, names, untilMs, isGone: false, wasUsed: false, ways: [], heldBytes: 0 }
      kept.set(key, one)
      for (const name of names) {
        const all = onGround.get(name)
        if (all === undefined) onGround.set(name, new Set([one]))
        else all.add(one)
      }
      hold(one, size + 2 * key.length + overheadBytes)
      return one.isGone ? undefined : one
    },

    addWay: way => {
      const { asked, kept: one, body } = way
      if (one.isGone || one.ways.length >= waysMax || findWay(asked) !== undefined) return
      const [oldest, ...others] = ways.get(asked.url) ?? []
      // Whoever makes up hosts does not keep the others out.
      if (oldest !== undefined && others.length + 1 >= waysMax) {
        if (oldest.kept === one) return
        remove(oldest.kept)
      }
      one.ways.push(way)
      ways.set(asked.url, [...(ways.get(asked.url) ?? []), way])
      const { url, host = '', languages = '', proxied = '' } = asked
      const letters = url.length + host.length + languages.length + proxied.length
      // All ways share the text of the body.
      hold(one, (one.ways.length === 1 && typeof body === 'string' ? body.length : 0) + 2 * letters + overheadBytes)
    },

    findWay,

    touch: names => {
      moment += 1
      if (names === 'everything' || touchedAt.size > touchedMax) {
        allTouchedAt = moment
        touchedAt.clear()
        kept.clear()
        ways.clear()
        for (const all of onGround.values()) for (const one of all) one.isGone = true
        onGround.clear()
        heldBytes = 0
        return
      }
      for (const name of names) {
        touchedAt.set(name, moment)
        for (const one of onGround.get(name) ?? []) remove(one)
      }
    },

    answers: () => kept.size,
    bytes: () => heldBytes
  }
}

/** A number for a text (FNV-1a), because texts that somebody else chooses may be long. Another that has the same does no harm. */
function printOf(text: string): number {
  let print = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) print = Math.imul(print ^ text.charCodeAt(at), 0x01000193)
  return print >> 1
}
