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
    schema: { summary: 'Whether a forgotten password can be reset by mail', response: { 200: ResetMethods } },
    handler: async () => ({ byMail: canMailLinks(settings) })
  })

  app.post('/password-resets', {
    config: { requires: 'public' },
    schema: {
      summary: 'Ask for a reset link by mail; the answer is the same whether there is such an account',
      body: ResetRequest,
      response: { 202: ResetMethods }
    },
    handler: async (request, reply) => {
      await requestReset(db, request, request.body.email, { settings })
      const byMail = canMailLinks(settings)
      if (byMail) enqueueSoon('send-mail')
      return reply.code(202).send({ byMail })
    }
  })

  app.post('/password-resets/use', {
    config: { requires: 'public' },
    schema: {
      summary: 'Choose a new password with the token of a reset link; ends all sessions of the person',
      body: ResetUse,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const passwordHash = await hashForLink(db, request.body)
      await resetPassword(db, { ...request.body, passwordHash }, { settings, requestId: request.id })
      if (settings.smtpUrl !== undefined) enqueueSoon('send-mail')
      return reply.code(204).send(null)
    }
  })

  app.post('/users/:id/reset-link', {
    config: { requires: ['admin'], creates: true, requiresConfirmation: true },
    schema: {
      summary: 'Make a link at which a person chooses a new password; it is shown in this answer only',
      description: 'It works for 24 hours and once. Earlier reset links of the person stop working.',
      params: Type.Object({ id: Type.Integer() }),
      response: { 201: ResetLink }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { id } = request.params
      return await withIdempotency(scope, request, reply, async tx => {
        const { token, expiresAt } = await createResetLink(tx, { by: request.caller, settings }, id)
        if (settings.smtpUrl !== undefined) enqueueSoon('send-mail')
        const link = buildUrl(request, settings, toLinkPath(token))
        return { location: `/users/${id}`, body: { link, expiresAt: expiresAt.toISOString() } }
      })
    }
  })
}
