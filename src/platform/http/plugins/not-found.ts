import fastifyPlugin from 'fastify-plugin'
import { newRouteNotFoundProblem } from '../errors.ts'
import { formatAllow } from '../known-paths.ts'
import { respondToOptions } from './cors.ts'

/** Refuses unknown paths before their body is read, and answers OPTIONS for known ones. */
export const notFound = fastifyPlugin(async app => {
  app.addHook('onRequest', (request, reply, next) => {
    const { knownRoute, service } = request
    if (!request.is404) return next()
    if (knownRoute === undefined) return next(newRouteNotFoundProblem())
    if (request.method !== 'OPTIONS') return next()
    const description = service.adapter?.options(request, [...knownRoute.methods])
    respondToOptions(request, reply, formatAllow(knownRoute), description)
  })
  app.setNotFoundHandler(() => {
    throw newRouteNotFoundProblem()
  })
})
