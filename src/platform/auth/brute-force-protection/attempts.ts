import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { isLocalRequest } from '../../http/client-address.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import {
  type BackoffPolicy,
  type CounterKey,
  consumeAttempt,
  decrementCounter,
  incrementCounter,
  refundAttempt,
  resetCounter
} from '../../rate-limit/postgres-store.ts'
import type { QueuePlace } from '../passwords/fair-queue.ts'
import { isCorrectPassword } from '../passwords/password.ts'
import { getWidestNetwork, listNetworks, type Network } from './networks.ts'

/** Wrong passwords per device, session or address that are answered at once; then waits of 1, 2, 4 … 60 s follow. */
const freeAttempts = 10
const waitSecondsMax = 60
const windowSeconds = 3600
/** After each so many wrong anonymous attempts on an account, the wait of all anonymous attempts on it doubles. */
const attemptsPerLevel = 20

/** The source of an attempt: its counters, and its place in the queue. */
export interface AttemptSource {
  /** The key of the counter; no other source can use up its attempts. */
  key: string
  /** For anonymous sources: the account that they try, and the networks that they belong to. */
  account: string | undefined
  networks: Network[]
  queuePlace: QueuePlace
}

/** A device that has signed in to this account before. */
export function createDeviceSource(deviceToken: string): AttemptSource {
  return createKnownSource(`device ${deviceToken}`)
}

/** A signed-in user who has to enter the password again. */
export function createSessionSource(sessionId: number): AttemptSource {
  return createKnownSource(`session ${sessionId}`)
}

function createKnownSource(of: string): AttemptSource {
  return { key: of, account: undefined, networks: [], queuePlace: { network: of, account: of, isKnown: true } }
}

/** Any other source. An account that does not exist is counted like one that does. */
export function createAnonymousSource(request: FastifyRequest, settings: Settings, account: string): AttemptSource {
  const isLocal = isLocalRequest(request.raw, settings)
  const networks = isLocal ? [] : listNetworks(request.ip)
  const network = isLocal ? 'local' : getWidestNetwork(request.ip)
  const of = `stranger ${networks[0]?.prefix ?? 'local'} ${account}`
  return { key: of, account, networks, queuePlace: { network, account, isKnown: false } }
}

/**
 * Verifies a password. Every password check goes through here, so that guesses are counted: an attempt counts until it
 * turns out to be correct. Throws 429 if the attempt has to wait, and 503 if too many checks are running.
 */
export async function verifyPassword(
  db: Database,
  source: AttemptSource,
  password: string,
  hash: string | undefined
): Promise<boolean> {
  const turn = await beginAttempt(db, source)
  let isRight = false
  try {
    isRight = await isCorrectPassword(password, hash, source.queuePlace)
  } catch (error) {
    await Promise.all([...turn.counted.map(one => decrementCounter(db, one)), refundAttempt(db, turn.paced)])
    throw error
  }
  if (isRight) {
    await Promise.all([
      resetCounter(db, turn.paced),
      ...turn.counted.map(one => (one.name === accountCounterName ? resetCounter(db, one) : decrementCounter(db, one)))
    ])
  }
  return isRight
}

const accountCounterName = 'attempts-at-account'

async function beginAttempt(
  db: Database,
  source: AttemptSource
): Promise<{ counted: CounterKey[]; paced: BackoffPolicy }> {
  const counted: CounterKey[] = []
  const refuse = async (seconds: number) => {
    await Promise.all(counted.map(one => decrementCounter(db, one)))
    throw newTooManyAttemptsProblem(seconds)
  }
  // Narrowest network first, so that one address does not use up the attempts of its neighbours.
  for (const { prefix, perMinute } of source.networks) {
    const network = { name: 'attempts-of-network', of: prefix, windowSeconds: 60 }
    const { count, secondsLeft } = await incrementCounter(db, network)
    if (count > perMinute) return await refuse(secondsLeft)
    counted.push(network)
  }
  let leastWaitSeconds = 0
  if (source.account !== undefined) {
    const account = { name: accountCounterName, of: source.account, windowSeconds }
    const { count } = await incrementCounter(db, account)
    counted.push(account)
    leastWaitSeconds = getAnonymousWait(count)
  }
  const paced: BackoffPolicy = {
    ...{ name: 'attempts', of: source.key, windowSeconds },
    ...{ free: freeAttempts, waitSecondsMax, leastWaitSeconds }
  }
  const seconds = await consumeAttempt(db, paced)
  return seconds === 0 ? { counted, paced } : await refuse(seconds)
}

/** 0 for the first attempts on an account, then 1, 2, 4 … 60 s. */
function getAnonymousWait(count: number): number {
  const level = Math.floor((count - 1) / attemptsPerLevel)
  return level === 0 ? 0 : Math.min(waitSecondsMax, 2 ** (level - 1))
}

export const newTooManyAttemptsProblem = (seconds: number, code = 'too-many-sign-ins') =>
  new Problem(429, code, buildText('auth-problems', 'tooManyAttempts', { seconds }), {
    headers: { 'retry-after': String(seconds) }
  })
