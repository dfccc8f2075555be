import { Type } from 'typebox'
import { type Caller, challengeHeaders, type Role } from '#platform/caller.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import type { RouteTable } from '../contract/routing/route.ts'
import { getAuthorId, publisherRoles, termWriterRoles, writerRoles } from '../permissions/permissions.ts'
import { defineWordpressRoute, type WordpressRequest, type WordpressRouteTable } from './define-route.ts'
import { requireAcknowledgement } from './experimental.ts'
import { setListHeaders } from './lists.ts'
import { wpTypeSchema, wpUserSchema } from './shapes.ts'
import { buildTecDocs } from './tec-docs.ts'
import { describeNamespace } from './wordpress-index.ts'

const anyObject = { type: 'object', additionalProperties: true }

/** The caller, the post types, the documents, and the tickets that do not exist here. */
export function registerSiteRoutes(scope: RouteContext, table: WordpressRouteTable, contract: RouteTable): void {
  const wp = { namespace: 'wp/v2' as const, methods: ['GET' as const], requires: 'public' as const }
  const tec = { ...wp, namespace: 'tec/v1' as const }

  for (const namespace of ['wp/v2', 'tec/v1'] as const) {
    defineWordpressRoute(scope, table, {
      ...wp,
      namespace,
      path: '',
      response: { title: 'NamespaceIndex', ...anyObject },
      handler: async ({ root }) => describeNamespace(table, namespace, root)
    })
  }
  defineWordpressRoute(scope, table, {
    ...wp,
    path: '/users/me',
    response: wpUserSchema,
    handler: async context => {
      const { caller } = context.request
      if (caller.role === undefined) throw newNotLoggedInProblem()
      return toUser(context, caller, caller.role)
    }
  })
  defineWordpressRoute(scope, table, {
    ...wp,
    path: '/types',
    response: { type: 'object', additionalProperties: wpTypeSchema },
    handler: async ({ root }) =>
      Object.fromEntries(types.map(type => [type.slug, { ...type, _links: buildTypeLinks(root, type) }]))
  })
  for (const type of types) {
    defineWordpressRoute(scope, table, {
      ...wp,
      path: `/types/${type.slug}`,
      response: wpTypeSchema,
      handler: async ({ root }) => ({ ...type, _links: buildTypeLinks(root, type) })
    })
  }
  defineWordpressRoute(scope, table, {
    ...tec,
    path: '/docs',
    response: { title: 'OpenApiDocument', ...anyObject },
    handler: async ({ root }) => buildTecDocs(table, contract, root)
  })
  defineWordpressRoute(scope, table, {
    ...tec,
    path: '/tickets',
    response: Type.Array(Type.Integer(), { maxItems: 0 }),
    handler: async context => {
      requireAcknowledgement(context.request)
      setListHeaders(context, 0)
      return []
    }
  })
}

const newNotLoggedInProblem = () =>
  new Problem(401, 'rest_not_logged_in', buildText('calendar-problems', 'notLoggedIn'), { headers: challengeHeaders })

const wordpressRoles: Record<Role, string> = {
  admin: 'administrator',
  editor: 'editor',
  author: 'author',
  contributor: 'contributor',
  treasurer: 'subscriber',
  viewer: 'subscriber'
}

function toUser({ root, params }: WordpressRequest, caller: Caller, role: Role) {
  const id = getAuthorId(caller)
  const collection = `${root}/wp/v2/users`
  const user = {
    id,
    name: caller.name,
    url: '',
    description: '',
    link: root.replace(/wp-json$/, ''),
    slug: String(id),
    meta: [],
    _links: { self: [{ href: `${collection}/${id}` }], collection: [{ href: collection }] }
  }
  if (params.context !== 'edit') return user
  return { ...user, roles: [wordpressRoles[role]], capabilities: listCapabilities(role) }
}

/** The rights that clients look at before they write. */
function listCapabilities(role: Role): Record<string, boolean> {
  const isOneOf = (allowed: readonly Role[]) => role === 'admin' || allowed.includes(role)
  return {
    [wordpressRoles[role]]: true,
    read: true,
    edit_tribe_events: isOneOf(writerRoles),
    publish_tribe_events: isOneOf(publisherRoles),
    edit_others_tribe_events: isOneOf(['editor']),
    edit_tribe_venues: isOneOf(writerRoles),
    edit_tribe_organizers: isOneOf(writerRoles),
    upload_files: isOneOf(publisherRoles),
    manage_categories: isOneOf(termWriterRoles.tag)
  }
}

const types = [
  newType('tribe_events', 'Events', ['post_tag', 'tribe_events_cat']),
  newType('tribe_venue', 'Venues'),
  newType('tribe_organizer', 'Organizers'),
  { ...newType('attachment', 'Media'), rest_base: 'media' }
]

function newType(slug: string, name: string, taxonomies: string[] = []) {
  return {
    description: '',
    hierarchical: false,
    has_archive: slug === 'tribe_events' ? 'events' : false,
    name,
    slug,
    taxonomies,
    rest_base: slug,
    rest_namespace: 'wp/v2'
  }
}

function buildTypeLinks(root: string, { rest_base }: { rest_base: string }) {
  return { collection: [{ href: `${root}/wp/v2/types` }], 'wp:items': [{ href: `${root}/wp/v2/${rest_base}` }] }
}
