import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { userIdOf } from '../access.ts'
import { contentTag, ifMatch } from '../conditional.ts'
import { once } from '../idempotency.ts'
import type { Scope } from '../service.ts'
import type { UserRow } from './queries.ts'
import * as users from './queries.ts'
import { KeysQuery, NewUser, OwnChanges, PasswordChange, User, UserChanges, userRoles } from './schema.ts'
import {
  changeOwn,
  changeOwnPassword,
  changeUser,
  createUser,
  folded,
  hashForNewUser,
  removeUser,
  userNotFound
} from './user.ts'

const OfUser = Type.Object({ id: Type.Integer() })

export function userRoutes(scope: Scope): void {
  const { app, db, settings } = scope

  app.get('/users', {
    config: { needs: ['admin'] },
    schema: { summary: 'List the people who may sign in, oldest first', response: { 200: Type.Array(User) } },
    handler: async () => (await users.list(db)).map(toWire)
  })

  app.post('/users', {
    config: { needs: ['admin'], creates: true, needsConfirmation: true },
    schema: { summary: 'Make an account for somebody', body: NewUser, response: { 201: User } },
    handler: async (request, reply) => {
      const { password: _, ...input } = request.body
      const passwordHash = await hashForNewUser(db, request.body)
      const create = async (tx: Scope['db']) => {
        const fields = { ...input, passwordHash, fallback: settings.defaultLanguage }
        const user = await createUser(tx, request.caller, fields)
        return { location: `/users/${user.id}`, body: toWire(user), etag: tagOf(user) }
      }
      return await once(scope, request, reply, create, saltOf(request))
    }
  })

  app.get('/users/me', {
    config: { needs: userRoles },
    schema: { summary: 'Read one’s own account', response: { 200: User } },
    handler: async (request, reply) => await answered(userIdOf(request.caller), reply)
  })

  app.patch('/users/me', {
    config: { needs: userRoles },
    schema: { summary: 'Change one’s own name or language', body: OwnChanges, response: { 200: User } },
    handler: async (request, reply) => {
      const { caller, body } = request
      return tagged(await changeOwn(db, caller, userIdOf(caller), body, ifMatch(request)), reply)
    }
  })

  app.put('/users/me/password', {
    config: { needs: userRoles },
    schema: {
      summary: 'Change one’s own password; ends all other sessions',
      body: PasswordChange,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      await changeOwnPassword(db, caller, userIdOf(caller), body, ifMatch(request))
      return reply.code(204).send(null)
    }
  })

  app.get('/users/:id', {
    config: { needs: ['admin'] },
    schema: { summary: 'Read an account', params: OfUser, response: { 200: User } },
    handler: async (request, reply) => await answered(request.params.id, reply)
  })

  app.patch('/users/:id', {
    config: { needs: ['admin'], needsConfirmation: changesCredentials },
    schema: {
      summary: 'Change an account; a new password or role ends its sessions, a lower role the keys that grant more',
      params: OfUser,
      querystring: KeysQuery,
      body: UserChanges,
      response: { 200: User }
    },
    handler: async (request, reply) => {
      const { caller, params, query, body } = request
      const changes = { ...body, keys: query.keys }
      return tagged(await changeUser(db, caller, params.id, changes, ifMatch(request)), reply)
    }
  })

  app.delete('/users/:id', {
    config: { needs: ['admin'], needsConfirmation: true },
    schema: {
      summary: 'Remove an account and the keys that its owner made; what they wrote stays',
      params: OfUser,
      querystring: KeysQuery,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      await removeUser(db, caller, { id: params.id, keys: query.keys }, ifMatch(request))
      return reply.code(204).send(null)
    }
  })

  /** A name or a language lets nobody in. */
  async function changesCredentials({ params, body }: FastifyRequest): Promise<boolean> {
    const before = await users.find(db, (params as { id: number }).id)
    const { email, role, password } = body as UserChanges
    if (before === undefined) return false
    const isOther = (email !== undefined && folded(email) !== before.email) || (role ?? before.role) !== before.role
    return isOther || password !== undefined
  }

  async function answered(id: number, reply: FastifyReply): Promise<User> {
    const user = await users.find(db, id)
    if (user === undefined) throw userNotFound(id)
    return tagged(user, reply)
  }
}

function toWire({ version: _, ...user }: UserRow): User {
  return user
}

/** What changes without anybody editing, such as when they were last seen, is in the tag but not in the version. */
function tagOf(user: UserRow): string {
  return contentTag(JSON.stringify(toWire(user)), user.version)
}

function tagged(user: UserRow, reply: FastifyReply): User {
  reply.header('etag', tagOf(user))
  return toWire(user)
}

/** A hash of the body is kept with its Idempotency-Key, which is not: so nobody can try out passwords on that hash. */
function saltOf(request: FastifyRequest): string {
  return String(request.headers['idempotency-key'] ?? '')
}
