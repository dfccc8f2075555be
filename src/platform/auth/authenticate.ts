import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { type Caller, challengeHeaders, newUserCaller, newVisitor, noIds } from '../caller.ts'
import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { canHaveLocalCallers, getRateLimitKey, isLocalRequest } from '../http/client-address.ts'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import { incrementCounter } from '../rate-limit/postgres-store.ts'
import * as setup from '../setup/queries.ts'
import * as keys from './keys/queries.ts'
import { isLocalCaller } from './local-access/local-caller.ts'
import { isPeerOwnUser } from './local-access/peer-process.ts'
import { hasHadCredentials } from './local-access/queries.ts'
import { requireEnrolment } from './second-factor/enrolment.ts'
import * as sessions from './sessions/queries.ts'
import { hashToken } from './tokens/token.ts'

export interface Authenticator {
  /** Returns the caller, at once for most visitors; rejects invalid credentials. */
  authenticate(request: FastifyRequest): Caller | Promise<Caller>
  /** True until the first credentials exist: until then local callers may use the services of the specifications. */
  isProtectedMode(): Promise<boolean>
  /** True once every request without credentials is anonymous for good. */
  isProtectedModeOver(): boolean
  /** Writes the buffered last uses of keys and sessions. */
  close(): Promise<void>
}

/** How often last uses are written; they are buffered, so that a read does not cause a write. */
const lastUseIntervalMs = 30_000
/** While no key or user exists, reads may use a result this old; writes always query the database. */
const protectedModeCacheMs = 1000
/** Wrong keys per minute and address that are refused at once; further ones are delayed. */
const wrongKeysMax = 10
const pauseMs = 1000
/** Delayed requests per address; beyond that, keys are refused without a lookup. */
const pausedMax = 10

