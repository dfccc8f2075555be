import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Settings } from './config.ts'
import { countUp } from './counters.ts'
import type { Database } from './database.ts'
import { refuseUntilEnrolled } from './factors/enrolment.ts'
import * as keys from './keys/queries.ts'
import { canHaveLocalCallers, isDirect } from './local/direct.ts'
import { looksLocal } from './local/local-caller.ts'
import { isPeerOwn } from './local/peer.ts'
import { hadCredentials } from './local/queries.ts'
import { Problem } from './problem.ts'
import type { UsableSession } from './sessions/queries.ts'
import * as sessions from './sessions/queries.ts'
import * as setup from './setup/queries.ts'

export const roles = ['viewer', 'contributor', 'author', 'editor', 'treasurer', 'admin'] as const
export type Role = (typeof roles)[number]

/** What a route asks of its caller: nothing, or one of these roles. An admin may everything. */
export type Needs = 'nothing' | readonly Role[]

export interface Caller {
  /** Undefined for a visitor. */
  role: Role | undefined
  /** For the record of what happened. */
  name: string
  keyId: number | undefined
  /** Of somebody who has signed in. Keys and users have their numbers from one series. */
  userId: number | undefined
  sessionId: number | undefined
  requestId: string
  /** Who made the key that calls, where that is known. */
  makerId?: number
  /** When somebody who has signed in last proved their password. */
  confirmedAt?: string | null | undefined
  /** What it creates is marked as sample content, so that it can be removed. */
  makesSamples?: boolean
  /** A visitor while nobody has credentials yet: the setup token is what lets them in. */
  lacksSetupToken?: boolean
  /** Of somebody whose role needs a second factor that they do not have yet. */
  needsFactor?: boolean
}

const nobody = { keyId: undefined, userId: undefined, sessionId: undefined }

/** Somebody at the machine itself: the command line, or a job. */
export function callerAtTheMachine(name: string): Caller {
  return { ...nobody, role: 'admin', name, requestId: '' }
}

/** Who creates sample content. The activity log of older installations is read by this name (013_samples.sql). */
export const sampleMaker: Caller = { ...callerAtTheMachine('sample content'), makesSamples: true }

export function callerOfUser(session: Omit<UsableSession, 'hash'>, requestId: string): Caller {
  const { id: sessionId, userId, role, confirmedAt, needsFactor = false } = session
  const name = `user ${userId} (${session.name})`
  const factor = needsFactor ? { needsFactor } : {}
  return { role, name, keyId: undefined, userId, sessionId, requestId, confirmedAt, ...factor }
}

/** For what belongs to a person: a key has no account, whatever its role. */
export function userIdOf({ userId }: Caller): number {
  if (userId === undefined) throw notSignedIn()
  return userId
}

export function sessionIdOf({ sessionId }: Caller): number {
  if (sessionId === undefined) throw notSignedIn()
  return sessionId
}

const notSignedIn = () =>
  new Problem(403, 'forbidden', {
    en: 'This is for people who have signed in; a key has no account.',
    de: 'Das ist für angemeldete Personen; ein Schlüssel hat kein Konto.'
  })

export function may(caller: Caller, ...anyOf: Role[]): boolean {
  return caller.role !== undefined && (caller.role === 'admin' || anyOf.includes(caller.role))
}

export function refuseUnlessAllowed(caller: Caller, needs: Needs): void {
  if (needs === 'nothing' || may(caller, ...needs)) return
  if (caller.role === undefined) throw caller.lacksSetupToken === true ? setupTokenMissing() : credentialsMissing()
  throw new Problem(403, 'forbidden', {
    en: `This needs the role ${[...needs].join(' or ')}; yours is ${caller.role}.`,
    de: `Das braucht die Rolle ${[...needs].join(' oder ')}; Ihre ist ${caller.role}.`
  })
}

export interface Access {
  /** Who is calling; throws for credentials that are wrong. */
  identify(request: FastifyRequest): Promise<Caller>
  /** True while nobody has ever had credentials: a local caller may use the services of the specifications then. */
  isProtectedMode(): Promise<boolean>
  /** True once nothing can make a caller without credentials anything but a visitor. */
  isSettled(): boolean
  /** Writes down when keys and sessions were last used. */
  close(): Promise<void>
}

/** Last uses are gathered and written this often, so that a read does not cost a write. */
const lastUseEveryMs = 30_000
/** While neither key nor user exists, a read may go by an answer this old; a write always asks. */
const protectedModeMs = 1000
/** This many wrong keys a minute from one address are answered at once, further ones after a pause. */
const wrongKeysMax = 10
const pauseMs = 1000
/** Wrong keys of one address that may wait in the pause; beyond that nothing is looked up any more. */
const pausedMax = 10

