import { Type } from 'typebox'
import { newCredentialsMissingProblem } from '#platform/caller.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { Problem } from '#platform/problem.ts'
import { writerRoles } from '../permissions/permissions.ts'
import { type ApiResult, copyHeaders } from './call-api.ts'
import {
  defineWordpressRoute,
  type WordpressNamespace,
  type WordpressRequest,
  type WordpressRouteTable
} from './define-route.ts'
import { requireAcknowledgement } from './experimental.ts'
import {
  listItems,
  newTecPageProblem,
  newWordpressPageProblem,
  postOrders,
  setListHeaders,
  toCommaList,
  toPlainText,
  toText
} from './lists.ts'
import { toContractFields } from './post-fields.ts'
import { type PostCollection, type PostJson, postWriters } from './post-wire.ts'
import { postSchemas } from './shapes.ts'

interface PostResource {
  namespace: WordpressNamespace
  /** The collection of the contract, and its path in the namespace. */
  collection: PostCollection
  path: string
}

const resources: PostResource[] = [
  { namespace: 'wp/v2', collection: 'events', path: '/tribe_events' },
  { namespace: 'wp/v2', collection: 'venues', path: '/tribe_venue' },
  { namespace: 'wp/v2', collection: 'organizers', path: '/tribe_organizer' },
  { namespace: 'tec/v1', collection: 'events', path: '/events' },
  { namespace: 'tec/v1', collection: 'venues', path: '/venues' },
  { namespace: 'tec/v1', collection: 'organizers', path: '/organizers' }
]

/** Events, venues and organizers as posts of WordPress (`wp/v2`), and with their fields (`tec/v1`). */
export function registerPostRoutes(scope: RouteContext, table: WordpressRouteTable): void {
  for (const resource of resources) registerResource(scope, table, resource)
}

function registerResource(scope: RouteContext, table: WordpressRouteTable, resource: PostResource): void {
  const { namespace, collection, path } = resource
  const schema = postSchemas[namespace][collection]
  const define = (
    methods: ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[],
    suffix: '' | '/{id}',
    { response, handler }: { response: object; handler: (context: WordpressRequest) => Promise<object> }
  ) =>
    defineWordpressRoute(scope, table, {
      namespace,
      methods,
      path: path + suffix,
      requires: methods.includes('GET') ? 'public' : writerRoles,
      response,
      handler: async context => {
        if (namespace === 'tec/v1') requireAcknowledgement(context.request)
        return await handler(context)
      }
    })

  define(['GET'], '', { response: Type.Array(schema), handler: async context => await listPosts(context, resource) })
  define(['POST'], '', {
    response: schema,
    handler: async context => {
      const body = toContractFields(collection, context.params)
      const made = await context.callApi<PostJson>({ method: 'POST', path: `/${collection}`, body })
      const post = toPost(context, resource, made)
      const { pathname } = new URL(`${context.root}/${namespace}${path}/${post.id}`)
      context.reply.code(201).header('location', pathname)
      return post
    }
  })
  define(['GET'], '/{id}', {
    response: schema,
    handler: async context => {
      const query = { ...pickReadParams(context), context: isEditing(context) ? 'edit' : undefined }
      return toPost(context, resource, await callItem(context, collection, { method: 'GET', query }))
    }
  })
  define(['POST', 'PUT', 'PATCH'], '/{id}', {
    response: schema,
    handler: async context => {
      const body = toContractFields(collection, context.params)
      return toPost(context, resource, await callItem(context, collection, { method: 'POST', body }))
    }
  })
  define(['DELETE'], '/{id}', {
    // A trashed item, or the item that was deleted permanently.
    response: Type.Object({
      ...Type.Partial(schema).properties,
      deleted: Type.Optional(Type.Boolean()),
      previous: Type.Optional(schema)
    }),
    handler: async context => {
      const force = /^(?:1|true)$/.test(toPlainText(context.params.force))
      const query = { force: force ? 'true' : undefined }
      const post = toPost(context, resource, await callItem(context, collection, { method: 'DELETE', query }))
      return force ? { deleted: true, previous: post } : post
    }
  })
}

