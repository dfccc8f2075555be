import type { ConfirmationRequirement } from './auth/sessions/confirmation.ts'
import type { CachePolicy } from './cache/response-cache.ts'
import type { AccessRequirement, Caller } from './caller.ts'
import type { RateLimit } from './rate-limit/limiter.ts'

/** What routes say of themselves, beside Fastify's own options. */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call: a route that does not say so stops the start. */
    requires?: AccessRequirement
    /** Of people who have signed in: a proof of the password within the last minutes. */
    requiresConfirmation?: ConfirmationRequirement
    /** Makes something: takes an Idempotency-Key. */
    creates?: boolean
    /** Part of a specification: open to local callers in protected mode. Set for `specified` routes that are no export. */
    isSpecified?: boolean
    /** Whole tables as a file. */
    isExport?: boolean
    /** Types of bodies that it takes in place of JSON; see body-parsers.ts. */
    consumes?: readonly string[]
    /** A limit of its own, besides the general one. */
    rateLimit?: RateLimit
    /** Visitors may get the answer that others got: it depends on nothing but address, language and what it rests on. */
    cache?: true | CachePolicy
    /** Goes on for as long as somebody listens: how long that is says nothing of how fast we are. */
    streaming?: boolean
    /** Is answered however many others there are: those who watch would take silence for death. */
    neverShed?: boolean
  }
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifySchema {
    summary?: string
    description?: string
    produces?: string
  }
}
