import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../access.ts'
import type { Database } from '../database.ts'
import { DatabaseAway } from '../database-server.ts'
import type { Log } from '../log.ts'
import { Problem } from '../problem.ts'
import type { Subject } from '../service.ts'
import { type Interest, type Listener, newListener, newSpelling } from './listener.ts'
import type { Recorded } from './queries.ts'
import * as live from './queries.ts'
import { cursorOf, isBehind, type Position, positionIn } from './schema.ts'

/** What another process wrote is heard of this late at most, unless a transaction that began before still runs. */
const pollMs = 1000
/** Between two looks at the record, however much is written. */
const spacingMs = 100
const beatMs = 15_000
const rowsAtOnce = 250
/** Who is further behind has to look at everything anew, which is less work for both. */
const behindMax = 10_000
/** For what is still on its way to somebody when the process stops. */
const farewellMs = 500

const listenersMax = 1000
const listenersOfAddressMax = 10

export interface Live {
  /** What somebody hears from now on, or from where they left. Refuses where too many listen. */
  join(newcomer: Newcomer): Readable
  /** Something was written through this process. */
  soon(): void
  count(): number
  /** Sends everybody away. */
  close(): void
}

export interface Newcomer {
  caller: Caller
  interest: Interest
  origin: string
  /** Where they left, as they say. */
  cursor: string | undefined
  /** What counts as one place; undefined for somebody at the machine itself, who is not counted. */
  address: string | undefined
  /** Who they are now: a key may be revoked while somebody listens. */
  identify(): Promise<Caller>
}

