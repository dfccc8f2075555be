import fastifyPlugin from 'fastify-plugin'
import type { Authenticator } from '../../auth/authenticate.ts'
import type { Caller } from '../../caller.ts'

/** Identifies the caller by key, session or setup token; refuses wrong credentials, and lets callers without any pass. */
export const authenticate = fastifyPlugin(async (app, { authenticator }: { authenticator: Authenticator }) => {
  app.addHook('onRequest', (request, _reply, next) => {
    const caller = authenticator.authenticate(request)
    if (caller instanceof Promise) caller.then(identified, next)
    else identified(caller)

    function identified(caller: Caller): void {
      request.caller = caller
      next()
    }
  })
})
