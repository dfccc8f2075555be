import type { FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type Caller, callerOfUser, hashOfKey, isDirect } from '../access.ts'
import { record } from '../activity/activity.ts'
import type { Database } from '../database.ts'
import { randomText } from '../keys/key.ts'
import { countedAs } from '../limits.ts'
import { isPassword } from '../password.ts'
import { Problem } from '../problem.ts'
import * as users from '../users/queries.ts'
import { folded } from '../users/user.ts'
import * as sessions from './queries.ts'
import type { NewSession, SignIn } from './schema.ts'

/** Wrong attempts: a minute from one address, and in 15 minutes at one account, wherever they come from. */
const perAddress = { points: 10, duration: 60, keyPrefix: 'address' }
const perEmail = { points: 20, duration: 900, keyPrefix: 'email' }

/** Somebody whose password was right a moment ago. */
export interface SignedIn {
  id: number
  hash: string
}

/** Finds out whose address and password these are. Each attempt counts until it has turned out to be right. */
export function newDoorkeeper(db: Database): (request: FastifyRequest, input: SignIn) => Promise<SignedIn> {
  const addresses = new RateLimiterMemory(perAddress)
  const emails = new RateLimiterMemory(perEmail)

  return async (request, { email: given, password }) => {
    const email = folded(given)
    // The length of an address has a limit, its content has not: what is counted is its hash.
    const account = hashOfKey(email).toString('base64url')
    const address = isDirect(request) ? undefined : countedAs(request)
    if (address !== undefined) await counted(addresses, address)
    await counted(emails, account)

    const user = await users.findHash(db, { email })
    const isRight = await isPassword(password, user?.hash)
    if (user === undefined || !isRight) throw badSignIn()
    await emails.delete(account)
    if (address !== undefined) await addresses.reward(address)
    return user
  }
}

/** Makes the session of somebody who has just shown their password, and clears away those that have expired. */
export async function startSession(
  db: Database,
  { id, hash }: SignedIn,
  requestId: string,
  now = new Date()
): Promise<NewSession> {
  return await db.transaction(async tx => {
    const row = await users.holdWithHash(tx, id, hash)
    if (row === undefined) throw badSignIn()
    await sessions.removeExpired(tx, now)
    const { version: _, ...user } = row
    const finder = randomText(10)
    const token = `kls_${finder}_${randomText(32)}`
    const sessionId = await sessions.insert(tx, { finder, hash: hashOfKey(token), userId: id, now })
    const by = callerOfUser({ userId: id, id: sessionId, name: user.name, role: user.role }, requestId)
    await record(tx, by, now, 'session.started', { subject: 'session', id: sessionId })
    return { token, expiresAt: sessions.expiryOf({ createdAt: now, lastUsedAt: now }), user }
  })
}

export async function endSession(db: Database, by: Caller, id: number, now = new Date()): Promise<void> {
  await db.transaction(async tx => {
    if ((await sessions.remove(tx, id)) === 0) return
    await record(tx, by, now, 'session.ended', { subject: 'session', id })
  })
}

async function counted(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    throw tooManySignIns(Math.ceil(refused.msBeforeNext / 1000))
  }
}

/** The same whether there is such an account or not. */
const badSignIn = () =>
  new Problem(401, 'bad-sign-in', {
    en: 'E-mail address or password is wrong.',
    de: 'E-Mail-Adresse oder Passwort ist falsch.'
  })

const tooManySignIns = (seconds: number) =>
  new Problem(
    429,
    'too-many-sign-ins',
    {
      en: `Too many wrong attempts to sign in. Try again in ${seconds} seconds.`,
      de: `Zu viele falsche Anmeldungen. Bitte in ${seconds} Sekunden noch einmal versuchen.`
    },
    { headers: { 'retry-after': String(seconds) } }
  )
