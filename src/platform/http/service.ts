import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { Caller, Role } from '../caller.ts'
import type { Settings } from '../config.ts'
import type { Change, Database } from '../database/database.ts'
import type { Text } from '../language.ts'
import type { Log } from '../log.ts'
import type { ValueCache } from './cache-tags.ts'
import type { ErrorFormat } from './errors.ts'
import type { InternalClient } from './internal-client.ts'
import type { RouteGroup } from './openapi.ts'
import type { ServiceAdapter } from './service-adapter.ts'
import type { Rule } from './validation.ts'

/** Resources under one title, with one error format and one OpenAPI document. */
export interface Service {
  /** The name in `serve` and in `/openapi/<name>.json`. */
  name: string
  title: string
  /** How its operations are grouped in the OpenAPI document; the first group that matches a path has it. */
  groups?: RouteGroup[]
  errorFormat: ErrorFormat
  /** Keywords of its schemas that JSON Schema does not have. */
  rules: Rule[]
  /** The routes of each resource, in the order of the OpenAPI document. */
  routes: (RegisterRoutes | SpecifiedRoutes)[]
  /** Paths below these belong to the service even if no route matches them. */
  prefixes?: readonly string[]
  /** The entry of its API, which the Link header of every response in this process names. */
  discovery?: { path: string; rel: string }
  /** For a service that follows the HTTP conventions of another program. */
  adapter?: ServiceAdapter
  /** Requests to try first, in order. */
  examples: Example[]
  /**
   * Creates sample content and returns how many items it made, 0 if it exists already; `removeSamples` deletes it
   * permanently.
   */
  seed?: (db: Database, settings: Settings, tools: SeedTools) => Promise<number>
  /** Stores a picture of the sample content of any service; returns its path. */
  storeSamplePicture?: (db: Database, settings: Settings, picture: SamplePicture) => Promise<string>
  removeSamples?: (db: Database, by: Caller, settings: Settings) => Promise<SampleRemoval>
  /** Resource types of its activity, by their name in the activity records. */
  activityTypes?: Record<string, ActivityType>
  /** What visitors request first: requested once after the start, so that it is fast for them. */
  warmUpPaths?: readonly string[]
  /** HTML pages, which no OpenAPI document describes. */
  rendersHtml?: boolean
}

/** A drawing for sample content. */
export interface SamplePicture {
  /** Unique among all sample pictures. */
  name: string
  svg: string
  alt: Text
}

/** What the sample content of a service can use of other services. */
export interface SeedTools {
  /** Undefined if no service of this process stores pictures. */
  storePicture?: ((picture: SamplePicture) => Promise<string>) | undefined
}

export type RegisterRoutes = (scope: RouteContext) => void
/** Routes of a resource that a specification defines; local callers may use them before any credentials exist. */
export interface SpecifiedRoutes {
  specified: RegisterRoutes
}

/** A resource type of the activity log: its actions, and who receives them. */
export interface ActivityType {
  /** All actions, by their name in the records (`donation.created`), with a description for the reference. */
  actions: Record<string, string>
  /** Public representations of these resources by id, without those that are not public or no longer exist. */
  serializePublic?(db: Database, ids: string[], origin: string): Promise<Map<string, object>>
  /** Actions that everybody who may see the resource receives. Other actions go only to readers. */
  publicActions?: readonly string[]
  /** Roles that receive every action, besides admins. */
  readerRoles?: readonly Role[]
  /** Cache tags that this change invalidates; all tags if omitted. */
  invalidates?(change: Change): string[]
}

/** A request to try: with a body it creates something. */
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
/** Dependencies of route handlers. */
export interface RouteContext {
  app: App
  db: Database
  settings: Settings
  log: Log
  /** Runs a job within a second; only a hint, as jobs also run without it. */
  enqueueSoon: (job: string) => void
  /** Calls any service of this process, for a page. */
  internalClient: InternalClient
  /** Values derived from the database, such as counts; undefined where RESPONSE_CACHE is 0. */
  valueCache: ValueCache | undefined
}

/** Result of removing the sample content of a service. */
export interface SampleRemoval {
  removed: SampleRow[]
  kept: (SampleRow & { name: string; reason: Text })[]
}

export interface SampleRow {
  kind: string
  id: string
}
