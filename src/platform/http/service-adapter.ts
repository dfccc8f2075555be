import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../problem.ts'

/** How a service differs from ours in what every route does. */
export interface ServiceAdapter {
  /** Is a path the service's, also if there is nothing at it? */
  ownsPath(path: string): boolean
  /** Does the service answer for an address where nothing is, because somebody with a browser came there? */
  handlesNotFound?(request: FastifyRequest): boolean
  /** Looks at a request before its route is chosen: may rewrite the address, and the method of `request`. */
  rewriteUrl(request: IncomingMessage): string
  /** What a body of each type becomes; `*` stands for all others. Schemas only describe: the service reads its parameters itself. */
  contentTypeParsers: Record<string, (bytes: Buffer, contentType: string) => unknown>
  /** What every answer carries, also a refusal. */
  headers(request: FastifyRequest): Record<string, string>
  /** The methods that the caller may use at the address of the request; empty where that is not said. */
  allow(request: FastifyRequest): string
  /** A refusal in the form that the caller asked for, text where it is not JSON; it may change the status of the reply. */
  formatError(request: FastifyRequest, reply: FastifyReply, body: object): object | string
  /** The answer to OPTIONS, and to a method that an address does not take. */
  options(request: FastifyRequest, methods: string[]): object
  methodNotAllowed(allow: string): Problem
}
