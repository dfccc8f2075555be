import { parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { isFilePart } from '#platform/http/file-part.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { readPicture } from '#platform/images/image.ts'
import { newTextParam } from '../contract/params.ts'
import {
  newForbiddenProblem,
  newImageNotFoundProblem,
  newPageNotFoundProblem,
  newRouteNotFoundProblem
} from '../contract/problems.ts'
import { buildListResult, pagingParams, parsePage } from '../contract/routing/paging.ts'
import {
  createOnce,
  defineRoute,
  type RequestContext,
  type RouteResult,
  type RouteTable
} from '../contract/routing/route.ts'
import { getSite } from '../contract/routing/site.ts'
import { buildListSchema, imageSchema } from '../contract/shapes.ts'
import { getAuthorId, publisherRoles } from '../permissions/permissions.ts'
import { imageBytesMax, newNotAnImageProblem, removeImage, storeImage } from './media.ts'
import * as media from './queries.ts'
import { toImageJson } from './wire.ts'

/** Images are created and deleted, never updated, so the version is constant. */
const onlyVersion = 1

/** Allowance for the form data around the file. */
const formBytesMax = 65_536

export function registerMediaRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/media',
    requires: publisherRoles,
    summary: 'List images, newest first',
    description: 'Authors see their own images, editors all of them.',
    problems: { 404: ['image-archive-page-not-found'] },
    params: pagingParams,
    response: buildListSchema('media', imageSchema),
    handler: async (context, values) => {
      const page = parsePage(values)
      const { rows, total } = await media.list(context.db, context.viewer, page)
      const items = rows.map(row => toImageJson(row.image, context.site))
      return buildListResult(context, 'media', items, {
        page,
        total,
        query: {},
        beyond: () => newPageNotFoundProblem('image')
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/media',
    requires: publisherRoles,
    summary: 'Upload an image (form field `file`, or the image as the body)',
    description: 'JPEG, PNG, GIF, WebP or AVIF. It is stored in several sizes, without the metadata of the camera.',
    problems: { 400: ['rest_upload_not_an_image'], 403: ['rest_forbidden'] },
    params: { alt: newTextParam('Alternative text.', 1000) },
    response: imageSchema,
    creates: true,
    bodyBytesMax: imageBytesMax + formBytesMax,
    handler: async (context, { alt = '' }) => {
      const { bytes, name } = parseUpload(context)
      const picture = await readPicture(bytes)
      if (picture === undefined) throw newNotAnImageProblem()
      return await createOnce(context, async db => {
        const id = await storeImage(db, context, picture, { name, alt, source: null })
        return { ...(await buildImageResult({ ...context, db }, id)), path: `/media/${id}` }
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/media/{id}',
    requires: publisherRoles,
    summary: 'Get an image',
    description: 'URLs and dimensions of all its sizes. Authors see their own images, editors all of them.',
    problems: { 403: ['rest_forbidden'], 404: ['rest-image-not-found'] },
    params: {},
    response: imageSchema,
    handler: async (context, _values, { id }) => await buildImageResult(context, id)
  })

  defineRoute(scope, table, {
    methods: ['DELETE'],
    path: '/media/{id}',
    requires: publisherRoles,
    summary: 'Delete an image permanently',
    description:
      'Events, venues and organizers that showed it have no image afterwards. Authors may remove their own images, editors all.',
    problems: { 403: ['rest_forbidden'], 404: ['rest-image-not-found'] },
    params: {},
    response: imageSchema,
    handler: async (context, _values, { id }) => {
      const answer = await buildImageResult(context, id)
      requireVersion(parseIfMatch(context.request), onlyVersion)
      await removeImage(context, id)
      return answer
    }
  })

  scope.app.get('/media/:id/:token', {
    config: { requires: 'public', cache: { tags: ['calendar'] } },
    schema: {
      summary: 'Get the sizes of an image by its key',
      description: 'The key is in the URL of each of its files: a page that shows one of them can offer all sizes.',
      problems: { 404: ['rest_no_route'] },
      params: { type: 'object', properties: { id: { type: 'integer' }, token: { type: 'string' } } },
      response: { 200: imageSchema }
    },
    handler: async request => {
      const { id = '', token = '' } = request.params as Record<string, string>
      const found = /^\d{1,15}$/.test(id) ? await media.find(scope.db, Number(id)) : undefined
      if (found === undefined || found.image.token !== token) throw newRouteNotFoundProblem()
      return toImageJson(found.image, getSite(request, scope.settings))
    }
  })

  scope.app.get('/media/:id/:token/:size/:name', {
    config: { requires: 'public' },
    schema: {
      summary: 'Download an image file',
      description: 'The URL of a file is part of the image. Its bytes never change, so it can be cached permanently.',
      problems: { 404: ['rest_no_route'] },
      params: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          token: { type: 'string' },
          size: { type: 'string' },
          name: { type: 'string' }
        }
      },
      produces: 'image/*',
      response: { 200: { type: 'string', format: 'binary' } }
    },
    handler: async (request, reply) => {
      const { id = '', token = '', size = '' } = request.params as Record<string, string>
      const isOurs = /^\d{1,15}$/.test(id) && /^[0-9a-f]{16}$/.test(token) && /^\w{1,20}$/.test(size)
      const file = isOurs ? await media.findFile(scope.db, Number(id), token, size) : undefined
      if (file === undefined) throw newRouteNotFoundProblem()
      return reply
        .headers({
          'content-type': file.mimeType,
          // The bytes behind a URL never change.
          'cache-control': 'public, max-age=31536000, immutable',
          etag: `"${token}-${size}"`
        })
        .serializer(passThrough)
        .send(file.bytes as unknown as string)
    }
  })
}

const passThrough = (bytes: unknown) => bytes as string

async function buildImageResult(context: RequestContext, id: number): Promise<RouteResult> {
  const found = await media.find(context.db, id)
  if (found === undefined) throw newImageNotFoundProblem(id)
  if (context.viewer.visibility !== 'all' && found.authorId !== getAuthorId(context.caller)) throw newForbiddenProblem()
  return { body: toImageJson(found.image, context.site), version: onlyVersion }
}

function parseUpload({ request, rawParams }: RequestContext): { bytes: Buffer; name: string } {
  if (Buffer.isBuffer(request.body))
    return { bytes: request.body, name: parseDispositionName(request.headers['content-disposition']) }
  if (isFilePart(rawParams.file)) return { bytes: rawParams.file.bytes, name: rawParams.file.filename }
  throw newNotAnImageProblem()
}

/** WordPress clients send the file name of a raw upload in this header. */
function parseDispositionName(disposition: string | undefined): string {
  return /filename="?([^";]{1,200})/i.exec(disposition ?? '')?.[1] ?? ''
}