async function callItem(
  { callApi, id }: WordpressRequest,
  collection: PostCollection,
  call: Omit<Parameters<WordpressRequest['callApi']>[0], 'path'>
): Promise<ApiResult<PostJson>> {
  return await callApi<PostJson>({ ...call, path: `/${collection}/${id}` })
}

function toPost(context: WordpressRequest, resource: PostResource, result: ApiResult<PostJson>) {
  copyHeaders(context.reply, result)
  return writePost(context, resource, result.body)
}

function writePost(context: WordpressRequest, { namespace, collection, path }: PostResource, item: PostJson) {
  const { root, now } = context
  const isWrite = context.request.method !== 'GET'
  const view = { root, now, collectionUrl: `${root}/${namespace}${path}`, isEditing: isWrite || isEditing(context) }
  return postWriters[namespace][collection](item, view)
}

/** `context=edit` needs credentials, as in WordPress. */
function isEditing({ params, request }: WordpressRequest): boolean {
  if (params.context !== 'edit') return false
  if (request.caller.role === undefined) throw newCredentialsMissingProblem()
  return true
}

const pickReadParams = ({ params }: WordpressRequest) => ({
  password: toText(params.password),
  language: toText(params.language)
})

async function listPosts(context: WordpressRequest, resource: PostResource): Promise<object[]> {
  const { params } = context
  const slug = toCommaList(params.slug)
  if (slug !== undefined) return await listBySlug(context, resource, slug.split(','))
  const found = await listItems<PostJson>(context, resource.collection, buildListQuery(context, resource))
  if (found === undefined) throw resource.namespace === 'wp/v2' ? newWordpressPageProblem() : newTecPageProblem()
  setListHeaders(context, found.total)
  return found.items.map(item => writePost(context, resource, item))
}

/** At most this many slugs in one request. */
const slugsMax = 20

async function listBySlug(context: WordpressRequest, resource: PostResource, slugs: string[]): Promise<object[]> {
  const posts: object[] = []
  // Dots alone would name another path.
  for (const slug of slugs.filter(one => !/^\.*$/.test(one)).slice(0, slugsMax)) {
    const path = `/${resource.collection}/by-slug/${encodeURIComponent(slug)}`
    try {
      posts.push(
        toPost(context, resource, await context.callApi({ method: 'GET', path, query: pickReadParams(context) }))
      )
    } catch (error) {
      // A list has no item for a slug that does not exist or that the caller may not see.
      if (!(error instanceof Problem) || error.status >= 500) throw error
    }
  }
  setListHeaders(context, posts.length)
  return posts
}

function buildListQuery(context: WordpressRequest, { namespace, collection }: PostResource) {
  const { params } = context
  isEditing(context)
  const isEvents = collection === 'events'
  const orderby = toText(params.orderby)
  const status = toCommaList(params.status)
  const defaultOrder = namespace === 'wp/v2' ? 'date' : undefined
  return {
    ...pickReadParams(context),
    search: toText(params.search),
    include: toCommaList(params.include),
    // Without a status the contract lists everything that the caller may see.
    status: status === 'any' && context.request.caller.role !== undefined ? undefined : status,
    order: toText(params.order)?.toLowerCase() ?? (namespace === 'wp/v2' ? 'desc' : undefined),
    orderby: orderby === undefined ? defaultOrder : (postOrders[namespace][orderby] ?? orderby),
    ...(isEvents ? buildEventQuery(params, namespace) : {})
  }
}

/**
 * `wp/v2` lists events that are not over, as The Events Calendar has it in WordPress; `tec/v1` lists all of them unless
 * the request has dates.
 */
function buildEventQuery(params: Record<string, unknown>, namespace: WordpressNamespace) {
  const tags = toCommaList(params.tags)
  if (namespace === 'wp/v2') return { tags, categories: toCommaList(params.tribe_events_cat), ends_after: 'now' }
  return {
    tags,
    categories: toCommaList(params.categories ?? params.tribe_events_cat),
    venue: toCommaList(params.venue),
    organizer: toCommaList(params.organizer),
    featured: toText(params.featured),
    start_date: toText(params.start_date) ?? '1900-01-01',
    end_date: toText(params.end_date) ?? '2200-12-31'
  }
}
