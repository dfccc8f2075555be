import { Type } from 'typebox'
import { isFilePart } from '#platform/http/file-part.ts'
import type { RouteContext } from '#platform/http/service.ts'
import type { ImageJson } from '../contract/shapes.ts'
import { imageBytesMax, newNotAnImageProblem } from '../media/media.ts'
import { publisherRoles } from '../permissions/permissions.ts'
import { copyHeaders } from './call-api.ts'
import { defineWordpressRoute, type WordpressRequest, type WordpressRouteTable } from './define-route.ts'
import { listItems, newWordpressPageProblem, setListHeaders, toText } from './lists.ts'
import { type WpMedia, wpMediaSchema } from './shapes.ts'

/** A form has its own lines around the file. */
const formBytesMax = 64 * 1024

/** Images as attachments of WordPress. */
export function registerMediaRoutes(scope: RouteContext, table: WordpressRouteTable): void {
  const common = { namespace: 'wp/v2' as const, requires: publisherRoles, response: wpMediaSchema }
  defineWordpressRoute(scope, table, {
    ...common,
    methods: ['GET'],
    path: '/media',
    response: Type.Array(wpMediaSchema),
    handler: async context => {
      const found = await listItems<ImageJson>(context, 'media', {})
      if (found === undefined) throw newWordpressPageProblem()
      setListHeaders(context, found.total)
      return found.items.map(image => toWpMedia(context, image))
    }
  })
  defineWordpressRoute(scope, table, {
    ...common,
    methods: ['POST'],
    path: '/media',
    bodyBytesMax: imageBytesMax + formBytesMax,
    handler: async context => {
      const { reply, root, params } = context
      const query = { alt: toText(params.alt_text) }
      const result = await context.callApi<ImageJson>({ method: 'POST', path: '/media', query, ...findUpload(context) })
      copyHeaders(reply, result)
      reply.code(201).header('location', new URL(`${root}/wp/v2/media/${result.body.id}`).pathname)
      return toWpMedia(context, result.body)
    }
  })
  defineWordpressRoute(scope, table, {
    ...common,
    methods: ['GET'],
    path: '/media/{id}',
    handler: async context => {
      const result = await context.callApi<ImageJson>({ method: 'GET', path: `/media/${context.id}` })
      return toWpMedia(context, result.body)
    }
  })
  defineWordpressRoute(scope, table, {
    ...common,
    methods: ['DELETE'],
    path: '/media/{id}',
    response: Type.Object({ deleted: Type.Boolean(), previous: wpMediaSchema }),
    handler: async context => {
      const result = await context.callApi<ImageJson>({ method: 'DELETE', path: `/media/${context.id}` })
      return { deleted: true, previous: toWpMedia(context, result.body) }
    }
  })
}

/** The image as the body, with its name in Content-Disposition, or as the field `file` of a form. */
function findUpload({ request: { body }, params: { file } }: WordpressRequest) {
  if (Buffer.isBuffer(body)) return { body }
  if (!isFilePart(file)) throw newNotAnImageProblem()
  const name = file.filename.replace(/[^\x20-\x7e]|["\\;]/g, '_')
  return {
    body: file.bytes,
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${name}"` }
  }
}

function toWpMedia({ root }: WordpressRequest, image: ImageJson): WpMedia {
  const getFile = (url: string) => decodeURIComponent(url.split('/').at(-1) ?? '')
  const file = getFile(image.url)
  const name = file.replace(/\.\w+$/, '')
  const toSize = (url: string, mimeType: string, { width, height, filesize }: Omit<ImageJson, 'url'> | Size) => ({
    file: getFile(url),
    width,
    height,
    filesize,
    mime_type: mimeType,
    source_url: url
  })
  const mimeType = mimeTypes[image.extension] ?? `image/${image.extension}`
  const sizes = Object.entries(image.sizes).map(([size, one]) => [size, toSize(one.url, one['mime-type'], one)])
  return {
    id: image.id,
    slug: name,
    status: 'inherit',
    type: 'attachment',
    link: image.url,
    title: { rendered: name },
    caption: { rendered: '' },
    alt_text: image.alt,
    media_type: 'image',
    mime_type: mimeType,
    media_details: {
      width: image.width,
      height: image.height,
      file,
      filesize: image.filesize,
      sizes: Object.fromEntries([...sizes, ['full', toSize(image.url, mimeType, image)]])
    },
    source_url: image.url,
    _links: { self: [{ href: `${root}/wp/v2/media/${image.id}` }], collection: [{ href: `${root}/wp/v2/media` }] }
  }
}

type Size = ImageJson['sizes'][string]

const mimeTypes: Record<string, string> = { jpg: 'image/jpeg' }
