import type { ConfirmationRequirement } from './auth/sessions/confirmation.ts'
import type { CachePolicy } from './cache/response-cache.ts'
import type { AccessRequirement } from './caller.ts'
import type { RateLimit } from './rate-limit/limiter.ts'

/** Options of routes, beside Fastify's own. */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. The server does not start if a route omits it. */
    requires?: AccessRequirement
    /** Signed-in users need to have proved their password within the last minutes. */
    requiresConfirmation?: ConfirmationRequirement
    /** Creates something: accepts an Idempotency-Key. */
    creates?: boolean
    /** Part of a specification: open to local callers in protected mode. Set for `specified` routes except exports. */
    isSpecified?: boolean
    /** Another shape of a documented resource, which the OpenAPI documents leave out. */
    isUndocumented?: boolean
    /** Exports whole tables as a file. */
    isExport?: boolean
    /** Media types that it accepts instead of JSON; see the `bodyParsers` plugin. */
    consumes?: readonly string[]
    /** A rate limit of its own, besides the general one. */
    rateLimit?: RateLimit
    /** Visitors may share the response: it depends on nothing but URL, language and its cache tags. */
    cache?: CachePolicy
    /** Stays open as long as the client listens: the duration says nothing about how fast we are. */
    streaming?: boolean
    /** Never shed under load: health checks, and the styles of the page that says so. */
    neverShed?: boolean
  }
  interface FastifySchema {
    summary?: string
    description?: string
    produces?: string
    /** Codes of the problems that the handler throws, by status, for the OpenAPI document. */
    problems?: Record<number, readonly string[]>
  }
}
