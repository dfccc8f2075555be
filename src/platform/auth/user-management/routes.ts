import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requireUserId } from '../../caller.ts'
import { normalizeEmail } from '../../email-address.ts'
import { buildContentEtag, parseIfMatch } from '../../http/etag.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import type { RouteContext } from '../../http/service.ts'
import { newUserNotFoundProblem } from '../users/problems.ts'
import type { UserRow } from '../users/queries.ts'
import * as users from '../users/queries.ts'
import { KeysQuery, NewUser, OwnChanges, PasswordChange, User, UserChanges, userRoles } from '../users/schema.ts'
import { changeOwn, changeOwnPassword, changeUser, createUser, hashForNewUser, removeUser } from './user.ts'

const OfUser = Type.Object({ id: Type.Integer() })

export function registerUserRoutes(scope: RouteContext): void {
  const { app, db, settings } = scope

  app.get('/users', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'List users, oldest first',
      description: 'All user accounts with their role and language; open invitations are listed at `GET /invitations`.',
      response: { 200: Type.Array(User) }
    },
    handler: async () => (await users.list(db)).map(toWire)
  })

  app.post('/users', {
    config: { requires: ['admin'], creates: true, requiresConfirmation: true },
    schema: {
      summary: 'Create a user',
      description:
        'With a password that the admin chooses. With `POST /invitations` the user chooses it. The email address must not be in use.',
      problems: { 409: ['email-taken'], 422: ['password-guessable'], 503: ['too-busy'] },
      body: NewUser,
      response: { 201: User }
    },
    handler: async (request, reply) => {
      const { password: _, ...input } = request.body
      const passwordHash = await hashForNewUser(db, request.body)
      const create = async (tx: RouteContext['db']) => {
        const fields = { ...input, passwordHash, fallback: settings.defaultLanguage }
        const user = await createUser(tx, request.caller, fields)
        return { location: `/users/${user.id}`, body: toWire(user), etag: buildUserEtag(user) }
      }
      return await withIdempotency({ ...scope, extraHashInput: getHashSalt(request) }, request, reply, create)
    }
  })

  app.get('/users/me', {
    config: { requires: userRoles },
    schema: {
      summary: 'Get your user account',
      description: 'For sessions only: a key has no user account.',
      problems: { 404: ['user-not-found'] },
      response: { 200: User }
    },
    handler: async (request, reply) => await answered(requireUserId(request.caller), reply)
  })

  app.patch('/users/me', {
    config: { requires: userRoles },
    schema: {
      summary: 'Update your name or language',
      description: 'Only admins can change role and email address. Omitted fields are kept.',
      problems: { 404: ['user-not-found'] },
      body: OwnChanges,
      response: { 200: User }
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      return toUserWithEtag(
        await changeOwn(db, { by: caller, expected: parseIfMatch(request) }, requireUserId(caller), body),
        reply
      )
    }
  })

  app.put('/users/me/password', {
    config: { requires: userRoles },
    schema: {
      summary: 'Change your password; ends all your other sessions',
      description:
        'Needs the current password. The new one must not be derived from name, email address or site. The session of the request stays signed in.',
      problems: {
        404: ['user-not-found'],
        422: ['password-guessable', 'wrong-password'],
        429: ['too-many-sign-ins'],
        503: ['too-busy']
      },
      body: PasswordChange,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      await changeOwnPassword(db, { by: caller, expected: parseIfMatch(request) }, requireUserId(caller), body)
      return reply.code(204).send(null)
    }
  })

  app.get('/users/:id', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Get a user',
      description: 'Name, email address, role and language. The password is never returned.',
      problems: { 404: ['user-not-found'] },
      params: OfUser,
      response: { 200: User }
    },
    handler: async (request, reply) => await answered(request.params.id, reply)
  })

  app.patch('/users/:id', {
    config: { requires: ['admin'], requiresConfirmation: changesCredentials },
    schema: {
      summary: 'Update a user; a new password or role ends the sessions, a lower role revokes keys that grant more',
      description:
        'Omitted fields are kept. The last admin cannot get a lower role. `keys` decides what happens to the keys of the user.',
      problems: {
        404: ['user-not-found'],
        409: ['email-taken', 'last-admin'],
        422: ['handover-to-self', 'password-guessable'],
        503: ['too-busy']
      },
      params: OfUser,
      querystring: KeysQuery,
      body: UserChanges,
      response: { 200: User }
    },
    handler: async (request, reply) => {
      const { caller, params, query, body } = request
      const changes = { ...body, keys: query.keys }
      return toUserWithEtag(
        await changeUser(db, { by: caller, expected: parseIfMatch(request) }, params.id, changes),
        reply
      )
    }
  })

  app.delete('/users/:id', {
    config: { requires: ['admin'], requiresConfirmation: true },
    schema: {
      summary: 'Delete a user and revoke their keys; their content is kept',
      description:
        'All sessions of the user end. `keys` decides whether their keys are revoked or handed over. The last admin cannot be removed.',
      problems: { 404: ['user-not-found'], 409: ['last-admin'], 422: ['handover-to-self'] },
      params: OfUser,
      querystring: KeysQuery,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      await removeUser(db, { by: caller, expected: parseIfMatch(request) }, { id: params.id, keys: query.keys })
      return reply.code(204).send(null)
    }
  })

  /** True for a new address, role or password: a name or a language gives no access. */
  async function changesCredentials({ params, body }: FastifyRequest): Promise<boolean> {
    const before = await users.find(db, (params as { id: number }).id)
    const { email, role, password } = body as UserChanges
    if (before === undefined) return false
    const isOther =
      (email !== undefined && normalizeEmail(email) !== before.email) || (role ?? before.role) !== before.role
    return isOther || password !== undefined
  }

  async function answered(id: number, reply: FastifyReply): Promise<User> {
    const user = await users.find(db, id)
    if (user === undefined) throw newUserNotFoundProblem(id)
    return toUserWithEtag(user, reply)
  }
}

function toWire({ version: _, ...user }: UserRow): User {
  return user
}

/** Fields that change without an edit, such as `lastSeenAt`, change the ETag but not the version. */
function buildUserEtag(user: UserRow): string {
  return buildContentEtag(JSON.stringify(toWire(user)), user.version)
}

function toUserWithEtag(user: UserRow, reply: FastifyReply): User {
  reply.header('etag', buildUserEtag(user))
  return toWire(user)
}

/**
 * The Idempotency-Key salts the stored hash of the body and is not stored, so passwords cannot be brute-forced from it.
 */
function getHashSalt(request: FastifyRequest): string {
  return String(request.headers['idempotency-key'] ?? '')
}
