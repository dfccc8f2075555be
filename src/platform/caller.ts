import { joinByOr } from './messages/combine-texts.ts'
import { buildText } from './messages/messages.ts'
import { Problem } from './problem.ts'

export const roles = ['viewer', 'contributor', 'author', 'editor', 'treasurer', 'admin'] as const
export type Role = (typeof roles)[number]
/** What a route requires of its caller: nothing, or one of these roles. An admin may do everything. */
export type AccessRequirement = 'public' | readonly Role[]
export interface Caller {
  /** Undefined for a visitor. */
  role: Role | undefined
  /** For the activity log. */
  name: string
  keyId: number | undefined
  /** Set for a signed-in user. Keys and users share one sequence of ids. */
  userId: number | undefined
  sessionId: number | undefined
  requestId: string
  /** The user who created the key that calls, where known. */
  makerId?: number
  /** When a signed-in user last proved their password. */
  confirmedAt?: string | null | undefined
  /** What it creates is marked as sample content, so that it can be removed. */
  makesSamples?: boolean
  /** A visitor while no credentials exist yet: the setup token would grant access. */
  lacksSetupToken?: boolean
  /** Set for a user whose role requires a second factor that they do not have yet. */
  needsFactor?: boolean
}

/** Who makes a change, and when: now, unless a time is given. */
export interface Actor {
  by: Caller
  now?: Date
}

export const noIds = { keyId: undefined, userId: undefined, sessionId: undefined }
/** The caller on the machine itself: the command line, or a job. */
export function newSystemCaller(name: string): Caller {
  return { ...noIds, role: 'admin', name, requestId: '' }
}

/** A caller without credentials. */
export function newVisitor(requestId: string): Caller {
  return { role: undefined, name: 'visitor', keyId: undefined, userId: undefined, sessionId: undefined, requestId }
}

/**
 * The caller that creates sample content. Activity logs of older installations are matched by this name
 * (013_samples.sql).
 */
export const sampleContentCaller: Caller = { ...newSystemCaller('sample content'), makesSamples: true }
interface UserSession {
  id: number
  userId: number
  name: string
  role: Role
  confirmedAt?: string | null
  needsFactor?: boolean
}

export function newUserCaller(session: UserSession, requestId: string): Caller {
  const { id: sessionId, userId, role, confirmedAt, needsFactor = false } = session
  const name = `user ${userId} (${session.name})`
  const factor = needsFactor ? { needsFactor } : {}
  return { role, name, keyId: undefined, userId, sessionId, requestId, confirmedAt, ...factor }
}

/** For what belongs to a person: a key has no account, whatever its role. */
export function requireUserId({ userId }: Caller): number {
  if (userId === undefined) throw newNotSignedInProblem()
  return userId
}

export function requireSessionId({ sessionId }: Caller): number {
  if (sessionId === undefined) throw newNotSignedInProblem()
  return sessionId
}

export const newNotSignedInProblem = () => new Problem(403, 'forbidden', buildText('auth-problems', 'notSignedIn'))

export function hasRole(caller: Caller, ...anyOf: Role[]): boolean {
  return caller.role !== undefined && (caller.role === 'admin' || anyOf.includes(caller.role))
}

export function requireRole(caller: Caller, needs: AccessRequirement): void {
  if (needs === 'public' || hasRole(caller, ...needs)) return
  const { role } = caller
  if (role === undefined)
    throw caller.lacksSetupToken === true ? newSetupTokenMissingProblem() : newCredentialsMissingProblem()
  throw new Problem(
    403,
    'forbidden',
    buildText('auth-problems', 'forbidden', language => ({ needed: joinByOr([...needs], language), role }))
  )
}

export const challengeHeaders = { 'www-authenticate': 'Bearer realm="Kalends", Basic realm="Kalends"' }
export function newCredentialsMissingProblem(): Problem {
  return new Problem(401, 'credentials-missing', buildText('auth-problems', 'credentialsMissing'), {
    headers: challengeHeaders
  })
}

export function newSetupTokenMissingProblem(): Problem {
  return new Problem(401, 'credentials-missing', buildText('auth-problems', 'setupTokenMissing'), {
    headers: challengeHeaders
  })
}
