import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { buildVersionEtag, parseIfMatch } from '../../http/etag.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { buildUrl } from '../../http/links.ts'
import type { RouteContext } from '../../http/service.ts'
import { canMailLinks, hashForLink, toLinkPath } from '../account-links/account-link.ts'
import { recordDevice } from '../sessions/own-sessions.ts'
import { NewSession } from '../sessions/schema.ts'
import {
  acceptInvitation,
  type InvitationWithToken,
  inviteUser,
  renewInvitation,
  withdrawInvitation
} from './invitation.ts'
import type { InvitationRow } from './queries.ts'
import * as invitations from './queries.ts'
import { Acceptance, Invitation, IssuedInvitation, NewInvitation } from './schema.ts'

const OfInvitation = Type.Object({ id: Type.Integer() })

export function registerInvitationRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope

  app.get('/invitations', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'List open invitations, oldest first',
      description: 'Invitations that were neither accepted nor withdrawn. The links themselves cannot be read again.',
      response: { 200: Type.Array(Invitation) }
    },
    handler: async () => (await invitations.list(db)).map(toWire)
  })

  app.post('/invitations', {
    config: { requires: ['admin'], creates: true, requiresConfirmation: true },
    schema: {
      summary: 'Create an invitation; the link is returned once',
      description: 'The link works once, for 7 days. If SMTP is configured, a link is also emailed to the person.',
      problems: { 409: ['already-invited', 'email-taken'] },
      body: NewInvitation,
      response: { 201: IssuedInvitation }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await withIdempotency(scope, request, reply, async tx =>
        created(request, await inviteUser(tx, { by: request.caller, settings }, request.body))
      )
    }
  })

  // Before the routes with an id, so that a wrong method is answered for this path and not for an id.
  app.post('/invitations/accept', {
    config: { requires: 'public', creates: true },
    schema: {
      summary: 'Accept an invitation: set a password and sign in',
      description:
        'Creates the user account and a session in one step. The password must not be derived from name, email address or site. The link works once.',
      problems: { 409: ['email-taken'], 410: ['link-ended'], 422: ['password-guessable'], 503: ['too-busy'] },
      body: Acceptance,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const passwordHash = await hashForLink(db, request.body)
      const accept = async (tx: RouteContext['db']) => {
        const body = await acceptInvitation(tx, { ...request.body, passwordHash }, request.id)
        await recordDevice(tx, body.token, request.headers['user-agent'])
        return { location: '/sessions/current', body }
      }
      // Salt the stored hash of the body with the Idempotency-Key, so that passwords cannot be brute-forced from it.
      return await withIdempotency(
        { ...scope, extraHashInput: String(request.headers['idempotency-key'] ?? '') },
        request,
        reply,
        accept
      )
    }
  })

  app.post('/invitations/:id/link', {
    config: { requires: ['admin'], creates: true, requiresConfirmation: true },
    schema: {
      summary: 'Create a new link for an invitation; earlier links become invalid',
      description:
        'The new link is shown in this response only and works for 7 days. Where mail is set up, it is also sent to the person.',
      problems: { 404: ['invitation-not-found'] },
      params: OfInvitation,
      response: { 201: IssuedInvitation }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await withIdempotency(scope, request, reply, async tx =>
        created(request, await renewInvitation(tx, { by: request.caller, settings }, request.params.id))
      )
    }
  })

  app.delete('/invitations/:id', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Withdraw an invitation',
      description: 'Its link stops working at once.',
      problems: { 404: ['invitation-not-found'] },
      params: OfInvitation,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      await withdrawInvitation(db, { by: request.caller, expected: parseIfMatch(request) }, request.params.id)
      return reply.code(204).send(null)
    }
  })

  function created(request: FastifyRequest, { invitation, token }: InvitationWithToken) {
    const mailed = canMailLinks(settings)
    if (mailed) enqueueSoon('send-emails')
    const body = { ...toWire(invitation), link: buildUrl(request, settings, toLinkPath(token)), mailed }
    return { location: `/invitations/${invitation.id}`, body, etag: buildVersionEtag(invitation.version) }
  }
}

function toWire({ version: _, ...invitation }: InvitationRow): Invitation {
  return invitation
}
