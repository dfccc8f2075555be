import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import type { KnownRoute, KnownRoutes } from '../http/known-paths.ts'
import { newMethodNotAllowedProblemFor } from '../http/plugins/method-not-allowed.ts'
import { buildResponseFilter } from '../http/response-filter.ts'
import type { RouteContext, Service } from '../http/service.ts'
import { getValidatorCompiler } from '../http/validation.ts'

interface RoutesOptions {
  services: Service[]
  /** Everything that route handlers get besides the Fastify instance. */
  routeContext: Omit<RouteContext, 'app'>
  knownRoutes: KnownRoutes
}

/**
 * Registers the routes of all services in one context: request objects of several contexts are of different classes,
 * and plugins that get several classes take a tenth more time for each request.
 */
export function registerRoutes(app: FastifyInstance, { services, routeContext, knownRoutes }: RoutesOptions): void {
  const scope = app.withTypeProvider<TypeBoxTypeProvider>()
  let compilers: Compilers = {}
  let isSpecified = false
  scope.addHook('onRoute', route => {
    Object.assign(route, compilers)
    if (isSpecified && route.config?.isExport !== true) route.config = { ...route.config, isSpecified }
  })
  for (const service of services) {
    app.service = service
    compilers = newCompilers(service)
    for (const routes of service.routes) {
      isSpecified = 'specified' in routes
      const register = 'specified' in routes ? routes.specified : routes
      register({ ...routeContext, app: scope })
    }
    isSpecified = false
    refuseMethodsOfOtherPatterns(app, knownRoutes.list(service))
  }
}

type Compilers = Pick<RouteShorthandOptions, 'validatorCompiler' | 'serializerCompiler'>

/** How the schemas of a service validate requests and serialize responses. With an adapter, it parses requests itself. */
function newCompilers({ rules, adapter }: Service): Compilers {
  if (adapter === undefined) {
    return {
      validatorCompiler: getValidatorCompiler(rules),
      // Like Fastify's own serializer, but compiled with the first response, so that it does not delay the start.
      serializerCompiler: ({ schema }) => {
        let write: ((value: unknown) => string) | undefined
        return value => {
          write ??= fastJson(schema as object)
          return write(value)
        }
      }
    }
  }
  return {
    validatorCompiler: () => () => true,
    serializerCompiler: ({ schema }) => {
      const filter = buildResponseFilter(schema as object)
      return value => JSON.stringify(filter(value))
    }
  }
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
