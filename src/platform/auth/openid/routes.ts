import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requireUserId } from '../../caller.ts'
import { normalizeEmail } from '../../email-address.ts'
import { parseIfMatch, requireVersion } from '../../http/etag.ts'
import { requireValidIdempotencyKey, withIdempotency } from '../../http/idempotency.ts'
import type { RouteContext } from '../../http/service.ts'
import { Problem } from '../../problem.ts'
import { recordSignInFailure } from '../brute-force-protection/failures.ts'
import { requireSecondFactor } from '../second-factor/factor.ts'
import { newSignInExpiredProblem } from '../second-factor/problems.ts'
import { Proof } from '../second-factor/schema.ts'
import { recordDevice } from '../sessions/own-sessions.ts'
import { NewSession } from '../sessions/schema.ts'
import { startSession } from '../sessions/session.ts'
import { newUserNotFoundProblem } from '../users/problems.ts'
import * as users from '../users/queries.ts'
import { userRoles } from '../users/schema.ts'
import { beginSignIn, consumeAttempt, recogniseIdentity, unlinkIdentities, unlinkOwnIdentities } from './openid.ts'
import { newOpenIdNotOfferedProblem } from './problems.ts'
import { newOpenIdProvider, type OpenIdProvider, type ProviderIdentity } from './provider.ts'
import * as identities from './queries.ts'
import { Identity, OpenIdRequest, OpenIdSignIn } from './schema.ts'

const OfUser = Type.Object({ id: Type.Integer() })
/** Constant: a link is never edited, only created and removed. */
const onlyVersion = 1
/** Rate limited, because each request inserts a row that lives for minutes. */
const requestRateLimit = { name: 'openid-requests', perMinute: 60 }

/** Single sign-on with an OpenID provider, and the links of accounts to it. */
export function registerOpenIdRoutes(scope: RouteContext): void {
  const { app, db, settings, log, enqueueSoon } = scope
  let provider: OpenIdProvider | undefined

  function requireProvider(): OpenIdProvider {
    const { openid } = settings
    if (openid === undefined) throw newOpenIdNotOfferedProblem()
    provider ??= newOpenIdProvider(openid, log)
    return provider
  }

  app.post('/sessions/openid-requests', {
    config: { requires: 'public', rateLimit: requestRateLimit },
    schema: {
      summary: 'Start a sign-in with the OpenID provider; returns the authorization URL',
      description:
        'Returns the URL of the provider and an `attempt`, which the browser keeps and sends with the response of the provider to `POST /sessions/openid`.',
      problems: {
        401: ['openid-refused'],
        409: ['openid-not-offered'],
        422: ['openid-cancelled'],
        503: ['openid-provider-away']
      },
      response: { 200: OpenIdRequest }
    },
    handler: async (_, reply) => {
      reply.header('cache-control', 'no-store')
      return await beginSignIn(db, requireProvider())
    }
  })

  app.post('/sessions/openid', {
    config: { requires: 'public', creates: true },
    schema: {
      summary: 'Complete a sign-in with the response of the OpenID provider',
      description: 'It replaces the password; a user account with a second factor needs that as well.',
      problems: {
        401: ['bad-sign-in', 'openid-refused', 'second-factor-required', 'sign-in-expired', 'wrong-second-factor'],
        403: ['email-not-verified', 'no-account'],
        409: ['factor-unreadable', 'openid-not-offered', 'other-identity'],
        422: ['openid-cancelled'],
        429: ['too-many-codes'],
        503: ['openid-provider-away']
      },
      body: OpenIdSignIn,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      const { body } = request
      const provider = requireProvider()
      requireValidIdempotencyKey(request)
      reply.header('cache-control', 'no-store')
      // Before the transaction, because it calls the provider. A used attempt can only get a stored idempotent
      // response.
      const secrets = await consumeAttempt(db, body.attempt)
      const identity = secrets && (await provider.identify(body.callback, secrets))
      const user = identity && (await recognise(request, identity, provider.name))
      if (user !== undefined) await requireSecondFactor(db, settings, user, undefined)
      const start = async (tx: RouteContext['db']) => {
        if (user === undefined) throw newSignInExpiredProblem()
        const session = await startSession(tx, user, request.id)
        await recordDevice(tx, session.token, request.headers['user-agent'])
        return { location: '/sessions/current', body: session }
      }
      return await withIdempotency(
        { ...scope, extraHashInput: String(request.headers['idempotency-key'] ?? '') },
        request,
        reply,
        start
      )
    }
  })

  async function recognise(request: FastifyRequest, identity: ProviderIdentity, name: string) {
    try {
      const user = await recogniseIdentity(db, settings, { identity, name, requestId: request.id })
      enqueueSoon('send-emails')
      return user
    } catch (error) {
      if (error instanceof Problem && ['no-account', 'other-identity'].includes(error.code)) {
        const found = await users.findHash(db, { email: normalizeEmail(identity.email ?? '') })
        await recordSignInFailure(scope, request, found?.id)
      }
      throw error
    }
  }

  app.get('/users/me/identities', {
    config: { requires: userRoles },
    schema: {
      summary: 'List your linked OpenID accounts, oldest first',
      description:
        'The providers whose sign-in is linked to your user account, with the last use of each. For sessions only: a key has no user account.',
      response: { 200: Type.Array(Identity) }
    },
    handler: async request => await identities.list(db, requireUserId(request.caller))
  })

  app.post('/users/me/identities/remove', {
    config: { requires: userRoles },
    schema: {
      summary: 'Unlink your OpenID accounts',
      description:
        'Afterwards signing in needs the password or a passkey. Needs the current password, and a code where a second factor is set up.',
      problems: {
        404: ['user-not-found'],
        409: ['factor-unreadable'],
        422: ['proof-missing', 'wrong-code', 'wrong-password'],
        429: ['too-many-codes'],
        503: ['too-busy']
      },
      body: Proof,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { caller, body: proof } = request
      await unlinkOwnIdentities(db, caller, { settings, userId: requireUserId(caller), proof })
      return reply.code(204).send(null)
    }
  })

  app.get('/users/:id/identities', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'List the linked OpenID accounts of a user, oldest first',
      description: 'The providers whose sign-in is linked to this user account, with the last use of each.',
      problems: { 404: ['user-not-found'] },
      params: OfUser,
      response: { 200: Type.Array(Identity) }
    },
    handler: async request => {
      const { id } = request.params
      if ((await users.find(db, id)) === undefined) throw newUserNotFoundProblem(id)
      return await identities.list(db, id)
    }
  })

  app.delete('/users/:id/identities', {
    config: { requires: ['admin'], requiresConfirmation: true },
    schema: {
      summary: 'Unlink the OpenID accounts of a user',
      description: 'The user then signs in with password or passkey.',
      problems: { 404: ['user-not-found'] },
      params: OfUser,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await unlinkIdentities(db, request.caller, request.params.id)
      return reply.code(204).send(null)
    }
  })
}
