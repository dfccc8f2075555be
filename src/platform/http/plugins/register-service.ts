import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { registerBodyParsers } from '../body-parsers.ts'
import type { KnownRoute, KnownRoutes } from '../known-paths.ts'
import type { RouteContext, Service } from '../service.ts'
import { newMethodNotAllowedProblemFor } from './method-not-allowed.ts'

interface ServiceOptions {
  service: Service
  /** Everything that route handlers get besides the Fastify instance. */
  context: Omit<RouteContext, 'app'>
  knownRoutes: KnownRoutes
}

/** Registers the routes of one service in a context of its own, with its body parsers and serializers. */
export async function registerService(
  app: FastifyInstance,
  { service, context, knownRoutes }: ServiceOptions
): Promise<void> {
  const scope = app.withTypeProvider<TypeBoxTypeProvider>()
  scope.decorate('service', service)
  registerBodyParsers(scope, service)
  let isSpecified = false
  scope.addHook('onRoute', route => {
    if (isSpecified && route.config?.isExport !== true) route.config = { ...route.config, isSpecified }
  })
  for (const routes of service.routes) {
    isSpecified = 'specified' in routes
    const register = 'specified' in routes ? routes.specified : routes
    register({ ...context, app: scope })
  }
  isSpecified = false
  refuseMethodsOfOtherPatterns(app, knownRoutes.list(service))
}

/** For `/things/new`, Fastify would route methods that only `/things/:id` has to that pattern. */
function refuseMethodsOfOtherPatterns(app: FastifyInstance, routes: KnownRoute[]): void {
  const patterns = routes.filter(({ url }) => parameter.test(url)).map(newPattern)
  for (const route of routes) {
    const matching = patterns.filter(other => other.route.url !== route.url && other.matches(route.url))
    const methods = new Set(matching.flatMap(other => [...other.route.methods]))
    const refused = [...methods].filter(method => !route.methods.has(method))
    if (refused.length === 0) continue
    app.route({
      method: refused as 'GET'[],
      url: route.url,
      exposeHeadRoute: false,
      config: { requires: 'public', refusesMethod: true },
      // In onRequest, because the body does not matter here, whatever its type.
      onRequest: async () => {
        throw newMethodNotAllowedProblemFor(route)
      },
      handler: async () => undefined
    })
  }
}

/** A parameter with an optional rule, or a wildcard. */
const parameter = /(:\w+(?:\([^)]*\))?|\*)/

/** Matches the URLs that fit a route with parameters. Most URLs begin differently, so the expression is rarely needed. */
function newPattern(route: KnownRoute): { route: KnownRoute; matches(url: string): boolean } {
  const [prefix = '', ...rest] = route.url.split(parameter)
  let expression: RegExp | undefined
  return {
    route,
    matches: url => {
      if (!url.startsWith(prefix)) return false
      expression ??= toExpression([prefix, ...rest])
      return expression.test(url)
    }
  }
}

function toExpression(parts: string[]): RegExp {
  const expressions = parts.map(part => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${expressions.join('')}/?$`)
}
