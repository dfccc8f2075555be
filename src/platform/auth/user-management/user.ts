import { record } from '../../activity/activity.ts'
import { type Actor, type Caller, requireSessionId } from '../../caller.ts'
import type { Database } from '../../database/database.ts'
import { normalizeEmail } from '../../email-address.ts'
import { type IfMatch, requireVersion } from '../../http/etag.ts'
import type { Language } from '../../language.ts'
import { buildText } from '../../messages/messages.ts'
import { newFieldProblem, Problem } from '../../problem.ts'
import { createSessionSource, verifyPassword } from '../brute-force-protection/attempts.ts'
import { type KeysOption, releaseKeys } from '../keys/key.ts'
import type { Key } from '../keys/schema.ts'
import * as identities from '../openid/queries.ts'
import { refuseContextWords } from '../passwords/context-words.ts'
import { hashPassword, refuseGuessable } from '../passwords/password.ts'
import { removeFactorsOfUser } from '../second-factor/factor.ts'
import * as sessions from '../sessions/queries.ts'
import { newEmailTakenProblem, newUserNotFoundProblem } from '../users/problems.ts'
import type { UserRow } from '../users/queries.ts'
import * as users from '../users/queries.ts'
import type { NewUser, OwnChanges, PasswordChange, UserChanges } from '../users/schema.ts'

/** Hashes the password of a new user, before the transaction, because it takes long. */
export async function hashForNewUser(db: Database, { password, name, email }: NewUser): Promise<string> {
  refuseGuessable(password, { name, email }, '/password')
  await refuseContextWords(db, password, { name, email }, '/password')
  return await hashPassword(password)
}

export async function createUser(
  db: Database,
  by: Caller,
  input: Omit<NewUser, 'password'> & { passwordHash: string; fallback: Language },
  now = new Date()
): Promise<UserRow> {
  return await db.transaction(async tx => {
    const { name, role, passwordHash, language = input.fallback } = input
    const email = normalizeEmail(input.email)
    const user = await users.insert(tx, { name, email, role, language, passwordHash, createdAt: now })
    if (user === undefined) throw newEmailTakenProblem()
    await record(tx, { by, now }, 'user.created', { subject: 'user', id: user.id, details: { name, role } })
    return user
  })
}

/**
 * Changes a user as an admin. A new password or role ends all the user's sessions; a lower role also releases keys that
 * exceed it.
 */
export async function changeUser(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  id: number,
  { keys, ...changes }: UserChanges & { keys?: KeysOption | undefined }
): Promise<UserRow> {
  const { password } = changes
  if ((await users.find(db, id)) === undefined) throw newUserNotFoundProblem(id)
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  return await withEmailTakenProblem(async () =>
    db.transaction(async tx => {
      const admins = changes.role === undefined || changes.role === 'admin' ? undefined : await users.lockAdmins(tx)
      const before = await users.lock(tx, id)
      if (before === undefined) throw newUserNotFoundProblem(id)
      requireVersion(expected, before.version)
      const wanted = {
        name: changes.name ?? before.name,
        email: changes.email === undefined ? before.email : normalizeEmail(changes.email),
        role: changes.role ?? before.role,
        language: changes.language ?? before.language
      }
      if (password !== undefined) {
        refuseGuessable(password, wanted, '/password')
        await refuseContextWords(tx, password, wanted, '/password')
      }
      if (admins !== undefined) refuseLastAdmin(admins, id)

      const fields = listChangedFields(before, wanted, password !== undefined)
      if (fields.length === 0) return before
      const after = await users.update(tx, id, { ...wanted, passwordHash })
      if (fields.includes('role') || fields.includes('password')) await sessions.removeOfUser(tx, id)
      if (fields.includes('role')) await releaseKeys(tx, by, { id, role: after.role, keys }, now)
      const role = fields.includes('role') ? { role: after.role } : {}
      await record(tx, { by, now }, 'user.updated', {
        subject: 'user',
        id,
        details: { name: after.name, fields, ...role }
      })
      return after
    })
  )
}

/**
 * Ends all sessions and keys of a user and frees the e-mail address; their content keeps their id. Returns the keys
 * that were revoked or handed over.
 */
export async function removeUser(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  { id, keys }: { id: number; keys?: KeysOption | undefined }
): Promise<Key[]> {
  return await db.transaction(async tx => {
    const admins = await users.lockAdmins(tx)
    const before = await users.lock(tx, id)
    if (before === undefined) throw newUserNotFoundProblem(id)
    requireVersion(expected, before.version)
    refuseLastAdmin(admins, id)

    await users.remove(tx, id, now)
    await sessions.removeOfUser(tx, id)
    await removeFactorsOfUser(tx, id)
    await identities.removeOfUser(tx, id)
    const released = await releaseKeys(tx, by, { id, role: undefined, keys }, now)
    const { name, role } = before
    await record(tx, { by, now }, 'user.removed', { subject: 'user', id, details: { name, role } })
    return released
  })
}

/** Changes the fields that users may change themselves. */
export async function changeOwn(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  id: number,
  changes: OwnChanges
): Promise<UserRow> {
  return await db.transaction(async tx => {
    const before = await users.lock(tx, id)
    if (before === undefined) throw newUserNotFoundProblem(id)
    requireVersion(expected, before.version)
    const wanted = { ...before, name: changes.name ?? before.name, language: changes.language ?? before.language }
    const fields = listChangedFields(before, wanted, false)
    if (fields.length === 0) return before
    const after = await users.update(tx, id, { ...wanted, passwordHash: undefined })
    await record(tx, { by, now }, 'user.updated', { subject: 'user', id, details: { name: after.name, fields } })
    return after
  })
}

/** Changes the user's own password and ends all other sessions. */
export async function changeOwnPassword(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  id: number,
  { currentPassword, newPassword }: PasswordChange
): Promise<void> {
  const current = await users.findHash(db, { id })
  const source = createSessionSource(requireSessionId(by))
  const isRight = await verifyPassword(db, source, currentPassword, current?.hash)
  if (current === undefined || !isRight) throw newWrongPasswordProblem()
  const passwordHash = await hashPassword(newPassword)
  await db.transaction(async tx => {
    const before = await users.lock(tx, id)
    if (before === undefined) throw newUserNotFoundProblem(id)
    requireVersion(expected, before.version)
    refuseGuessable(newPassword, before, '/newPassword')
    await refuseContextWords(tx, newPassword, before, '/newPassword')
    if ((await users.findHash(tx, { id }))?.hash !== current.hash) throw newWrongPasswordProblem()

    await users.update(tx, id, { ...before, passwordHash })
    await sessions.removeOfUser(tx, id, by.sessionId)
    const details = { name: before.name, fields: ['password'] }
    await record(tx, { by, now }, 'user.updated', { subject: 'user', id, details })
  })
}

const editable = ['name', 'email', 'role', 'language'] as const

function listChangedFields(
  before: UserRow,
  wanted: Pick<UserRow, (typeof editable)[number]>,
  password: boolean
): string[] {
  return [...editable.filter(field => before[field] !== wanted[field]), ...(password ? ['password'] : [])]
}

function refuseLastAdmin(admins: number[], id: number): void {
  if (admins.length > 1 || !admins.includes(id)) return
  throw new Problem(409, 'last-admin', buildText('auth-problems', 'lastAdmin'))
}

async function withEmailTakenProblem<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'users_by_email') throw newEmailTakenProblem()
    throw error
  }
}

const newWrongPasswordProblem = () =>
  newFieldProblem(422, '/currentPassword', 'wrong-password', buildText('auth-problems', 'wrongCurrentPassword'))
