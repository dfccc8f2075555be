import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { canMailLinks, hashForLink, toLinkPath } from '../account-links/account-link.ts'
import { ifMatch, versionTag } from '../conditional.ts'
import { once } from '../idempotency.ts'
import { urlOf } from '../links.ts'
import type { Scope } from '../service.ts'
import { noteDevice } from '../sessions/own-sessions.ts'
import { NewSession } from '../sessions/schema.ts'
import { acceptInvitation, type Issued, inviteUser, renewInvitation, withdrawInvitation } from './invitation.ts'
import type { InvitationRow } from './queries.ts'
import * as invitations from './queries.ts'
import { Acceptance, Invitation, IssuedInvitation, NewInvitation } from './schema.ts'

const OfInvitation = Type.Object({ id: Type.Integer() })

export function invitationRoutes(scope: Scope): void {
  const { app, db, settings, soon } = scope

  app.get('/invitations', {
    config: { needs: ['admin'] },
    schema: { summary: 'List open invitations, oldest first', response: { 200: Type.Array(Invitation) } },
    handler: async () => (await invitations.list(db)).map(toWire)
  })

  app.post('/invitations', {
    config: { needs: ['admin'], creates: true, needsConfirmation: true },
    schema: {
      summary: 'Invite somebody; the link is shown in this answer only',
      description: 'It works for 7 days and once. Where mail is set up, a link is also sent to the person.',
      body: NewInvitation,
      response: { 201: IssuedInvitation }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await once(scope, request, reply, async tx =>
        created(request, await inviteUser(tx, request.caller, settings, request.body))
      )
    }
  })

  // Before the routes with an id, so that a wrong method is answered for this address.
  app.post('/invitations/accept', {
    config: { needs: 'nothing', creates: true },
    schema: {
      summary: 'Accept an invitation with the token of its link: choose a password and sign in',
      body: Acceptance,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const passwordHash = await hashForLink(db, request.body)
      const accept = async (tx: Scope['db']) => {
        const body = await acceptInvitation(tx, { ...request.body, passwordHash }, request.id)
        await noteDevice(tx, body.token, request.headers['user-agent'])
        return { location: '/sessions/current', body }
      }
      // What is stored of the body is a hash that nobody can try out passwords on without the key.
      return await once(scope, request, reply, accept, String(request.headers['idempotency-key'] ?? ''))
    }
  })

  app.post('/invitations/:id/link', {
    config: { needs: ['admin'], creates: true, needsConfirmation: true },
    schema: {
      summary: 'Make a new link for an invitation; earlier links stop working',
      params: OfInvitation,
      response: { 201: IssuedInvitation }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await once(scope, request, reply, async tx =>
        created(request, await renewInvitation(tx, request.caller, settings, request.params.id))
      )
    }
  })

  app.delete('/invitations/:id', {
    config: { needs: ['admin'] },
    schema: { summary: 'Withdraw an invitation', params: OfInvitation, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      await withdrawInvitation(db, request.caller, request.params.id, ifMatch(request))
      return reply.code(204).send(null)
    }
  })

  function created(request: FastifyRequest, { invitation, token }: Issued) {
    const mailed = canMailLinks(settings)
    if (mailed) soon('send-mail')
    const body = { ...toWire(invitation), link: urlOf(request, settings, toLinkPath(token)), mailed }
    return { location: `/invitations/${invitation.id}`, body, etag: versionTag(invitation.version) }
  }
}

function toWire({ version: _, ...invitation }: InvitationRow): Invitation {
  return invitation
}
