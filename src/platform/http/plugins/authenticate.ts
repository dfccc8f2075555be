import fastifyPlugin from 'fastify-plugin'
import type { Authenticator } from '../../auth/authenticate.ts'

/** Identifies the caller by key, session or setup token; refuses wrong credentials, and lets callers without any pass. */
export const authenticate = fastifyPlugin(async (app, { authenticator }: { authenticator: Authenticator }) => {
  app.addHook('onRequest', async request => {
    request.caller = await authenticator.authenticate(request)
  })
})
