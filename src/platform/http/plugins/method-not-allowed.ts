import fastifyPlugin from 'fastify-plugin'
import type { Problem } from '../../problem.ts'
import { newMethodNotAllowedProblem } from '../errors.ts'
import { formatAllow, type KnownRoute } from '../known-paths.ts'

/** Sets `Allow` where the service reports it, and refuses methods that a known path does not have. */
export const methodNotAllowed = fastifyPlugin(async app => {
  app.addHook('onRequest', (request, reply, next) => {
    const { knownRoute, service } = request
    const allow = service.adapter?.allow(request) ?? ''
    if (allow !== '') reply.header('allow', allow)
    next(knownRoute === undefined ? undefined : newMethodNotAllowedProblemFor(knownRoute))
  })
})

export function newMethodNotAllowedProblemFor(route: KnownRoute): Problem {
  const allow = formatAllow(route)
  return route.service.adapter?.methodNotAllowed(allow) ?? newMethodNotAllowedProblem(allow)
}
