import type { Caller, Needs } from './access.ts'
import type { NeedsConfirmation } from './confirmation/confirmation.ts'
import type { Limit } from './limits.ts'
import type { Sharing } from './sharing.ts'

/** What routes say of themselves, beside Fastify's own options. */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call: a route that does not say so stops the start. */
    needs?: Needs
    /** Of people who have signed in: a proof of the password within the last minutes. */
    needsConfirmation?: NeedsConfirmation
    /** Makes something: takes an Idempotency-Key. */
    creates?: boolean
    /** Part of a specification: open to local callers in protected mode. Set for `specified` routes that are no export. */
    isSpecified?: boolean
    /** Whole tables as a file. */
    isExport?: boolean
    /** Types of bodies that it takes in place of JSON; see read-bodies.ts. */
    takes?: readonly string[]
    /** A limit of its own, besides the general one. */
    limit?: Limit
    /** Visitors may get the answer that others got: it depends on nothing but address, language and what it rests on. */
    shared?: true | Sharing
    /** Goes on for as long as somebody listens: how long that is says nothing of how fast we are. */
    endless?: boolean
    /** Is answered however many others there are: those who watch would take silence for death. */
    vital?: boolean
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
