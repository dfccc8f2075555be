import fastifyPlugin from 'fastify-plugin'
import { requireConfirmation } from '../../auth/sessions/confirmation.ts'
import { requireRole } from '../../caller.ts'

/** Refuses callers without the role that the route requires, and sessions that have to confirm their password first. */
export const authorize = fastifyPlugin(async app => {
  app.addHook('onRequest', (request, _reply, next) => {
    requireRole(request.caller, request.routeConfig.requires ?? 'public')
    next()
  })
  app.addHook('preHandler', (request, _reply, next) => {
    if (request.routeConfig.requiresConfirmation === undefined) next()
    else requireConfirmation(request).then(() => next(), next)
  })
})
