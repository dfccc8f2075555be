import { Type } from 'typebox'
import type { RouteContext } from '#platform/http/service.ts'
import type { TermJson } from '../contract/shapes.ts'
import { termWriterRoles } from '../permissions/permissions.ts'
import { type ApiCall, copyHeaders } from './call-api.ts'
import { defineWordpressRoute, type WordpressRequest, type WordpressRouteTable } from './define-route.ts'
import { listItems, setListHeaders, toCommaList, toPlainText, toText } from './lists.ts'
import { type WpTerm, wpTermSchema } from './shapes.ts'

interface TermResource {
  collection: 'categories' | 'tags'
  path: '/tribe_events_cat' | '/tags'
  writers: readonly ('author' | 'editor')[]
}

const resources: TermResource[] = [
  { collection: 'categories', path: '/tribe_events_cat', writers: termWriterRoles.category },
  { collection: 'tags', path: '/tags', writers: termWriterRoles.tag }
]

/** Categories and tags of events as terms of WordPress. */
export function registerTermRoutes(scope: RouteContext, table: WordpressRouteTable): void {
  for (const resource of resources) registerResource(scope, table, resource)
}

function registerResource(scope: RouteContext, table: WordpressRouteTable, resource: TermResource): void {
  const { collection, path, writers } = resource
  const common = { namespace: 'wp/v2' as const, response: wpTermSchema }

  defineWordpressRoute(scope, table, {
    ...common,
    methods: ['GET'],
    path,
    requires: 'public',
    response: Type.Array(wpTermSchema),
    handler: async context => {
      const found = await listItems<TermJson>(context, collection, buildListQuery(context))
      setListHeaders(context, found?.total ?? 0)
      return (found?.items ?? []).map(term => toWpTerm(context, resource, term))
    }
  })
  defineWordpressRoute(scope, table, {
    ...common,
    methods: ['POST'],
    path,
    requires: writers,
    handler: async context => {
      const term = await callTerm(context, resource, { method: 'POST', body: pickFields(context), path: '' })
      context.reply.code(201).header('location', new URL(`${context.root}/wp/v2${path}/${term.id}`).pathname)
      return term
    }
  })
  defineWordpressRoute(scope, table, {
    ...common,
    methods: ['GET'],
    path: `${path}/{id}`,
    requires: 'public',
    handler: async context =>
      await callTerm(context, resource, {
        method: 'GET',
        path: `/${context.id}`,
        query: { language: toText(context.params.language) }
      })
  })
  defineWordpressRoute(scope, table, {
    ...common,
    methods: ['POST', 'PUT', 'PATCH'],
    path: `${path}/{id}`,
    requires: writers,
    handler: async context =>
      await callTerm(context, resource, { method: 'POST', path: `/${context.id}`, body: pickFields(context) })
  })
  defineWordpressRoute(scope, table, {
    ...common,
    methods: ['DELETE'],
    path: `${path}/{id}`,
    requires: writers,
    response: Type.Object({ deleted: Type.Boolean(), previous: wpTermSchema }),
    handler: async context => ({
      deleted: true,
      previous: await callTerm(context, resource, { method: 'DELETE', path: `/${context.id}` })
    })
  })
}

async function callTerm(context: WordpressRequest, resource: TermResource, call: ApiCall): Promise<WpTerm> {
  const result = await context.callApi<TermJson>({ ...call, path: `/${resource.collection}${call.path}` })
  copyHeaders(context.reply, result)
  return toWpTerm(context, resource, result.body)
}

const fieldNames = ['name', 'description', 'slug', 'parent', 'language']

function pickFields({ params }: WordpressRequest): Record<string, unknown> {
  return Object.fromEntries(fieldNames.flatMap(name => (params[name] === undefined ? [] : [[name, params[name]]])))
}

/** Empty terms are listed unless `hide_empty` is set: the other way round than in the contract. */
function buildListQuery({ params }: WordpressRequest) {
  return {
    search: toText(params.search),
    include: toCommaList(params.include),
    exclude: toCommaList(params.exclude),
    slug: toCommaList(params.slug),
    parent: toText(params.parent),
    post: toText(params.post),
    orderby: toText(params.orderby),
    order: toText(params.order),
    language: toText(params.language),
    hide_empty: /^(?:1|true)$/.test(toPlainText(params.hide_empty)) ? 'true' : 'false'
  }
}

function toWpTerm({ root }: WordpressRequest, { path }: TermResource, term: TermJson): WpTerm {
  const collection = `${root}/wp/v2${path}`
  return {
    id: term.id,
    count: term.count,
    description: term.description,
    link: term.url,
    name: term.name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(term.parent === undefined ? {} : { parent: term.parent }),
    meta: [],
    language: term.language,
    _links: {
      self: [{ href: `${collection}/${term.id}` }],
      collection: [{ href: collection }],
      ...(term.parent ? { up: [{ href: `${collection}/${term.parent}` }] } : {}),
      'wp:post_type': [{ href: `${root}/wp/v2/tribe_events?${path.slice(1)}=${term.id}` }]
    }
  }
}
