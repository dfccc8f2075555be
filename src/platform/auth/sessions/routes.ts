import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requireSessionId, requireUserId } from '../../caller.ts'
import { buildVersionEtag, parseIfMatch, requireVersion } from '../../http/etag.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import type { RouteContext } from '../../http/service.ts'
import { countSignInAttempt, finishSignIn, requireSecondFactor } from '../second-factor/factor.ts'
import { SecondStep } from '../second-factor/schema.ts'
import { newUserNotFoundProblem } from '../users/problems.ts'
import * as users from '../users/queries.ts'
import { userRoles } from '../users/schema.ts'
import { recordDevice } from './own-sessions.ts'
import * as sessions from './queries.ts'
import { CurrentSession, NewSession, SignIn } from './schema.ts'
import { type AuthenticatedUser, endSession, startSession, verifyCredentials } from './session.ts'

/** Constant: a session is never edited, only started and ended. */
const onlyVersion = 1

export function registerSessionRoutes(scope: RouteContext): void {
  const { app, db, settings } = scope

  app.post('/sessions', {
    config: { requires: 'public', creates: true },
    schema: {
      summary: 'Sign in',
      description:
        'Returns the token of a session, to be sent like a key as `Authorization: Bearer`. If the user account has a second factor, the response is 401 `second-factor-required` with an `attempt` for `POST /sessions/second-factor`. Wrong passwords are counted and limited.',
      problems: {
        401: ['bad-sign-in', 'second-factor-required', 'wrong-second-factor'],
        409: ['factor-unreadable'],
        429: ['too-many-codes', 'too-many-sign-ins'],
        503: ['too-busy']
      },
      body: SignIn,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      // Before the transaction, because it takes long; and on every retry, so that a stored response needs the password
      // too.
      const user = await verifyCredentials(scope, request, request.body)
      await requireSecondFactor(db, settings, user, request.body.code)
      reply.header('cache-control', 'no-store')
      return await sessionOnce(request, reply, async () => user)
    }
  })

  app.post('/sessions/second-factor', {
    config: { requires: 'public', creates: true },
    schema: {
      summary: 'Complete a sign-in with a second-factor code',
      description:
        'Takes the `attempt` of `POST /sessions` and a code of the authenticator app or a recovery code. The attempt expires after five minutes; wrong codes are counted and limited.',
      problems: {
        401: ['bad-sign-in', 'sign-in-expired', 'wrong-second-factor'],
        409: ['factor-unreadable'],
        429: ['too-many-codes']
      },
      body: SecondStep,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      await countSignInAttempt(db, request.body)
      reply.header('cache-control', 'no-store')
      return await sessionOnce(request, reply, async tx => await finishSignIn(tx, settings, request.body))
    }
  })

  app.get('/sessions/current', {
    config: { requires: userRoles },
    schema: {
      summary: 'Get the current session',
      description:
        'User account and expiry of the session whose token was sent. For sessions only: a key has no user account.',
      problems: { 404: ['user-not-found'] },
      response: { 200: CurrentSession }
    },
    handler: async (request, reply) => {
      const { caller } = request
      const [id, userId] = [requireSessionId(caller), requireUserId(caller)]
      const [session, user] = await Promise.all([sessions.findCreation(db, id), users.find(db, userId)])
      if (session === undefined || user === undefined) throw newUserNotFoundProblem(userId)
      const { version: _, ...shown } = user
      // This request itself uses the session.
      const expiresAt = sessions.computeExpiry({ createdAt: new Date(session.createdAt), lastUsedAt: new Date() })
      reply
        .header('etag', buildVersionEtag(onlyVersion, user.version, `${expiresAt} ${caller.needsFactor === true}`))
        .header('cache-control', 'no-store')
      return { expiresAt, user: shown, secondFactorMissing: caller.needsFactor === true }
    }
  })

  app.delete('/sessions/current', {
    config: { requires: userRoles },
    schema: {
      summary: 'Sign out',
      description: 'The token becomes invalid. Other sessions stay signed in.',
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await endSession(db, request.caller, requireSessionId(request.caller))
      return reply.code(204).send(null)
    }
  })

  async function sessionOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    identify: (tx: RouteContext['db']) => Promise<AuthenticatedUser>
  ): Promise<NewSession> {
    const start = async (tx: RouteContext['db']) => {
      const body = await startSession(tx, await identify(tx), request.id)
      await recordDevice(tx, body.token, request.headers['user-agent'])
      return { location: '/sessions/current', body, etag: buildVersionEtag(onlyVersion, body.expiresAt) }
    }
    // Salt the stored hash of the body with the Idempotency-Key, so that passwords cannot be brute-forced from it.
    return await withIdempotency(
      { ...scope, extraHashInput: String(request.headers['idempotency-key'] ?? '') },
      request,
      reply,
      start
    )
  }
}