/** Reads the record for everybody who listens to this process, as long as somebody does. */
export function newLive(db: Database, subjects: Record<string, Subject>, log: Log): Live {
  const listeners = new Map<Listener, Newcomer>()
  const addresses = new Map<string, number>()
  /** What everybody has heard who is not catching up. */
  let end: Position | undefined
  let isRunning = false
  let isNudged = false
  let isAway = false
  let isClosing = false
  let wake = () => {}

  function soon(): void {
    isNudged = true
    wake()
  }

  async function run(): Promise<void> {
    isRunning = true
    while (listeners.size > 0) {
      isNudged = false
      try {
        await turn()
        isAway = false
      } catch (error) {
        if (!isAway) log.warn({ err: error }, 'the stream waits until the record can be read')
        isAway = true
      }
      await sleep(spacingMs)
      if (!isNudged && listeners.size > 0) await nudgedOrLater()
    }
    isRunning = false
    end = undefined
  }

  async function nudgedOrLater(): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, pollMs - spacingMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    wake = () => {}
  }

  async function turn(): Promise<void> {
    end ??= await begin()
    for (let isAll = false; !isAll; ) {
      const rows: Recorded[] | undefined = await live.listAfter(db, end, rowsAtOnce)
      if (rows === undefined) {
        end = await begin()
        continue
      }
      const some = all(listener => !listener.isCatchingUp)
      await tell(some, rows)
      for (const listener of some) listener.isCatchingUp = !hasHeard(listener, rows.at(-1))
      end = rows.at(-1) ?? end
      isAll = rows.length < rowsAtOnce
    }
    for (const listener of all(({ position }) => position === undefined)) await letIn(listener, end)
    const behind = all(listener => listener.isCatchingUp && listener.position !== undefined && listener.hasRoom())
    // Those who come again after a restart have mostly heard the same: they share what is read.
    for (const [, some] of groupedBy(behind, ({ position }) => cursorOf(position as Position))) await catchUp(some, end)
  }

  /** Finds the end of the record. Who was in a record that is not there any more, as after a restore, begins anew with it. */
  async function begin(): Promise<Position> {
    while ((await live.makeOld(db, behindMax)) > 0);
    const found = await live.findEnd(db)
    for (const listener of all(({ position }) => position !== undefined)) listener.reset(found)
    return found
  }

  async function letIn(listener: Listener, now: Position): Promise<void> {
    const cursor = listeners.get(listener)?.cursor
    const left = cursor === undefined ? now : positionIn(cursor)
    const isKnown = left !== undefined && (left === now || (await live.isNear(db, left, behindMax)))
    if (!isKnown) {
      listener.reset(now)
      return
    }
    listener.position = left
    listener.isCatchingUp = cursor !== undefined
    listener.beat()
  }

  async function catchUp(some: Listener[], now: Position): Promise<void> {
    const rows = await live.listAfter(db, some[0]?.position as Position, rowsAtOnce)
    if (rows === undefined) {
      for (const listener of some) listener.reset(now)
      return
    }
    await tell(some, rows)
    const isAll = rows.length < rowsAtOnce
    for (const listener of some) listener.isCatchingUp = !(isAll && hasHeard(listener, rows.at(-1)))
  }

  /**
   * All is looked up before anybody hears anything, so that a failure leaves everybody where they were. Who has no room for
   * all of it stays where that ends.
   */
  async function tell(some: Listener[], rows: Recorded[]): Promise<void> {
    const last = rows.at(-1)
    if (last === undefined) return
    const groups = await Promise.all(
      [...groupedBy(some, ({ origin }) => origin)].map(async ([origin, group]) => {
        const wanted = rows.filter(row => group.some(one => one.mayHear(row, subjects[row.subject]) !== 'nobody'))
        return { group, wanted, itemOf: await represent(wanted, origin) }
      })
    )
    for (const { group, wanted, itemOf } of groups) {
      const spelled = wanted.map(row => newSpelling(row, itemOf(row)))
      for (const listener of group) {
        let heard = ''
        const next = wanted.findIndex((row, index) => {
          if (!listener.hasRoom(heard.length)) return true
          heard += spelled[index]?.(listener.mayHear(row, subjects[row.subject])) ?? ''
          return false
        })
        const upTo = next === -1 ? last : wanted[next - 1]
        if (upTo !== undefined && !hasHeard(listener, upTo)) listener.position = { tx: upTo.tx, id: upTo.id }
        listener.send(heard)
      }
    }
  }

  /** What everybody may see of the things that rows are about: one question for each kind of thing. */
  async function represent(rows: Recorded[], origin: string): Promise<(row: Recorded) => object | undefined> {
    const bySubject = groupedBy(rows, ({ subject }) => subject)
    const found = new Map<string, Map<string, object>>()
    await Promise.all(
      [...bySubject].map(async ([subject, some]) => {
        const ids = [...new Set(some.map(({ subjectId }) => subjectId))]
        try {
          found.set(subject, (await subjects[subject]?.represent?.(db, ids, origin)) ?? new Map())
        } catch (error) {
          if (error instanceof DatabaseAway) throw error
          // A mistake of ours with one thing must not keep everybody from hearing of all others.
          log.error({ err: error, subject }, 'what the stream tells could not be put into words')
        }
      })
    )
    return ({ subject, subjectId }) => found.get(subject)?.get(subjectId)
  }

  function all(which: (listener: Listener) => boolean): Listener[] {
    return [...listeners.keys()].filter(which)
  }

  const timer = setInterval(() => {
    for (const [listener, newcomer] of listeners) {
      listener.beat()
      if (listener.caller.role !== undefined) void checkAgain(listener, newcomer)
    }
  }, beatMs).unref()

  async function checkAgain(listener: Listener, { identify }: Newcomer): Promise<void> {
    try {
      listener.caller = await identify()
    } catch (error) {
      if (error instanceof Problem) listener.end()
      else if (!(error instanceof DatabaseAway)) log.error({ err: error }, 'who listens could not be found out')
    }
  }

  return {
    join: newcomer => {
      const { caller, origin, interest, address } = newcomer
      if (isClosing || listeners.size >= listenersMax) throw noPlace()
      const ofAddress = address === undefined ? 0 : (addresses.get(address) ?? 0)
      if (ofAddress >= listenersOfAddressMax) throw tooManyOfAddress()

      const joined = newListener({ caller, origin, interest, onRoom: soon })
      listeners.set(joined, newcomer)
      if (address !== undefined) addresses.set(address, ofAddress + 1)
      joined.stream.once('close', () => {
        listeners.delete(joined)
        if (listeners.size === 0) wake()
        if (address === undefined) return
        const left = (addresses.get(address) ?? 1) - 1
        if (left === 0) addresses.delete(address)
        else addresses.set(address, left)
      })
      soon()
      if (!isRunning) void run()
      return joined.stream
    },
    soon,
    count: () => listeners.size,
    close: () => {
      isClosing = true
      clearInterval(timer)
      const left = [...listeners.keys()]
      for (const listener of left) listener.end()
      setTimeout(() => {
        for (const { stream } of left) stream.destroy()
      }, farewellMs).unref()
      wake()
    }
  }
}

function hasHeard({ position }: Listener, row: Position | undefined): boolean {
  return row === undefined || (position !== undefined && !isBehind(position, row))
}

function groupedBy<Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

const noPlace = () =>
  new Problem(
    503,
    'too-many-listeners',
    {
      en: 'No more can listen at the moment. Try again in a minute.',
      de: 'Im Augenblick können nicht mehr zuhören. Bitte in einer Minute noch einmal versuchen.'
    },
    { headers: { 'retry-after': '60' } }
  )

const tooManyOfAddress = () =>
  new Problem(
    429,
    'too-many-listeners',
    {
      en: `From one address ${listenersOfAddressMax} can listen at a time. Close one, or try again in a minute.`,
      de: `Von einer Adresse können ${listenersOfAddressMax} zugleich zuhören. Schließen Sie eine Verbindung, oder versuchen Sie es in einer Minute noch einmal.`
    },
    { headers: { 'retry-after': '60' } }
  )