export function newAccess(db: Database, settings: Settings): Access {
  const adminKey =
    settings.adminKey === undefined ? undefined : { plain: settings.adminKey, unspaced: blankless(settings.adminKey) }

  let somebodyExists = adminKey !== undefined
  let askedAt = 0
  async function isProtectedMode(exactly: boolean): Promise<boolean> {
    if (somebodyExists) return false
    const now = Date.now()
    if (exactly || now - askedAt > protectedModeMs) {
      somebodyExists = await hadCredentials(db)
      askedAt = now
    }
    return !somebodyExists
  }

  /** In protected mode a caller at this machine is admin, in what the specifications have and nowhere else. */
  async function isLocal(request: FastifyRequest): Promise<boolean> {
    if (somebodyExists || request.routeOptions.config.isSpecified !== true || !looksLocal(request, settings))
      return false
    const reading = request.method === 'GET' || request.method === 'HEAD'
    return (await isProtectedMode(!reading)) && (await isPeerOwn(request.socket))
  }

  const usesOfKeys = newLastUses(async uses => await keys.setLastUses(db, uses))
  const usesOfSessions = newLastUses(async uses => await sessions.setLastUses(db, uses))
  const writeLastUses = async () => {
    await Promise.all([usesOfKeys.write(), usesOfSessions.write()])
  }
  const timer = setInterval(() => void writeLastUses().catch(lastUsesCanWait), lastUseEveryMs).unref()

  const paused = new Map<string, number>()

  function refuseFlood(address: string): void {
    if ((paused.get(address) ?? 0) < pausedMax) return
    throw new Problem(
      429,
      'too-many-wrong-keys',
      { en: 'Too many wrong keys from this address.', de: 'Zu viele falsche Schlüssel von dieser Adresse.' },
      { headers: { 'retry-after': '2' } }
    )
  }

  async function refuseWrongKey(request: FastifyRequest, text = wrongKey): Promise<never> {
    if (!isDirect(request.raw, settings)) {
      const address = countedAs(request)
      const { count } = await countUp(db, { name: 'wrong-keys', of: address, windowSeconds: 60 })
      if (count > wrongKeysMax) {
        // Once more: of many at the same moment all have come past the first look.
        refuseFlood(address)
        paused.set(address, (paused.get(address) ?? 0) + 1)
        await sleep(pauseMs)
        const left = (paused.get(address) ?? 1) - 1
        if (left === 0) paused.delete(address)
        else paused.set(address, left)
      }
    }
    throw new Problem(401, 'bad-credentials', text, { headers: challenge })
  }

  return {
    isProtectedMode: async () => await isProtectedMode(true),
    isSettled: () => {
      if (!canHaveLocalCallers(settings)) return true
      // Visitors from elsewhere never cause the question.
      if (!somebodyExists) void isProtectedMode(false).catch(askedAgain)
      return somebodyExists
    },

    identify: async request => {
      const requestId = request.id
      const { authorization } = request.headers
      if (authorization === undefined) {
        if (await isLocal(request)) return { ...nobody, role: 'admin', name: 'local', requestId }
        const visitor = { ...nobody, role: undefined, name: 'visitor', requestId }
        const { needs = 'nothing' } = request.routeOptions.config
        return needs !== 'nothing' && (await isProtectedMode(false)) ? { ...visitor, lacksSetupToken: true } : visitor
      }

      if (!isDirect(request.raw, settings)) refuseFlood(countedAs(request))

      const given = keyIn(authorization)
      if (given === undefined) return await refuseWrongKey(request)
      if (adminKey !== undefined && (sameText(given, adminKey.plain) || sameText(given, adminKey.unspaced))) {
        return { ...nobody, role: 'admin', name: 'ADMIN_KEY', requestId }
      }
      if (setupTokenForm.test(given)) {
        if (!(await setup.isUsable(db, hashOfKey(given), new Date())))
          return await refuseWrongKey(request, wrongSetupToken)
        return { ...nobody, role: 'admin', name: 'setup token', requestId }
      }
      const sessionFinder = sessionForm.exec(given)?.[1]
      if (sessionFinder !== undefined) {
        const session = await sessions.findUsable(db, sessionFinder, new Date())
        if (session === undefined || !timingSafeEqual(session.hash, hashOfKey(given))) {
          return await refuseWrongKey(request, sessionEnded)
        }
        usesOfSessions.add(session.id)
        refuseUntilEnrolled(session, request.routeOptions.url)
        return callerOfUser(session, requestId)
      }
      const finder = finderIn(given)
      const key = finder === undefined ? undefined : await keys.findUsable(db, finder, new Date())
      if (key === undefined || !timingSafeEqual(key.hash, hashOfKey(given))) return await refuseWrongKey(request)
      usesOfKeys.add(key.id)
      const maker = key.madeBy === null ? {} : { makerId: key.madeBy }
      return { ...nobody, role: key.role, name: `key ${key.id} (${key.name})`, keyId: key.id, requestId, ...maker }
    },

    close: async () => {
      clearInterval(timer)
      await writeLastUses().catch(lastUsesCanWait)
    }
  }
}

