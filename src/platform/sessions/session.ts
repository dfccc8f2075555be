import type { FastifyRequest } from 'fastify'
import { type Caller, callerOfUser, countedAs, hashOfKey, isDirect } from '../access.ts'
import { record } from '../activity/activity.ts'
import { type Counted, countDown, countUp, forgetCount } from '../counters.ts'
import type { Database } from '../database.ts'
import { randomText } from '../keys/key.ts'
import { isPassword } from '../password.ts'
import { Problem } from '../problem.ts'
import * as users from '../users/queries.ts'
import { folded } from '../users/user.ts'
import * as sessions from './queries.ts'
import type { NewSession, SignIn } from './schema.ts'

/** Wrong attempts: a minute from one address, and in 15 minutes at one account, wherever they come from. */
const perAddress = { name: 'sign-ins-of-address', most: 10, windowSeconds: 60 }
const perEmail = { name: 'sign-ins-to-account', most: 20, windowSeconds: 900 }

/** Somebody whose password was right a moment ago. */
export interface SignedIn {
  id: number
  hash: string
}

/** Finds out whose address and password these are. Each attempt counts until it has turned out to be right. */
export async function recognise(
  db: Database,
  request: FastifyRequest,
  { email: given, password }: SignIn
): Promise<SignedIn> {
  const email = folded(given)
  const account = { ...perEmail, of: email }
  const address = isDirect(request) ? undefined : { ...perAddress, of: countedAs(request) }
  if (address !== undefined) await refuseBeyond(db, address)
  await refuseBeyond(db, account)

  const user = await users.findHash(db, { email })
  const isRight = await isPassword(password, user?.hash)
  if (user === undefined || !isRight) throw badSignIn()
  await Promise.all([forgetCount(db, account), address && countDown(db, address)])
  return user
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

async function refuseBeyond(db: Database, limit: Counted & { most: number }): Promise<void> {
  const { count, secondsLeft } = await countUp(db, limit)
  if (count > limit.most) throw tooManySignIns(secondsLeft)
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
