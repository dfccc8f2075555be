import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { buildVersionEtag, parseIfMatch, requireVersion } from '../../http/etag.ts'
import type { RouteContext } from '../../http/service.ts'
import { newUserNotFoundProblem } from '../users/problems.ts'
import * as users from '../users/queries.ts'
import { listFactors, removeLostFactors } from './factor.ts'
import { changePolicy } from './policy.ts'
import type { PolicyRow } from './policy-queries.ts'
import * as policy from './policy-queries.ts'
import { SignInPolicy } from './policy-schema.ts'
import { Factors } from './schema.ts'

/** Constant: factors have no versions. */
const onlyVersion = 1
const OfUser = Type.Object({ id: Type.Integer() })

/** Lets admins manage the second factors of others. */
export function registerSignInPolicyRoutes({ app, db, settings, enqueueSoon }: RouteContext): void {
  const config = { requires: ['admin'] as const }

  app.get('/sign-in-policy', {
    config,
    schema: {
      summary: 'Get the second-factor policy',
      description: 'Users with one of these roles can only set up a second factor until they have one.',
      response: { 200: SignInPolicy }
    },
    handler: async (_, reply) => toPolicyWithEtag(await policy.find(db), reply)
  })

  app.put('/sign-in-policy', {
    config: { ...config, requiresConfirmation: true },
    schema: {
      summary: 'Update the second-factor policy: the roles that need a second factor',
      description: 'Replaces the list of roles. It cannot include the own role while one has no second factor oneself.',
      problems: { 409: ['own-factor-missing'] },
      body: SignInPolicy,
      response: { 200: SignInPolicy }
    },
    handler: async (request, reply) =>
      toPolicyWithEtag(
        await changePolicy(db, { by: request.caller, expected: parseIfMatch(request) }, request.body),
        reply
      )
  })

  app.get('/users/:id/factors', {
    config,
    schema: {
      summary: 'Get the second factors of a user',
      description:
        'Whether an authenticator app is set up, how many passkeys there are, and how many recovery codes are left.',
      problems: { 404: ['user-not-found'] },
      params: OfUser,
      response: { 200: Factors }
    },
    handler: async request => {
      const { id } = request.params
      if ((await users.find(db, id)) === undefined) throw newUserNotFoundProblem(id)
      return await listFactors(db, id)
    }
  })

  app.delete('/users/:id/factors', {
    config: { ...config, requiresConfirmation: true },
    schema: {
      summary: 'Delete all second factors of a user; the user is notified by email',
      description: 'The person can then sign in with the password alone and set up new factors.',
      problems: { 404: ['user-not-found'] },
      params: OfUser,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await removeLostFactors(db, request.caller, { settings, userId: request.params.id })
      enqueueSoon('send-emails')
      return reply.code(204).send(null)
    }
  })
}

function toPolicyWithEtag({ version, requireSecondFactor }: PolicyRow, reply: FastifyReply): SignInPolicy {
  reply.header('etag', buildVersionEtag(version))
  return { requireSecondFactor }
}
