import { Type } from 'typebox'
import { withIdempotency } from '../../http/idempotency.ts'
import { buildUrl } from '../../http/links.ts'
import type { RouteContext } from '../../http/service.ts'
import { canMailLinks, hashForLink, toLinkPath } from '../account-links/account-link.ts'
import { createResetLink, requestReset, resetPassword } from './password-reset.ts'
import { ResetLink, ResetMethods, ResetRequest, ResetUse } from './schema.ts'

export function registerPasswordResetRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope

  app.get('/password-resets', {
    config: { requires: 'public' },
    schema: {
      summary: 'Whether a forgotten password can be reset by mail',
      description: 'False where no mail server is set up: admins then make reset links themselves.',
      response: { 200: ResetMethods }
    },
    handler: async () => ({ byMail: canMailLinks(settings) })
  })

  app.post('/password-resets', {
    config: { requires: 'public' },
    schema: {
      summary: 'Ask for a reset link by mail; the answer is the same whether there is such an account',
      description:
        'Always responds 202, so that nobody learns which addresses have an account. How often a link can be asked for is limited.',
      problems: { 429: ['too-many-resets'] },
      body: ResetRequest,
      response: { 202: ResetMethods }
    },
    handler: async (request, reply) => {
      await requestReset(db, request, settings, request.body.email)
      const byMail = canMailLinks(settings)
      if (byMail) enqueueSoon('send-mail')
      return reply.code(202).send({ byMail })
    }
  })

  app.post('/password-resets/use', {
    config: { requires: 'public' },
    schema: {
      summary: 'Choose a new password with the token of a reset link; ends all sessions of the person',
      description:
        'All sessions of the person end, and the link stops working. The password must not be guessable from name, e-mail address or site.',
      problems: { 410: ['link-ended'], 422: ['password-guessable'], 503: ['too-busy'] },
      body: ResetUse,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const passwordHash = await hashForLink(db, request.body)
      await resetPassword(db, settings, { ...request.body, passwordHash }, request.id)
      if (settings.smtpUrl !== undefined) enqueueSoon('send-mail')
      return reply.code(204).send(null)
    }
  })

  app.post('/users/:id/reset-link', {
    config: { requires: ['admin'], creates: true, requiresConfirmation: true },
    schema: {
      summary: 'Make a link at which a person chooses a new password; it is shown in this answer only',
      description: 'It works for 24 hours and once. Earlier reset links of the person stop working.',
      problems: { 404: ['user-not-found'] },
      params: Type.Object({ id: Type.Integer() }),
      response: { 201: ResetLink }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { id } = request.params
      return await withIdempotency(scope, request, reply, async tx => {
        const { token, expiresAt } = await createResetLink(tx, request.caller, settings, id)
        if (settings.smtpUrl !== undefined) enqueueSoon('send-mail')
        const link = buildUrl(request, settings, toLinkPath(token))
        return { location: `/users/${id}`, body: { link, expiresAt: expiresAt.toISOString() } }
      })
    }
  })
}
