import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'

/** The origin of a request: requests of the same network or account wait for each other. */
export interface QueuePlace {
  network: string
  account: string
  /** Known users come before strangers. */
  isKnown: boolean
}

/** A user who is already signed in, or the program itself. */
export const trustedPlace: QueuePlace = { network: '', account: '', isKnown: true }

interface QueueItem extends QueuePlace {
  round: number
}

interface WaitingItem {
  item: QueueItem
  start(): void
  refuse(problem: Problem): void
}

/**
 * Serves networks and accounts in turn (start-time fair queueing): each further request of a network or account waits
 * one round longer, and the first of a new one is served in the next round, however many others wait. A full queue
 * refuses the request that would wait longest.
 */
export function newFairQueue({ atOnceMax, waitingMax }: { atOnceMax: number; waitingMax: number }) {
  const running = new Set<QueueItem>()
  const waiting: WaitingItem[] = []
  let round = 0

  function findRound({ network, account }: QueuePlace): number {
    let last = round
    for (const item of [...running, ...waiting.map(one => one.item)]) {
      if (item.network === network || (account !== '' && item.account === account)) last = Math.max(last, item.round)
    }
    return last + 1
  }

  /**
   * Takes the slot synchronously, also for a waiting request: a slot taken in a later event loop turn could be taken
   * twice.
   */
  function begin(item: QueueItem): void {
    running.add(item)
    if (!item.isKnown) round = Math.max(round, item.round)
  }

  async function enter(item: QueueItem): Promise<void> {
    if (running.size < atOnceMax) return begin(item)
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        begin(item)
        resolve()
      }
      waiting.push({ item, start, refuse: reject })
      waiting.sort(compareTurns)
      if (waiting.length > waitingMax) waiting.pop()?.refuse(newTooBusyProblem())
    })
  }

  return async function run<Result>(place: QueuePlace, work: () => Promise<Result>): Promise<Result> {
    const item: QueueItem = { ...place, round: findRound(place) }
    await enter(item)
    try {
      return await work()
    } finally {
      running.delete(item)
      waiting.shift()?.start()
    }
  }
}

/** Known users first, then by round; the sort is stable. */
function compareTurns({ item: one }: WaitingItem, { item: other }: WaitingItem): number {
  return Number(other.isKnown) - Number(one.isKnown) || one.round - other.round
}

const newTooBusyProblem = () =>
  new Problem(503, 'too-busy', buildText('auth-problems', 'tooBusy'), { headers: { 'retry-after': '2' } })
