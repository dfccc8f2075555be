import { Type } from 'typebox'
import { requireSessionId, requireUserId } from '../../caller.ts'
import { parseIfMatch, requireVersion } from '../../http/etag.ts'
import type { RouteContext } from '../../http/service.ts'
import { userRoles } from '../users/schema.ts'
import { confirmSession } from './confirmation.ts'
import { endOtherSessions, endOwnSession, endSessionsOfUser } from './own-sessions.ts'
import * as sessions from './queries.ts'
import { ConfirmedSession, ListedSession, PasswordConfirmation } from './schema.ts'

/** Constant: a session is never edited, only started and ended. */
const onlyVersion = 1

/** Lets users list and end their sessions. */
export function registerSessionListRoutes({ app, db }: RouteContext): void {
  app.get('/sessions', {
    config: { requires: userRoles },
    schema: {
      summary: 'List your sessions, last used first',
      description:
        'Browser, system, time of sign-in and last use of each of your sessions; `isCurrent` marks the session of the request.',
      response: { 200: Type.Array(ListedSession) }
    },
    handler: async ({ caller }, reply) => {
      reply.header('cache-control', 'no-store')
      const current = requireSessionId(caller)
      const now = new Date()
      const rows = await sessions.listOfUser(db, requireUserId(caller), now)
      // This request uses the current session; the last uses of others are written every 30 seconds.
      return rows.map(row => ({
        ...row,
        isCurrent: row.id === current,
        ...(row.id === current ? { lastUsedAt: now.toISOString() } : {})
      }))
    }
  })

  app.delete('/sessions', {
    config: { requires: userRoles },
    schema: {
      summary: 'End all your other sessions',
      description: 'Ends all your sessions except the session of the request. Keys are not affected.',
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await endOtherSessions(
        db,
        { by: request.caller },
        requireUserId(request.caller),
        requireSessionId(request.caller)
      )
      return reply.code(204).send(null)
    }
  })

  app.delete('/sessions/:id', {
    config: { requires: userRoles },
    schema: {
      summary: 'End one of your sessions',
      description: 'Its token becomes invalid.',
      problems: { 404: ['session-not-found'] },
      params: Type.Object({ id: Type.Integer() }),
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await endOwnSession(db, { by: request.caller }, requireUserId(request.caller), request.params.id)
      return reply.code(204).send(null)
    }
  })

  app.post('/sessions/current/confirm', {
    config: { requires: userRoles },
    schema: {
      summary: 'Re-authenticate with the password; valid for 15 minutes',
      description:
        'Some changes, such as a new key or another account for donations, are refused with `confirmation-needed` unless the session has done this recently.',
      problems: { 422: ['wrong-password'], 429: ['too-many-sign-ins'], 503: ['too-busy'] },
      body: PasswordConfirmation,
      response: { 200: ConfirmedSession }
    },
    handler: async ({ caller, body }, reply) => {
      reply.header('cache-control', 'no-store')
      const proof = { sessionId: requireSessionId(caller), userId: requireUserId(caller), password: body.password }
      return { confirmedUntil: (await confirmSession(db, caller, proof)).toISOString() }
    }
  })

  app.delete('/users/:id/sessions', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'End all sessions of a user',
      description: 'Ends all sessions of this user account.',
      problems: { 404: ['user-not-found'] },
      params: Type.Object({ id: Type.Integer() }),
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await endSessionsOfUser(db, request.caller, request.params.id)
      return reply.code(204).send(null)
    }
  })
}
