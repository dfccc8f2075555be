import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../problem.ts'

/** What a service does differently from the platform on all of its routes. */
export interface ServiceAdapter {
  /** Whether the service answers for a path that no service has, because the request comes from a browser. */
  handlesNotFound?(request: Pick<FastifyRequest, 'method' | 'headers'>): boolean
  /** Answers GET of a path that no route has; false if it cannot. */
  respondToUnknownPath?(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
  /** Called before routing: returns the URL to route, and may set the method of `request`; undefined for other URLs. */
  rewriteUrl?(request: IncomingMessage): string | undefined
  /** Parsers by media type; `*` means all others. Schemas of requests only document: the service parses its parameters itself. */
  contentTypeParsers: Record<string, (bytes: Buffer, contentType: string) => unknown>
  /** Headers of every response, also of errors; undefined removes one that every service has. */
  headers(request: FastifyRequest): Record<string, string | undefined>
  /** Methods that the caller may use at the URL of the request; empty where the service does not report them. */
  allow(request: FastifyRequest): string
  /** An error in the format that the caller asked for, text where it is not JSON; may change the reply status. */
  formatError(request: FastifyRequest, reply: FastifyReply, body: object): object | string
  /** The responses to OPTIONS, and to a method that a URL does not allow. */
  options(request: FastifyRequest, methods: string[]): object
  methodNotAllowed(allow: string): Problem
}