const wrongKey = { en: 'The key is not valid.', de: 'Der Schlüssel ist nicht gültig.' }
const wrongSetupToken = {
  en: 'The setup token is not valid. Use the one that the server printed when it was last started; it ends with the first account.',
  de: 'Das Einrichtungs-Token ist nicht gültig. Bitte das vom letzten Start des Servers benutzen; mit dem ersten Konto endet es.'
}
const sessionEnded = {
  en: 'The session has ended. Please sign in again.',
  de: 'Die Sitzung ist beendet. Bitte neu anmelden.'
}

/** Gathers when each was last used until it is written. */
function newLastUses(set: (uses: [id: number, at: Date][]) => Promise<void>) {
  const gathered = new Map<number, Date>()
  return {
    add: (id: number) => gathered.set(id, new Date()),
    write: async () => {
      const uses = [...gathered]
      if (uses.length === 0) return
      await set(uses)
      for (const [id, at] of uses) if (gathered.get(id) === at) gathered.delete(id)
    }
  }
}

/** The database was away: the uses stay in the list until it is back. A process that stops does not wait for that. */
function lastUsesCanWait(): void {}

/** The database was away: whoever comes next asks again. */
function askedAgain(): void {}

const challenge = { 'www-authenticate': 'Bearer realm="Kalends", Basic realm="Kalends"' }

function credentialsMissing(): Problem {
  return new Problem(
    401,
    'credentials-missing',
    {
      en: 'This needs a key: send it as "Authorization: Bearer <key>", or as the password of Basic credentials.',
      de: 'Das braucht einen Schlüssel: als "Authorization: Bearer <Schlüssel>" oder als Passwort von Basic-Zugangsdaten.'
    },
    { headers: challenge }
  )
}

function setupTokenMissing(): Problem {
  return new Problem(
    401,
    'credentials-missing',
    {
      en: 'Nobody has an account or a key here yet, so this needs the setup token that the server printed when it started: send it as "Authorization: Bearer <token>". Or make a key: kalends key create.',
      de: 'Hier gibt es noch kein Konto und keinen Schlüssel. Das braucht deshalb das Einrichtungs-Token, das der Server beim Start ausgegeben hat: als "Authorization: Bearer <Token>". Oder einen Schlüssel anlegen: kalends key create.'
    },
    { headers: challenge }
  )
}

/** Bearer, or the password of Basic: what WordPress clients send as an application password, with blanks for the eye. */
function keyIn(authorization: string): string | undefined {
  const [scheme = ''] = authorization.split(' ', 1)
  const value = authorization.slice(scheme.length).trim()
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() !== 'basic') return undefined
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  return colon < 0 ? undefined : blankless(decoded.slice(colon + 1))
}

const blankless = (text: string) => text.replace(/\s+/g, '')

const setupTokenForm = /^kst_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}$/
const sessionForm = /^kls_([A-Za-z0-9]{10})_[A-Za-z0-9]{32}$/
const keyForm = /^kal_([A-Za-z0-9]{10})_[A-Za-z0-9]{32}$/

/** The part of a key that finds its row; the rest is compared in constant time. */
function finderIn(key: string): string | undefined {
  return keyForm.exec(key)?.[1]
}

export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function sameText(one: string, other: string): boolean {
  return timingSafeEqual(hashOfKey(one), hashOfKey(other))
}

/** Whoever has an IPv6 address has a network of them: the first half is the household. */
export function countedAs({ ip }: FastifyRequest): string {
  return ip.includes(':') && !ip.startsWith('::ffff:') ? expandedPrefix(ip) : ip
}

function expandedPrefix(ip: string): string {
  const [head = '', tail] = ip.split('::', 2)
  const before = head.split(':').filter(part => part !== '')
  const after = tail === undefined ? [] : tail.split(':').filter(part => part !== '')
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
