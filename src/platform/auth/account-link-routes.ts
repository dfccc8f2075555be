import type { RouteContext } from '../http/service.ts'
import { findLink, newLinkEndedProblem } from './account-links/account-link.ts'
import { AccountLink, LinkCheck } from './account-links/schema.ts'
import * as invitations from './invitations/queries.ts'
import * as users from './users/queries.ts'

export function registerAccountLinkRoutes({ app, db }: RouteContext): void {
  // POST, so that the token does not appear in a URL.
  app.post('/account-links/check', {
    config: { requires: 'public' },
    schema: {
      summary: 'Get the recipient of an invitation or reset link; the link stays valid',
      description:
        'Returns the kind of the link, and the name, email address and language of the user, for the page that asks for a password. A link that was used, replaced or has expired gets 410.',
      problems: { 410: ['link-ended'] },
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
      if (person === undefined) throw newLinkEndedProblem()
      const { name, email, language } = person
      const kind = isInvitation ? ('invitation' as const) : ('reset' as const)
      return { kind, name, email, language, expiresAt: link.expiresAt }
    }
  })
}
