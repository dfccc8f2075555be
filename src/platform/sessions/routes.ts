import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { sessionIdOf, userIdOf } from '../access.ts'
import { ifMatch, refuseStale, versionTag } from '../conditional.ts'
import { countSignIn, finishSignIn, requireSecondFactor } from '../factors/factor.ts'
import { SecondStep } from '../factors/schema.ts'
import { once } from '../idempotency.ts'
import type { Scope } from '../service.ts'
import * as users from '../users/queries.ts'
import { userRoles } from '../users/schema.ts'
import { userNotFound } from '../users/user.ts'
import { noteDevice } from './own-sessions.ts'
import * as sessions from './queries.ts'
import { CurrentSession, NewSession, SignIn } from './schema.ts'
import { endSession, recognise, type SignedIn, startSession } from './session.ts'

/** A session is never edited: it is started and ended. */
const onlyVersion = 1

export function sessionRoutes(scope: Scope): void {
  const { app, db, settings } = scope

  app.post('/sessions', {
    config: { needs: 'nothing', creates: true },
    schema: { summary: 'Sign in', body: SignIn, response: { 201: NewSession } },
    handler: async (request, reply) => {
      // Before the transaction, because it takes a while; and each time, so that a repeated answer needs the password too.
      const user = await recognise(scope, request, request.body)
      await requireSecondFactor(db, settings, user, request.body.code)
      reply.header('cache-control', 'no-store')
      return await sessionOnce(request, reply, async () => user)
    }
  })

  app.post('/sessions/second-factor', {
    config: { needs: 'nothing', creates: true },
    schema: {
      summary: 'Finish a sign-in with a code of the second factor',
      body: SecondStep,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      await countSignIn(db, request.body)
      reply.header('cache-control', 'no-store')
      return await sessionOnce(request, reply, async tx => await finishSignIn(tx, settings, request.body))
    }
  })

  app.get('/sessions/current', {
    config: { needs: userRoles },
    schema: { summary: 'Who is signed in, and until when', response: { 200: CurrentSession } },
    handler: async (request, reply) => {
      const { caller } = request
      const [id, userId] = [sessionIdOf(caller), userIdOf(caller)]
      const [session, user] = await Promise.all([sessions.findCreation(db, id), users.find(db, userId)])
      if (session === undefined || user === undefined) throw userNotFound(userId)
      const { version: _, ...shown } = user
      // Asking is using.
      const expiresAt = sessions.expiryOf({ createdAt: new Date(session.createdAt), lastUsedAt: new Date() })
      reply
        .header('etag', versionTag(onlyVersion, user.version, `${expiresAt} ${caller.needsFactor === true}`))
        .header('cache-control', 'no-store')
      return { expiresAt, user: shown, secondFactorMissing: caller.needsFactor === true }
    }
  })

  app.delete('/sessions/current', {
    config: { needs: userRoles },
    schema: { summary: 'Sign out', response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      refuseStale(ifMatch(request), onlyVersion)
      await endSession(db, request.caller, sessionIdOf(request.caller))
      return reply.code(204).send(null)
    }
  })

  async function sessionOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    identify: (tx: Scope['db']) => Promise<SignedIn>
  ): Promise<NewSession> {
    const start = async (tx: Scope['db']) => {
      const body = await startSession(tx, await identify(tx), request.id)
      await noteDevice(tx, body.token, request.headers['user-agent'])
      return { location: '/sessions/current', body, etag: versionTag(onlyVersion, body.expiresAt) }
    }
    // What is kept of the body is a hash that nobody can try out passwords on without the key.
    return await once(scope, request, reply, start, String(request.headers['idempotency-key'] ?? ''))
  }
}
