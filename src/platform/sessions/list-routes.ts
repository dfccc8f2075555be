import { Type } from 'typebox'
import { sessionIdOf, userIdOf } from '../access.ts'
import { ifMatch, refuseStale } from '../conditional.ts'
import { confirmSession } from '../confirmation/confirmation.ts'
import type { Scope } from '../service.ts'
import { userRoles } from '../users/schema.ts'
import { endOtherSessions, endOwnSession, endSessionsOfUser } from './own-sessions.ts'
import * as sessions from './queries.ts'
import { Confirmation, Confirmed, ListedSession } from './schema.ts'

/** A session is never edited: it is started and ended. */
const onlyVersion = 1

/** Where somebody is signed in, and how they end that. */
export function sessionListRoutes({ app, db }: Scope): void {
  app.get('/sessions', {
    config: { needs: userRoles },
    schema: {
      summary: 'List where one is signed in, last used first',
      response: { 200: Type.Array(ListedSession) }
    },
    handler: async ({ caller }, reply) => {
      reply.header('cache-control', 'no-store')
      const current = sessionIdOf(caller)
      const now = new Date()
      const rows = await sessions.listOfUser(db, userIdOf(caller), now)
      // Asking is using; when others were used is written every half minute.
      return rows.map(row => ({
        ...row,
        isCurrent: row.id === current,
        ...(row.id === current ? { lastUsedAt: now.toISOString() } : {})
      }))
    }
  })

  app.delete('/sessions', {
    config: { needs: userRoles },
    schema: { summary: 'Sign out everywhere else', response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      refuseStale(ifMatch(request), onlyVersion)
      await endOtherSessions(db, request.caller, userIdOf(request.caller), sessionIdOf(request.caller))
      return reply.code(204).send(null)
    }
  })

  app.delete('/sessions/:id', {
    config: { needs: userRoles },
    schema: {
      summary: 'End one of one’s own sessions',
      params: Type.Object({ id: Type.Integer() }),
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      refuseStale(ifMatch(request), onlyVersion)
      await endOwnSession(db, request.caller, userIdOf(request.caller), request.params.id)
      return reply.code(204).send(null)
    }
  })

  app.post('/sessions/current/confirm', {
    config: { needs: userRoles },
    schema: {
      summary: 'Prove one’s password again, for what needs a fresh proof; counts for 15 minutes',
      body: Confirmation,
      response: { 200: Confirmed }
    },
    handler: async ({ caller, body }, reply) => {
      reply.header('cache-control', 'no-store')
      const proof = { sessionId: sessionIdOf(caller), userId: userIdOf(caller), password: body.password }
      return { confirmedUntil: (await confirmSession(db, caller, proof)).toISOString() }
    }
  })

  app.delete('/users/:id/sessions', {
    config: { needs: ['admin'] },
    schema: {
      summary: 'Sign a person out everywhere',
      params: Type.Object({ id: Type.Integer() }),
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      refuseStale(ifMatch(request), onlyVersion)
      await endSessionsOfUser(db, request.caller, request.params.id)
      return reply.code(204).send(null)
    }
  })
}
