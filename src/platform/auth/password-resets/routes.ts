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
      summary: 'Get whether passwords can be reset by email',
      description: 'False if SMTP is not configured: admins then create reset links.',
      response: { 200: ResetMethods }
    },
    handler: async () => ({ byMail: canMailLinks(settings) })
  })

  app.post('/password-resets', {
    config: { requires: 'public' },
    schema: {
      summary: 'Request a reset link by email; the response is the same if there is no such user account',
      description:
        'Always responds 202, so that callers do not learn which email addresses have a user account. Requests are rate-limited.',
      problems: { 429: ['too-many-resets'] },
      body: ResetRequest,
      response: { 202: ResetMethods }
    },
    handler: async (request, reply) => {
      await requestReset(db, request, request.body.email, { settings })
      const byMail = canMailLinks(settings)
      if (byMail) enqueueSoon('send-emails')
      return reply.code(202).send({ byMail })
    }
  })

  app.post('/password-resets/use', {
    config: { requires: 'public' },
    schema: {
      summary: 'Set a new password with a reset token; ends all sessions of the user',
      description:
        'All sessions of the user end, and the link becomes invalid. The password must not be derived from name, email address or site.',
      problems: { 410: ['link-ended'], 422: ['password-guessable'], 503: ['too-busy'] },
      body: ResetUse,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const passwordHash = await hashForLink(db, request.body)
      await resetPassword(db, { ...request.body, passwordHash }, { settings, requestId: request.id })
      if (settings.smtpUrl !== undefined) enqueueSoon('send-emails')
      return reply.code(204).send(null)
    }
  })

  app.post('/users/:id/reset-link', {
    config: { requires: ['admin'], creates: true, requiresConfirmation: true },
    schema: {
      summary: 'Create a reset link for a user; the link is returned once',
      description: 'The link works once, for 24 hours. Earlier reset links of the user become invalid.',
      problems: { 404: ['user-not-found'] },
      params: Type.Object({ id: Type.Integer() }),
      response: { 201: ResetLink }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { id } = request.params
      return await withIdempotency(scope, request, reply, async tx => {
        const { token, expiresAt } = await createResetLink(tx, { by: request.caller, settings }, id)
        if (settings.smtpUrl !== undefined) enqueueSoon('send-emails')
        const link = buildUrl(request, settings, toLinkPath(token))
        return { location: `/users/${id}`, body: { link, expiresAt: expiresAt.toISOString() } }
      })
    }
  })
}