export function newAuthenticator(db: Database, settings: Settings): Authenticator {
  const adminKey =
    settings.adminKey === undefined ? undefined : { plain: settings.adminKey, unspaced: stripSpaces(settings.adminKey) }

  let hasCredentials = adminKey !== undefined
  let checkedAt = 0
  async function isProtectedMode(exactly: boolean): Promise<boolean> {
    if (hasCredentials) return false
    const now = Date.now()
    if (exactly || now - checkedAt > protectedModeCacheMs) {
      hasCredentials = await hasHadCredentials(db)
      checkedAt = now
    }
    return !hasCredentials
  }

  /** In protected mode a local caller is admin, but only for routes of the specifications. */
  async function isLocal(request: FastifyRequest): Promise<boolean> {
    if (request.routeConfig.isSpecified !== true || !isLocalCaller(request, settings)) return false
    const reading = request.method === 'GET' || request.method === 'HEAD'
    return (await isProtectedMode(!reading)) && (await isPeerOwnUser(request.socket))
  }

  const keyUses = newLastUseBuffer(async uses => await keys.setLastUses(db, uses))
  const sessionUses = newLastUseBuffer(async uses => await sessions.setLastUses(db, uses))
  const writeLastUses = async () => {
    await Promise.all([keyUses.write(), sessionUses.write()])
  }
  const timer = setInterval(() => void writeLastUses().catch(ignoreUntilNextWrite), lastUseIntervalMs).unref()

  const paused = new Map<string, number>()

  function refuseWhenPaused(address: string): void {
    if ((paused.get(address) ?? 0) < pausedMax) return
    throw new Problem(429, 'too-many-wrong-keys', buildText('auth-problems', 'tooManyWrongKeys'), {
      headers: { 'retry-after': '2' }
    })
  }

  async function refuseWrongKey(
    request: FastifyRequest,
    reason: 'wrongKey' | 'wrongSetupToken' | 'sessionEnded' = 'wrongKey'
  ): Promise<never> {
    if (!isLocalRequest(request.raw, settings)) {
      const address = getRateLimitKey(request)
      const { count } = await incrementCounter(db, { name: 'wrong-keys', of: address, windowSeconds: 60 })
      if (count > wrongKeysMax) {
        // Check again: concurrent requests have all passed the first check.
        refuseWhenPaused(address)
        paused.set(address, (paused.get(address) ?? 0) + 1)
        await sleep(pauseMs)
        const left = (paused.get(address) ?? 1) - 1
        if (left === 0) paused.delete(address)
        else paused.set(address, left)
      }
    }
    throw new Problem(401, 'bad-credentials', buildText('auth-problems', reason), { headers: challengeHeaders })
  }

  async function identify(request: FastifyRequest): Promise<Caller> {
    const requestId = request.id
    const { authorization } = request.headers
    if (authorization === undefined) {
      if (!hasCredentials && (await isLocal(request))) return { ...noIds, role: 'admin', name: 'local', requestId }
      const visitor = newVisitor(requestId)
      const { requires = 'public' } = request.routeConfig
      return requires !== 'public' && (await isProtectedMode(false)) ? { ...visitor, lacksSetupToken: true } : visitor
    }

    if (!isLocalRequest(request.raw, settings)) refuseWhenPaused(getRateLimitKey(request))

    const given = parseAuthorization(authorization)
    if (given === undefined) return await refuseWrongKey(request)
    if (adminKey !== undefined && (isSameSecret(given, adminKey.plain) || isSameSecret(given, adminKey.unspaced))) {
      return { ...noIds, role: 'admin', name: 'ADMIN_KEY', requestId }
    }
    if (setupTokenPattern.test(given)) {
      if (!(await setup.isUsable(db, hashToken(given), new Date())))
        return await refuseWrongKey(request, 'wrongSetupToken')
      return { ...noIds, role: 'admin', name: 'setup token', requestId }
    }
    const sessionPrefix = sessionTokenPattern.exec(given)?.[1]
    if (sessionPrefix !== undefined) {
      const session = await sessions.findUsable(db, sessionPrefix, new Date())
      if (session === undefined || !timingSafeEqual(session.hash, hashToken(given))) {
        return await refuseWrongKey(request, 'sessionEnded')
      }
      sessionUses.add(session.id)
      requireEnrolment(session, request.routeOptions.url)
      return newUserCaller(session, requestId)
    }
    const keyPrefix = parseKeyPrefix(given)
    const key = keyPrefix === undefined ? undefined : await keys.findUsable(db, keyPrefix, new Date())
    if (key === undefined || !timingSafeEqual(key.hash, hashToken(given))) return await refuseWrongKey(request)
    keyUses.add(key.id)
    const maker = key.madeBy === null ? {} : { makerId: key.madeBy }
    return { ...noIds, role: key.role, name: `key ${key.id} (${key.name})`, keyId: key.id, requestId, ...maker }
  }

  return {
    isProtectedMode: async () => await isProtectedMode(true),
    isProtectedModeOver: () => {
      if (!canHaveLocalCallers(settings)) return true
      // Check in the background, because remote visitors never trigger the check themselves.
      if (!hasCredentials) void isProtectedMode(false).catch(ignoreUntilNextRequest)
      return hasCredentials
    },

    authenticate: request => {
      const isVisitor = hasCredentials && request.headers.authorization === undefined
      return isVisitor ? newVisitor(request.id) : identify(request)
    },

    close: async () => {
      clearInterval(timer)
      await writeLastUses().catch(ignoreUntilNextWrite)
    }
  }
}

/** Buffers last uses until they are written. */
function newLastUseBuffer(set: (uses: [id: number, at: Date][]) => Promise<void>) {
  const pending = new Map<number, Date>()
  return {
    add: (id: number) => pending.set(id, new Date()),
    write: async () => {
      const uses = [...pending]
      if (uses.length === 0) return
      await set(uses)
      for (const [id, at] of uses) if (pending.get(id) === at) pending.delete(id)
    }
  }
}

/** The database is unavailable: the buffer keeps the uses for the next write. Shutdown does not wait for it. */
function ignoreUntilNextWrite(): void {}

/** The database is unavailable: the next request checks again. */
function ignoreUntilNextRequest(): void {}

/**
 * Bearer token, or the password of Basic: WordPress clients send an application password, with spaces for legibility.
 */
function parseAuthorization(authorization: string): string | undefined {
  const [scheme = ''] = authorization.split(' ', 1)
  const value = authorization.slice(scheme.length).trim()
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() !== 'basic') return undefined
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  return colon < 0 ? undefined : stripSpaces(decoded.slice(colon + 1))
}

const stripSpaces = (text: string) => text.replace(/\s+/g, '')

const setupTokenPattern = /^kst_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}$/
const sessionTokenPattern = /^kls_([A-Za-z0-9]{10})_[A-Za-z0-9]{32}$/
const keyPattern = /^kal_([A-Za-z0-9]{10})_[A-Za-z0-9]{32}$/

/** The part of a key that identifies its row; the rest is compared in constant time. */
function parseKeyPrefix(key: string): string | undefined {
  return keyPattern.exec(key)?.[1]
}

function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hashToken(one), hashToken(other))
}
