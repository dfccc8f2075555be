import fastifyPlugin from 'fastify-plugin'
import type { DocumentedRoute } from '../openapi.ts'
import { describeRoute } from '../openapi-routes.ts'

/** Collects the documentation of every route; fails at start if a route lacks something. */
export const openapi = fastifyPlugin(async (app, { documentedRoutes }: { documentedRoutes: DocumentedRoute[] }) => {
  app.addHook('onRoute', function (route) {
    if (route.config?.refusesMethod === true) return
    if (route.config?.isUndocumented === true && route.config.requires !== undefined) return
    for (const method of [route.method].flat()) {
      const described = describeRoute(this.service, method, route)
      if (described !== undefined && this.service.rendersHtml !== true) documentedRoutes.push(described)
    }
  })
})
