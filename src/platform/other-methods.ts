import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerOptions } from './cors.ts'
import type { Problem } from './problem.ts'
import { methodNotAllowed } from './refuse.ts'
import type { Service } from './service.ts'

/** An address of which something is known: whose it is, and what it takes. */
export interface Address {
  service: Service
  methods: Set<string>
}

/** Addresses that exist, for requests with methods that they do not take. */
export interface Addresses {
  add(url: string, address: Address): void
  /** What there is at an address as it came. */
  at(address: string): Address | undefined
}

export function newAddresses(): Addresses {
  // `/things/new` is itself before it is a `/things/:id`, whichever was added first.
  const literal = new Map<string, Address>()
  const known: [form: RegExp, address: Address][] = []
  return {
    add: (url, address) => {
      if (/[:*]/.test(url)) known.push([formOf(url), address])
      else literal.set(url, address)
    },
    at: address => {
      const path = address.split('?', 1)[0] ?? ''
      return literal.get(path.replace(/(?<=.)\/$/, '')) ?? known.find(([form]) => form.test(path))?.[1]
    }
  }
}

/**
 * An address that exists answers every method: with what it takes. Mostly without a route for it, because a program that makes thousands
 * of routes starts late; one whose manners tell more of its addresses needs them.
 */
export function answerOtherMethods(
  app: FastifyInstance,
  service: Service,
  all: Map<string, Set<string>>,
  addresses: Addresses
): void {
  const tellsMore = service.manners !== undefined && service.isForPeople !== true
  const forms = [...all].map(([url, methods]) => ({ url, methods, form: formOf(url) }))
  for (const [url, methods] of [...all]) {
    const there = { service, methods }
    if (!tellsMore) addresses.add(url, there)
    // `/things/new` would be taken for a `/things/:id` by methods that only that one takes.
    const fitting = forms.filter(other => other.url !== url && other.form.test(url))
    const others = tellsMore ? everyMethod : new Set(fitting.flatMap(other => [...other.methods]))
    const refused = [...others].filter(method => !methods.has(method))
    if (refused.length > 0) {
      app.route({
        method: refused as 'GET'[],
        url,
        exposeHeadRoute: false,
        config: { needs: 'nothing' },
        // A body does not matter here, whatever its type.
        onRequest: async () => {
          throw noSuchMethodAt(there)
        },
        handler: async () => undefined
      })
    }
    if (tellsMore) {
      app.options(url, { config: { needs: 'nothing' }, schema: {} }, (request, reply) =>
        answerOptionsAt(there, request, reply)
      )
    }
  }
}

const everyMethod = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

export function answerOptionsAt(there: Address, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { service, methods } = there
  return answerOptions(request, reply, allowed(there), service.manners?.options(request, [...methods]))
}

export function noSuchMethodAt(there: Address): Problem {
  return there.service.manners?.noSuchMethod(allowed(there)) ?? methodNotAllowed(allowed(there))
}

const allowed = ({ methods }: Address) => [...methods, 'OPTIONS'].join(', ')

/** What addresses look like that fit a route. */
function formOf(url: string): RegExp {
  const parts = url.split(/(:\w+(?:\([^)]*\))?|\*)/).map(part => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}/?$`)
}
