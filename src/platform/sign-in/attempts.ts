import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { type Counted, countDown, countUp, forgetCount, giveTurnBack, type Paced, takeTurn } from '../counters.ts'
import type { Database } from '../database.ts'
import { isDirect } from '../local/direct.ts'
import { isPassword } from '../password.ts'
import { Problem } from '../problem.ts'
import type { Place } from './fair-queue.ts'
import { getWidestNetwork, listNetworks, type Network } from './networks.ts'

/** Wrong passwords of one device, session or address are answered at once this often, then after waits of 1, 2, 4 … 60 s. */
const freeAttempts = 10
const waitSecondsMax = 60
/** How long wrong attempts are remembered. */
const windowSeconds = 3600
/** For each of so many wrong attempts of strangers at an account, the wait of all strangers there doubles. */
const attemptsPerLevel = 20

/** Where an attempt comes from: what it is counted as, and when it has its turn. */
export interface Lane {
  /** Nobody but who has this uses up its attempts. */
  of: string
  /** Of strangers: the account that they try, and the networks that they belong to. */
  account: string | undefined
  networks: Network[]
  place: Place
}

/** A device with which somebody has signed in to this account before. */
export function createDeviceLane(deviceToken: string): Lane {
  return createKnownLane(`device ${deviceToken}`)
}

/** Somebody who has signed in, and is asked for the password once more. */
export function createSessionLane(sessionId: number): Lane {
  return createKnownLane(`session ${sessionId}`)
}

function createKnownLane(of: string): Lane {
  return { of, account: undefined, networks: [], place: { network: of, account: of, isKnown: true } }
}

/** Anybody else. An account that does not exist is counted like one that does. */
export function createStrangerLane(request: FastifyRequest, settings: Settings, account: string): Lane {
  const isLocal = isDirect(request.raw, settings)
  const networks = isLocal ? [] : listNetworks(request.ip)
  const network = isLocal ? 'local' : getWidestNetwork(request.ip)
  const of = `stranger ${networks[0]?.prefix ?? 'local'} ${account}`
  return { of, account, networks, place: { network, account, isKnown: false } }
}

/**
 * Is this the password? Every question about a password goes through here, so that guesses are counted: an attempt counts until it
 * has turned out to be right. Throws 429 for an attempt that has to wait, and 503 if too many are being looked at.
 */
export async function verifyPassword(
  db: Database,
  lane: Lane,
  password: string,
  hash: string | undefined
): Promise<boolean> {
  const turn = await begin(db, lane)
  let isRight = false
  try {
    isRight = await isPassword(password, hash, lane.place)
  } catch (error) {
    await Promise.all([...turn.counted.map(one => countDown(db, one)), giveTurnBack(db, turn.paced)])
    throw error
  }
  if (isRight) {
    await Promise.all([
      forgetCount(db, turn.paced),
      ...turn.counted.map(one => (one.name === accountName ? forgetCount(db, one) : countDown(db, one)))
    ])
  }
  return isRight
}

const accountName = 'attempts-at-account'

async function begin(db: Database, lane: Lane): Promise<{ counted: Counted[]; paced: Paced }> {
  const counted: Counted[] = []
  const refuse = async (seconds: number) => {
    await Promise.all(counted.map(one => countDown(db, one)))
    throw tooManyAttempts(seconds)
  }
  // The narrowest first, so that one address does not use up what its neighbours have.
  for (const { prefix, perMinute } of lane.networks) {
    const network = { name: 'attempts-of-network', of: prefix, windowSeconds: 60 }
    const { count, secondsLeft } = await countUp(db, network)
    if (count > perMinute) return await refuse(secondsLeft)
    counted.push(network)
  }
  let leastWaitSeconds = 0
  if (lane.account !== undefined) {
    const account = { name: accountName, of: lane.account, windowSeconds }
    const { count } = await countUp(db, account)
    counted.push(account)
    leastWaitSeconds = getWaitOfStrangers(count)
  }
  const paced: Paced = {
    ...{ name: 'attempts', of: lane.of, windowSeconds },
    ...{ free: freeAttempts, waitSecondsMax, leastWaitSeconds }
  }
  const seconds = await takeTurn(db, paced)
  return seconds === 0 ? { counted, paced } : await refuse(seconds)
}

/** 0 for the first attempts at an account, then 1, 2, 4 … 60 s. */
function getWaitOfStrangers(count: number): number {
  const level = Math.floor((count - 1) / attemptsPerLevel)
  return level === 0 ? 0 : Math.min(waitSecondsMax, 2 ** (level - 1))
}

export const tooManyAttempts = (seconds: number, code = 'too-many-sign-ins') =>
  new Problem(
    429,
    code,
    {
      en: `Too many wrong attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      de: `Zu viele falsche Versuche. Bitte in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} noch einmal versuchen.`
    },
    { headers: { 'retry-after': String(seconds) } }
  )
