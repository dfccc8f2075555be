import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requireUserId } from '../../caller.ts'
import { parseIfMatch, requireVersion } from '../../http/etag.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import type { RouteContext } from '../../http/service.ts'
import { Problem } from '../../problem.ts'
import * as passkeys from '../second-factor/passkey-queries.ts'
import {
  CreatedPasskey,
  CreationOptions,
  NewPasskey,
  Passkey,
  PasskeyName,
  PasskeyOptionsRequest,
  PasskeySignIn,
  RequestOptions
} from '../second-factor/passkey-schema.ts'
import { requireRelyingParty } from '../second-factor/relying-party.ts'
import { Proof } from '../second-factor/schema.ts'
import { NewSession } from '../sessions/schema.ts'
import { startSession } from '../sessions/session.ts'
import { userRoles } from '../users/schema.ts'
import {
  addPasskey,
  discardChallenge,
  offerRegistration,
  offerSignIn,
  recognisePasskey,
  recordRefusal,
  removePasskey,
  renamePasskey
} from './passkey.ts'

const OfPasskey = Type.Object({ passkeyId: Type.Integer() })
/** Constant: passkeys have no versions. */
const onlyVersion = 1
/** Rate limited, because each request inserts a row that lives for minutes. */
const optionsRateLimit = { name: 'passkey-questions', perMinute: 60 }

export function registerPasskeyRoutes(scope: RouteContext): void {
  const { app, db, settings } = scope
  const config = { requires: userRoles }
  const partyOf = (request: FastifyRequest) => requireRelyingParty(request, settings)
  const saltOf = (request: FastifyRequest) => String(request.headers['idempotency-key'] ?? '')

  app.get('/users/me/passkeys', {
    config,
    schema: {
      summary: 'List your passkeys, oldest first',
      description: 'Name, creation and last use of each passkey. For sessions only: a key has no user account.',
      response: { 200: Type.Array(Passkey) }
    },
    handler: async request => await passkeys.list(db, requireUserId(request.caller))
  })

  app.post('/users/me/passkeys/options', {
    config,
    schema: {
      summary: 'Get the options to create a passkey (WebAuthn registration)',
      description:
        'Returns the options for `navigator.credentials.create()`. Needs the current password, and a code where a second factor is set up. The challenge expires after some minutes.',
      problems: {
        409: ['factor-unreadable', 'passkeys-not-offered', 'too-many-passkeys'],
        422: ['proof-missing', 'wrong-code', 'wrong-password'],
        429: ['too-many-codes'],
        503: ['too-busy']
      },
      body: Proof,
      response: { 200: CreationOptions }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const userId = requireUserId(request.caller)
      return await offerRegistration(db, { settings, userId, proof: request.body, party: partyOf(request) })
    }
  })

  app.post('/users/me/passkeys', {
    config: { ...config, creates: true },
    schema: {
      summary: 'Register a passkey',
      description:
        'Takes the result of `navigator.credentials.create()` for the options that were fetched before. With the first second factor, recovery codes come with the response and are shown only there.',
      problems: { 409: ['passkey-expired', 'passkey-known', 'passkeys-not-offered'], 422: ['passkey-refused'] },
      body: NewPasskey,
      response: { 201: CreatedPasskey }
    },
    handler: async (request, reply) => {
      const { caller, body: input } = request
      const [userId, party] = [requireUserId(caller), partyOf(request)]
      reply.header('cache-control', 'no-store')
      try {
        return await withIdempotency(scope, request, reply, async tx => {
          const body = await addPasskey(tx, caller, { userId, party, input })
          return { location: '/users/me/passkeys', body }
        })
      } catch (error) {
        // Not after a failure of the database: then the same request may be repeated.
        if (error instanceof Problem) await discardChallenge(db, input.credential.response.clientDataJSON)
        throw error
      }
    }
  })

  app.patch('/users/me/passkeys/:passkeyId', {
    config,
    schema: {
      summary: 'Rename a passkey',
      description: 'Changes nothing but its name, which helps to tell devices apart.',
      problems: { 404: ['passkey-not-found'] },
      params: OfPasskey,
      body: PasskeyName,
      response: { 200: Passkey }
    },
    handler: async request => {
      const { caller, params, body } = request
      requireVersion(parseIfMatch(request), onlyVersion)
      return await renamePasskey(db, caller, { userId: requireUserId(caller), id: params.passkeyId, name: body.name })
    }
  })

  app.post('/users/me/passkeys/:passkeyId/remove', {
    config,
    schema: {
      summary: 'Delete a passkey',
      description: 'Needs the current password, and a code where a second factor is set up. Sessions stay signed in.',
      problems: {
        404: ['passkey-not-found'],
        409: ['factor-unreadable'],
        422: ['proof-missing', 'wrong-code', 'wrong-password'],
        429: ['too-many-codes'],
        503: ['too-busy']
      },
      params: OfPasskey,
      body: Proof,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { caller, params, body: proof } = request
      requireVersion(parseIfMatch(request), onlyVersion)
      await removePasskey(db, caller, { settings, userId: requireUserId(caller), id: params.passkeyId, proof })
      return reply.code(204).send(null)
    }
  })

  app.post('/sessions/passkey-options', {
    config: { requires: 'public', rateLimit: optionsRateLimit },
    schema: {
      summary: 'Get the options to sign in with a passkey (WebAuthn authentication)',
      description:
        'With `attempt` (of a sign-in whose password was correct) only passkeys of that user account are accepted.',
      problems: { 401: ['sign-in-expired'], 409: ['passkeys-not-offered'] },
      body: PasskeyOptionsRequest,
      response: { 200: RequestOptions }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await offerSignIn(db, partyOf(request), request.body.attempt)
    }
  })

  app.post('/sessions/passkey', {
    config: { requires: 'public', creates: true },
    schema: {
      summary: 'Sign in with a passkey',
      description:
        'Takes the result of `navigator.credentials.get()`. Returns the token of a session, to be sent like a key. With `attempt` the passkey is the second factor after a password.',
      problems: {
        401: ['bad-sign-in', 'passkey-cloned', 'sign-in-expired', 'wrong-passkey'],
        409: ['passkey-expired', 'passkeys-not-offered']
      },
      body: PasskeySignIn,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      const { body, id: requestId } = request
      const party = partyOf(request)
      reply.header('cache-control', 'no-store')
      const start = async (tx: RouteContext['db']) => {
        const user = await recognisePasskey(tx, party, body)
        return { location: '/sessions/current', body: await startSession(tx, user, requestId) }
      }
      try {
        return await withIdempotency(
          { ...scope, extraHashInput: saltOf(request) },
          request,
          reply,
          async tx => await tx.transaction(start)
        )
      } catch (error) {
        await recordRefusal(db, error, { ...body, requestId })
        throw error
      }
    }
  })
}
