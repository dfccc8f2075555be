import { Type } from 'typebox'
import { canMailLinks, hashForLink, toLinkPath } from '../account-links/account-link.ts'
import { once } from '../idempotency.ts'
import { urlOf } from '../links.ts'
import type { Scope } from '../service.ts'
import { makeResetLink, requestReset, resetPassword } from './password-reset.ts'
import { ResetLink, ResetRequest, ResetUse, ResetWays } from './schema.ts'

export function passwordResetRoutes(scope: Scope): void {
  const { app, db, settings, soon } = scope

  app.get('/password-resets', {
    config: { needs: 'nothing' },
    schema: { summary: 'Whether a forgotten password can be reset by mail', response: { 200: ResetWays } },
    handler: async () => ({ byMail: canMailLinks(settings) })
  })

  app.post('/password-resets', {
    config: { needs: 'nothing' },
    schema: {
      summary: 'Ask for a reset link by mail; the answer is the same whether there is such an account',
      body: ResetRequest,
      response: { 202: ResetWays }
    },
    handler: async (request, reply) => {
      await requestReset(db, request, settings, request.body.email)
      const byMail = canMailLinks(settings)
      if (byMail) soon('send-mail')
      return reply.code(202).send({ byMail })
    }
  })

  app.post('/password-resets/use', {
    config: { needs: 'nothing' },
    schema: {
      summary: 'Choose a new password with the token of a reset link; ends all sessions of the person',
      body: ResetUse,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const passwordHash = await hashForLink(db, request.body)
      await resetPassword(db, settings, { ...request.body, passwordHash }, request.id)
      if (settings.smtpUrl !== undefined) soon('send-mail')
      return reply.code(204).send(null)
    }
  })

  app.post('/users/:id/reset-link', {
    config: { needs: ['admin'], creates: true, needsConfirmation: true },
    schema: {
      summary: 'Make a link at which a person chooses a new password; it is shown in this answer only',
      description: 'It works for 24 hours and once. Earlier reset links of the person stop working.',
      params: Type.Object({ id: Type.Integer() }),
      response: { 201: ResetLink }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { id } = request.params
      return await once(scope, request, reply, async tx => {
        const { token, expiresAt } = await makeResetLink(tx, request.caller, settings, id)
        if (settings.smtpUrl !== undefined) soon('send-mail')
        const link = urlOf(request, settings, toLinkPath(token))
        return { location: `/users/${id}`, body: { link, expiresAt: expiresAt.toISOString() } }
      })
    }
  })
}
