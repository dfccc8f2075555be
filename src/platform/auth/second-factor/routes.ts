import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requireUserId } from '../../caller.ts'
import type { RouteContext } from '../../http/service.ts'
import { userRoles } from '../users/schema.ts'
import { confirmTotp, listFactors, removeTotp, renewRecoveryCodes, startTotp } from './factor.ts'
import * as policy from './policy-queries.ts'
import { findRelyingParty } from './relying-party.ts'
import { NewTotp, OwnFactors, Proof, RecoveryCodes, SignInMethods, TotpConfirmation } from './schema.ts'

/** Lets users manage their own second factors. The session routes verify the factor at sign-in. */
export function registerFactorRoutes({ app, db, settings }: RouteContext): void {
  const own = (request: FastifyRequest) => ({ settings, userId: requireUserId(request.caller) })
  const config = { requires: userRoles }

  app.get('/sessions/methods', {
    config: { requires: 'public' },
    schema: {
      summary: 'Get the sign-in methods besides email and password',
      description: 'Whether passkeys and single sign-on are offered here, and the name of the provider.',
      response: { 200: SignInMethods }
    },
    handler: async request => ({
      passkey: findRelyingParty(request, settings) !== undefined,
      openid: settings.openid === undefined ? null : { name: settings.openid.name }
    })
  })

  app.get('/users/me/factors', {
    config,
    schema: {
      summary: 'Get your second factors',
      description: 'Also says whether the role needs a second factor. For sessions only: a key has no user account.',
      response: { 200: OwnFactors }
    },
    handler: async request => ({
      ...(await listFactors(db, requireUserId(request.caller))),
      required: (await policy.find(db)).requireSecondFactor.some(role => role === request.caller.role),
      passkeysOffered: findRelyingParty(request, settings) !== undefined
    })
  })

  app.post('/users/me/totp', {
    config,
    schema: {
      summary: 'Start the setup of an authenticator app (TOTP)',
      description:
        'Returns the secret and an `otpauth:` URI for a QR code. The app is active only after `POST /users/me/totp/confirm`. Needs the current password.',
      problems: {
        409: ['factor-unreadable', 'totp-already-set-up'],
        422: ['proof-missing', 'wrong-code', 'wrong-password'],
        429: ['too-many-codes'],
        503: ['too-busy']
      },
      body: Proof,
      response: { 200: NewTotp }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await startTotp(db, { ...own(request), proof: request.body })
    }
  })

  app.post('/users/me/totp/confirm', {
    config,
    schema: {
      summary: 'Confirm the authenticator app with its first code; codes are required from then on',
      description:
        'Returns recovery codes, which are shown in this response only. Wrong codes are counted and limited.',
      problems: {
        409: ['factor-unreadable', 'totp-already-set-up', 'totp-not-started'],
        422: ['wrong-code'],
        429: ['too-many-codes']
      },
      body: TotpConfirmation,
      response: { 200: RecoveryCodes }
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      reply.header('cache-control', 'no-store')
      return { recoveryCodes: await confirmTotp(db, caller, { ...own(request), code: body.code }) }
    }
  })

  app.post('/users/me/totp/remove', {
    config,
    schema: {
      summary: 'Delete the authenticator app',
      description: 'Needs the current password and a code.',
      problems: {
        409: ['factor-unreadable', 'no-second-factor'],
        422: ['proof-missing', 'wrong-code', 'wrong-password'],
        429: ['too-many-codes'],
        503: ['too-busy']
      },
      body: Proof,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      await removeTotp(db, request.caller, { ...own(request), proof: request.body })
      return reply.code(204).send(null)
    }
  })

  app.post('/users/me/recovery-codes', {
    config,
    schema: {
      summary: 'Create new recovery codes; the previous ones become invalid',
      description:
        'Each code works once, in place of a second factor. They are shown in this response only. Needs the current password and a code.',
      problems: {
        409: ['factor-unreadable', 'no-second-factor'],
        422: ['proof-missing', 'wrong-code', 'wrong-password'],
        429: ['too-many-codes'],
        503: ['too-busy']
      },
      body: Proof,
      response: { 200: RecoveryCodes }
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      reply.header('cache-control', 'no-store')
      return { recoveryCodes: await renewRecoveryCodes(db, caller, { ...own(request), proof: body }) }
    }
  })
}
