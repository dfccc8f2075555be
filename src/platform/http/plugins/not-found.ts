import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { newRouteNotFoundProblem } from '../errors.ts'
import { formatAllow } from '../known-paths.ts'
import type { Service } from '../service.ts'
import { respondToOptions } from './cors.ts'

/** Refuses unknown paths before their body is read, and answers OPTIONS for known ones. */
export const notFound = fastifyPlugin(async (app, { services }: { services: Service[] }) => {
  app.addHook('onRequest', (request, reply, next) => {
    const { knownRoute, service } = request
    if (!request.is404) return next()
    if (knownRoute === undefined) {
      respondToUnknownPath(services, request, reply).then(
        isAnswered => isAnswered || next(newRouteNotFoundProblem()),
        next
      )
      return
    }
    if (request.method !== 'OPTIONS') return next()
    const description = service.adapter?.options(request, [...knownRoute.methods])
    respondToOptions(request, reply, formatAllow(knownRoute), description)
  })
  app.setNotFoundHandler(() => {
    throw newRouteNotFoundProblem()
  })
})

/** A service may know where a page has moved to. */
async function respondToUnknownPath(
  services: Service[],
  request: FastifyRequest,
  reply: FastifyReply
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  for (const { adapter } of services) {
    if ((await adapter?.respondToUnknownPath?.(request, reply)) === true) return true
  }
  return false
}
