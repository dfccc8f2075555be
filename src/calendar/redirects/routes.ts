import type { RouteContext } from '#platform/http/service.ts'
import { type RedirectJson, redirectListSchema } from '../contract/redirect-shapes.ts'
import { defineRoute, type RequestContext, type RouteTable } from '../contract/routing/route.ts'
import * as media from '../media/queries.ts'
import { toImageJson } from '../media/wire.ts'
import * as redirects from './queries.ts'
import { type RedirectValues, redirectParams } from './schema.ts'

const postKinds = ['event', 'venue', 'organizer'] as const

/** Items of old addresses: renamed ones, and those of a WordPress site that was imported. */
export function registerRedirectRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/redirects',
    requires: 'public',
    summary: 'Find the item of an old address',
    description:
      'By `slug` and `kind`, by `post_id`, or by `upload`: a list with the item, or an empty one. Finds public items only. A slug that an item has now wins over one that another item had before.',
    params: redirectParams,
    response: redirectListSchema,
    handler: async (context, values) => {
      const found = await findRedirect(context, values)
      return { body: { redirects: found === undefined ? [] : [found] }, language: found?.language ?? context.language }
    }
  })
}

async function findRedirect(context: RequestContext, values: RedirectValues): Promise<RedirectJson | undefined> {
  const { db, site, language } = context
  const { kind, slug, post_id: id, upload } = values
  const choice = { wanted: language, fallback: site.settings.defaultLanguage }
  if (upload !== undefined) return await findImage(context, upload)
  if (id !== undefined) {
    const kinds = postKinds.filter(one => kind === undefined || one === kind)
    const host = site.host.replace(/^www\./, '')
    const row = kinds.length === 0 ? undefined : await redirects.findByPostId(db, kinds, { id, host }, choice)
    return row === undefined ? undefined : { ...row, url: `${site.origin}/${row.kind}/${row.slug}/` }
  }
  if (kind === undefined || slug === undefined) return undefined
  const row = await redirects.findBySlug(db, kind, slug, choice)
  const path = kind === 'category' ? 'events/category' : kind
  return row === undefined ? undefined : { kind, ...row, url: `${site.origin}/${path}/${row.slug}/` }
}

async function findImage(context: RequestContext, upload: string): Promise<RedirectJson | undefined> {
  const id = await redirects.findImageByUpload(context.db, listUploadPaths(upload))
  const row = id === undefined ? undefined : await media.find(context.db, id)
  if (row === undefined) return undefined
  const { url } = toImageJson(row.image, context.site)
  return { kind: 'image', id: row.image.id, slug: '', language: context.language, url }
}

/** WordPress adds the size to the names of smaller files, and `-scaled` to that of a large original. */
function listUploadPaths(path: string): string[] {
  const original = path.replace(/-(?:\d{1,5}x\d{1,5}|scaled)(?=\.\w{1,5}$)/, '')
  return [path, original, original.replace(/(?=\.\w{1,5}$)/, '-scaled')]
}
