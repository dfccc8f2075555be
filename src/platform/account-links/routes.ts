import * as invitations from '../invitations/queries.ts'
import type { Scope } from '../service.ts'
import * as users from '../users/queries.ts'
import { findLink, linkEnded } from './account-link.ts'
import { AccountLink, LinkCheck } from './schema.ts'

export function accountLinkRoutes({ app, db }: Scope): void {
  // By POST, so that the token stands in no address.
  app.post('/account-links/check', {
    config: { needs: 'nothing' },
    schema: {
      summary: 'Read whom an invitation or a reset link is for; does not use it up',
      body: LinkCheck,
      response: { 200: AccountLink }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const link = await findLink(db, request.body.token, new Date())
      const isInvitation = link.invitationId !== null
      const person = isInvitation
        ? await invitations.find(db, link.invitationId ?? 0)
        : await users.find(db, link.userId ?? 0)
      if (person === undefined) throw linkEnded()
      const { name, email, language } = person
      const kind = isInvitation ? ('invitation' as const) : ('reset' as const)
      return { kind, name, email, language, expiresAt: link.expiresAt }
    }
  })
}
