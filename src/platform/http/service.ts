import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { Caller, Role } from '../caller.ts'
import type { Settings } from '../config.ts'
import type { Change } from '../database/after-commit.ts'
import type { Database } from '../database/database.ts'
import type { Text } from '../language.ts'
import type { Log } from '../log.ts'
import type { InvalidatedTags } from './cache-tags.ts'
import type { ErrorFormat } from './errors.ts'
import type { InternalClient } from './internal-client.ts'
import type { ServiceAdapter } from './service-adapter.ts'
import type { Rule } from './validation.ts'

/** Resources under one title, with one way of spelling refusals and one OpenAPI document. */
export interface Service {
  /** What `serve` and `/openapi/<name>.json` call it. */
  name: string
  title: string
  errorFormat: ErrorFormat
  /** Words of its schemas that JSON Schema does not have. */
  rules: Rule[]
  /** Every resource's routes, in the order of the document. */
  routes: (RegisterRoutes | SpecifiedRoutes)[]
  /** For a service with the manners of another program. */
  adapter?: ServiceAdapter
  /** Requests to try first, in order. */
  examples: Example[]
  /** Fills in sample content and answers how many things it made, none where it is there already; and removes it permanently. */
  seed?: (db: Database, settings: Settings) => Promise<number>
  removeSamples?: (db: Database, by: Caller, settings: Settings) => Promise<SampleRemoval>
  /** The kinds of things that its activity is about, by the name that records call them. */
  activityTypes?: Record<string, ActivityType>
  /** Pages for people, which no OpenAPI document describes. */
  rendersHtml?: boolean
}

export type RegisterRoutes = (scope: RouteContext) => void
/** Routes of a resource that a specification has, which local callers may use before anybody has credentials. */
export interface SpecifiedRoutes {
  specified: RegisterRoutes
}

/** A kind of thing that things happen to: what others are told of it. */
export interface ActivityType {
  /** Everything that can happen to it, as records call it (`donation.created`), in words for the reference. */
  actions: Record<string, string>
  /** What anybody may read of these things now, by id; what the public may not see, or what is gone, is not among it. */
  serializePublic?(db: Database, ids: string[], origin: string): Promise<Map<string, object>>
  /** Of the actions those that everybody hears of who may see the thing. Nobody hears of others but readers. */
  publicActions?: readonly string[]
  /** Who hears of everything that happens to it, besides admins. */
  readerRoles?: readonly Role[]
  /** What answers rest on that this changes, by the names that their routes have for it; everything if it does not say. */
  invalidates?(change: Change): string[]
}

/** A request to try: with a body it makes something. */
export interface Example {
  path: string
  body?: object
  /** Needs no key. */
  isPublic?: boolean
}

export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  TypeBoxTypeProvider
>
/** What routes are made of. */
export interface RouteContext {
  app: App
  db: Database
  settings: Settings
  log: Log
  /** Has a job run within a second; a hint, as jobs also run by themselves. */
  enqueueSoon: (job: string) => void
  /** Asks any service of this process, for a page. */
  internalClient: InternalClient
  /** A number that is another one after each write through this process; undefined where writes go past it. */
  getWriteGeneration: () => number | undefined
  /** Calls when something was written, by another process too; never where no answers are kept. */
  onInvalidate: (listener: (touched: InvalidatedTags) => void) => void
}

/** What a service did when it was asked to remove its sample content. */
export interface SampleRemoval {
  removed: SampleRow[]
  kept: (SampleRow & { name: string; reason: Text })[]
}

export interface SampleRow {
  kind: string
  id: string
}
