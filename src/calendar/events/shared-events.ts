import { limitLifetime } from '#platform/http/cache-tags.ts'
import { buildContentEtag } from '#platform/http/etag.ts'
import { buildResponseFilter } from '#platform/http/response-filter.ts'
import type { JsonResult, PathKey, RequestContext, RouteResult } from '../contract/routing/route.ts'
import { isSentWhole } from '../contract/routing/serialize-result.ts'
import { eventSchema } from '../contract/shapes.ts'
import { findCacheEndMs } from './cache-lifetime.ts'
import type { Reader } from './event-row.ts'
import { listPage } from './list-queries.ts'
import { loadCached } from './load-cached.ts'
import { toEventJson } from './wire.ts'

/** An event of a list as JSON, as all visitors get it. */
export interface SharedEvent {
  id: number
  json: Buffer
  /** ETag of the JSON. */
  etag: string
  /** When it expires: no response with it is valid longer. */
  untilMs: number
}

/** True for requests that get the same events as those of other visitors, which are cached. */
export function canShareEvents(context: RequestContext, { password }: { password?: string }): boolean {
  const isVisitor = context.caller.role === undefined && password === undefined
  return isVisitor && context.valueCache !== undefined && isSentWhole(context)
}

/** The events of these ids, in that order, without those that visitors can no longer see. */
export async function loadSharedEvents(context: RequestContext, ids: number[], reader: Reader): Promise<SharedEvent[]> {
  const audience = describeAudience(context)
  const found = await loadCached<SharedEvent>(context.db, ids, {
    cache: context.valueCache,
    toKey: id => `event in lists ${id} ${audience}`,
    countBytes: ({ json }) => json.length,
    load: async (missing, untilMs) => {
      const rows = await listPage(context.db, missing, reader)
      return rows.map(row => {
        const json = toJson(toEventJson(row, { context }))
        return { id: row.id, json, etag: buildContentEtag(json), untilMs }
      })
    }
  })
  const events = ids.flatMap(id => found.get(id) ?? [])
  limitLifetime(context.reply, Math.min(...events.map(({ untilMs }) => untilMs)))
  return events
}

const filterEvent = buildResponseFilter(eventSchema)
const toJson = (body: object) => Buffer.from(JSON.stringify(filterEvent(body)))

/** The response with a page of these events; `list` is its body without them. Its ETag is built from those of the events. */
export function buildSharedList({ reply }: RequestContext, list: object, events: SharedEvent[]): JsonResult {
  const rest = JSON.stringify({ ...list, events: [] }).slice(opening.length)
  const parts = events.flatMap(({ json }, place) => (place === 0 ? [json] : [comma, json]))
  reply.header('etag', buildContentEtag(events.map(({ etag }) => etag).join('') + rest))
  return { json: Buffer.concat([opening, ...parts, Buffer.from(rest)]) }
}

const opening = Buffer.from('{"events":[')
const comma = Buffer.from(',')

/** The response to a request for one event, as all visitors get it. */
interface SharedResponse {
  result: JsonResult
  etag: string
  untilMs: number
}

/** The response to a request for one event from the cache, or else from `getEvent`. */
export async function shareEvent(
  context: RequestContext,
  { id, slug }: PathKey,
  getEvent: () => Promise<RouteResult>
): Promise<JsonResult> {
  const { valueCache: cache, reply } = context
  const key = `event ${id} ${describeAudience(context)} ${slug}`
  const shared = cache?.get<SharedResponse>(key) ?? (await buildSharedResponse(context, key, getEvent))
  limitLifetime(reply, shared.untilMs)
  reply.header('etag', shared.etag)
  return shared.result
}

async function buildSharedResponse(
  { db, valueCache: cache }: RequestContext,
  key: string,
  getEvent: () => Promise<RouteResult>
): Promise<SharedResponse> {
  const since = cache?.getGeneration() ?? 0
  const untilMs = cache === undefined ? 0 : await findCacheEndMs(db, cache)
  const { body, version, ...rest } = await getEvent()
  const json = toJson(body)
  const shared = { result: { ...rest, json }, etag: buildContentEtag(json, version), untilMs }
  cache?.put(key, shared, { tags: ['calendar'], untilMs, bytes: json.length }, since)
  return shared
}

/** Everything that the events of visitors depend on, besides the content of the database. */
export function describeAudience({ site, language, zone }: RequestContext): string {
  const { defaultLanguage, currency } = site.settings
  return `${site.root} ${site.namespace} ${language} ${defaultLanguage} ${zone} ${currency}`
}
