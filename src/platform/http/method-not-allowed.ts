import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../problem.ts'
import { respondToOptions } from './cors.ts'
import { newMethodNotAllowedProblem } from './errors.ts'
import type { Service } from './service.ts'

/** A URL that exists: the service that it belongs to, and the methods it allows. */
export interface KnownRoute {
  service: Service
  methods: Set<string>
}

/** URLs that exist, for requests with methods that they do not allow. */
export interface KnownRoutes {
  add(url: string, address: KnownRoute): void
  /** Finds the route for a URL as it was requested. */
  find(address: string): KnownRoute | undefined
}

export function newKnownRoutes(): KnownRoutes {
  // `/things/new` takes precedence over `/things/:id`, whichever was added first.
  const literal = new Map<string, KnownRoute>()
  const known: [form: RegExp, address: KnownRoute][] = []
  return {
    add: (url, address) => {
      if (/[:*]/.test(url)) known.push([toPattern(url), address])
      else literal.set(url, address)
    },
    find: address => {
      const path = address.split('?', 1)[0] ?? ''
      return literal.get(path.replace(/(?<=.)\/$/, '')) ?? known.find(([form]) => form.test(path))?.[1]
    }
  }
}

/**
 * A URL that exists responds to every method, with the methods it allows. Mostly without a Fastify route, because
 * thousands of routes delay the start; only a service whose adapter describes its URLs needs them.
 */
export function registerMethodNotAllowed(
  app: FastifyInstance,
  service: Service,
  all: Map<string, Set<string>>,
  addresses: KnownRoutes
): void {
  const tellsMore = service.adapter !== undefined && service.rendersHtml !== true
  const forms = [...all].map(([url, methods]) => ({ url, methods, form: toPattern(url) }))
  for (const [url, methods] of [...all]) {
    const there = { service, methods }
    if (!tellsMore) addresses.add(url, there)
    // Methods that only `/things/:id` allows would otherwise match it for `/things/new`.
    const fitting = forms.filter(other => other.url !== url && other.form.test(url))
    const others = tellsMore ? allMethods : new Set(fitting.flatMap(other => [...other.methods]))
    const refused = [...others].filter(method => !methods.has(method))
    if (refused.length > 0) {
      app.route({
        method: refused as 'GET'[],
        url,
        exposeHeadRoute: false,
        config: { requires: 'public' },
        // In onRequest, because the body does not matter here, whatever its type.
        onRequest: async () => {
          throw newMethodNotAllowedProblemFor(there)
        },
        handler: async () => undefined
      })
    }
    if (tellsMore) {
      app.options(url, { config: { requires: 'public' }, schema: {} }, (request, reply) =>
        respondToOptionsFor(there, request, reply)
      )
    }
  }
}

const allMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

export function respondToOptionsFor(there: KnownRoute, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { service, methods } = there
  return respondToOptions(request, reply, formatAllow(there), service.adapter?.options(request, [...methods]))
}

export function newMethodNotAllowedProblemFor(there: KnownRoute): Problem {
  return there.service.adapter?.methodNotAllowed(formatAllow(there)) ?? newMethodNotAllowedProblem(formatAllow(there))
}

const formatAllow = ({ methods }: KnownRoute) => [...methods, 'OPTIONS'].join(', ')

/** Matches the URLs that fit a route. */
function toPattern(url: string): RegExp {
  const parts = url.split(/(:\w+(?:\([^)]*\))?|\*)/).map(part => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}/?$`)
}
