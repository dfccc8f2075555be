import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { ifMatch, refuseStale, versionTag } from '../conditional.ts'
import { listFactors, removeLostFactors } from '../factors/factor.ts'
import { Factors } from '../factors/schema.ts'
import type { Scope } from '../service.ts'
import * as users from '../users/queries.ts'
import { userNotFound } from '../users/user.ts'
import type { PolicyRow } from './queries.ts'
import * as policy from './queries.ts'
import { SignInPolicy } from './schema.ts'
import { changePolicy } from './sign-in-policy.ts'

/** Factors have no versions: there is one, and it fits. */
const onlyVersion = 1
const OfUser = Type.Object({ id: Type.Integer() })

/** What admins decide about second factors of others. */
export function signInPolicyRoutes({ app, db, settings, soon }: Scope): void {
  const config = { needs: ['admin'] as const }

  app.get('/sign-in-policy', {
    config,
    schema: { summary: 'Read which roles need a second factor', response: { 200: SignInPolicy } },
    handler: async (_, reply) => tagged(await policy.find(db), reply)
  })

  app.put('/sign-in-policy', {
    config: { ...config, needsConfirmation: true },
    schema: {
      summary: 'Require a second factor for some roles',
      body: SignInPolicy,
      response: { 200: SignInPolicy }
    },
    handler: async (request, reply) =>
      tagged(await changePolicy(db, request.caller, request.body, ifMatch(request)), reply)
  })

  app.get('/users/:id/factors', {
    config,
    schema: { summary: 'Read which second factors somebody has', params: OfUser, response: { 200: Factors } },
    handler: async request => {
      const { id } = request.params
      if ((await users.find(db, id)) === undefined) throw userNotFound(id)
      return await listFactors(db, id)
    }
  })

  app.delete('/users/:id/factors', {
    config: { ...config, needsConfirmation: true },
    schema: {
      summary: 'Remove all second factors of somebody who has lost them; they are told by mail',
      params: OfUser,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      refuseStale(ifMatch(request), onlyVersion)
      await removeLostFactors(db, request.caller, { settings, userId: request.params.id })
      soon('send-mail')
      return reply.code(204).send(null)
    }
  })
}

function tagged({ version, requireSecondFactor }: PolicyRow, reply: FastifyReply): SignInPolicy {
  reply.header('etag', versionTag(version))
  return { requireSecondFactor }
}
