import type { RouteContext } from '#platform/http/service.ts'
import { type RedirectJson, redirectListSchema } from '../contract/redirect-shapes.ts'
import { defineRoute, type RequestContext, type RouteTable } from '../contract/routing/route.ts'
import { formatHost } from '../contract/routing/site.ts'
import * as files from '../files/queries.ts'
import { buildFileUrl } from '../files/wire.ts'
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
    summary: 'Find the item of an old URL',
    description:
      'By `slug` and `kind`, by `post_id`, by `path`, or by `upload`: a list with the item, or an empty one. Finds public items only. A slug that an item has now wins over one that another item had before.',
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
  const { kind, slug, post_id: id, path: given, upload } = values
  const choice = { wanted: language, fallback: site.settings.defaultLanguage }
  if (upload !== undefined) return (await findFile(context, upload)) ?? (await findImage(context, upload))
  if (given !== undefined) return await findByPath(context, given)
  if (id !== undefined) {
    const kinds = postKinds.filter(one => kind === undefined || one === kind)
    const host = formatHost(site).replace(/^www\./, '')
    const row = kinds.length === 0 ? undefined : await redirects.findByPostId(db, kinds, { id, host }, choice)
    return row === undefined ? undefined : { ...row, url: `${site.origin}/${row.kind}/${row.slug}/` }
  }
  if (kind === undefined || slug === undefined) return undefined
  const row = await redirects.findBySlug(db, kind, slug, choice)
  const path = kind === 'category' ? 'events/category' : kind
  return row === undefined ? undefined : { kind, ...row, url: `${site.origin}/${path}/${row.slug}/` }
}

/** A page of the site that was imported, wherever it had its pages. */
async function findByPath(context: RequestContext, given: string): Promise<RedirectJson | undefined> {
  const path = given.endsWith('/') ? given : `${given}/`
  const known = await redirects.findImportedPath(context.db, path)
  if (known === undefined) return undefined
  const parts = path
    .slice(known.base.length)
    .split('/')
    .filter(part => part !== '')
  if (known.kind === 'view') {
    const slug = parts.filter(part => viewPart.test(part)).join('/')
    return { kind: 'view', id: 0, slug, language: context.language, url: `${context.site.origin}/events/${slug}` }
  }
  const slugs = parts.filter(part => !viewPart.test(part))
  const slug = known.kind === 'category' ? slugs.at(-1) : slugs[0]
  return slug === undefined ? undefined : await findRedirect(context, { kind: known.kind, slug: decodePart(slug) })
}

/** A view, date or page, in the words that every site has; words of other languages show the whole calendar. */
const viewPart = /^(?:\d{4}-\d\d(?:-\d\d)?|list|month|day|today|week|page|\d{1,9}|ical|feed)$/

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

async function findFile(context: RequestContext, upload: string): Promise<RedirectJson | undefined> {
  const row = await files.findByUpload(context.db, upload)
  if (row === undefined) return undefined
  return { kind: 'file', id: row.id, slug: '', language: context.language, url: buildFileUrl(row, context.site) }
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
