import { ifMatch, refuseStale } from '#platform/conditional.ts'
import { isFilePart } from '#platform/form.ts'
import type { Scope } from '#platform/service.ts'
import { envelope, image } from '../answers.ts'
import { listAnswer, pageIn, pagingParameters } from '../paging.ts'
import { mediaNotFound, noSuchRoute, notAllowed, pageNotFound } from '../problems.ts'
import { text } from '../rules.ts'
import { type Answer, addRoute, created, type RouteTable, type Visit } from '../tec.ts'
import { authorIdOf, publishers } from '../viewer.ts'
import { readPicture } from './image.ts'
import { imageBytesMax, notAnImage, removeImage, storeImage } from './media.ts'
import * as media from './queries.ts'
import { imageToWire } from './wire.ts'

/** Images are made and removed, never changed. */
const onlyVersion = 1

/** What comes around the file in a form. */
const formBytesMax = 65_536

export function mediaRoutes(scope: Scope, table: RouteTable): void {
  addRoute(scope, table, {
    methods: ['GET'],
    path: '/media',
    needs: publishers,
    summary: 'List images, newest first',
    takes: pagingParameters,
    answers: envelope('media', image),
    handler: async (visit, values) => {
      const page = pageIn(values)
      const { rows, total } = await media.list(visit.db, visit.viewer, page)
      const items = rows.map(row => imageToWire(row.image, visit.site))
      return listAnswer(visit, 'media', items, { page, total, query: {}, beyond: () => pageNotFound('image') })
    }
  })

  addRoute(scope, table, {
    methods: ['POST'],
    path: '/media',
    needs: publishers,
    summary: 'Upload an image: a form with the field file, or the image itself as body',
    takes: { alt: text('What it shows, for those who cannot see it.', 1000) },
    answers: image,
    creates: true,
    bodyBytesMax: imageBytesMax + formBytesMax,
    handler: async (visit, { alt = '' }) => {
      const { bytes, name } = uploaded(visit)
      const picture = await readPicture(bytes)
      if (picture === undefined) throw notAnImage()
      return await created(visit, async db => {
        const id = await storeImage(db, visit, picture, { name, alt, source: null })
        return { ...(await answerOf({ ...visit, db }, id)), path: `/media/${id}` }
      })
    }
  })

  addRoute(scope, table, {
    methods: ['GET'],
    path: '/media/{id}',
    needs: publishers,
    summary: 'Read what is known of an image',
    takes: {},
    answers: image,
    handler: async (visit, _values, { id }) => await answerOf(visit, id)
  })

  addRoute(scope, table, {
    methods: ['DELETE'],
    path: '/media/{id}',
    needs: publishers,
    summary: 'Remove an image for good',
    takes: {},
    answers: image,
    handler: async (visit, _values, { id }) => {
      const answer = await answerOf(visit, id)
      refuseStale(ifMatch(visit.request), onlyVersion)
      await removeImage(visit, id)
      return answer
    }
  })

  scope.app.get('/media/:id/:token/:size/:name', {
    config: { needs: 'nothing' },
    schema: {
      summary: 'An image file',
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
      if (file === undefined) throw noSuchRoute()
      return reply
        .headers({
          'content-type': file.mimeType,
          // The bytes behind an address never change.
          'cache-control': 'public, max-age=31536000, immutable',
          etag: `"${token}-${size}"`
        })
        .serializer(asItIs)
        .send(file.bytes as unknown as string)
    }
  })
}

const asItIs = (bytes: unknown) => bytes as string

async function answerOf(visit: Visit, id: number): Promise<Answer> {
  const found = await media.find(visit.db, id)
  if (found === undefined) throw mediaNotFound(id)
  if (visit.viewer.sees !== 'all' && found.authorId !== authorIdOf(visit.caller)) throw notAllowed()
  return { body: imageToWire(found.image, visit.site), version: onlyVersion }
}

function uploaded({ request, given }: Visit): { bytes: Buffer; name: string } {
  if (Buffer.isBuffer(request.body))
    return { bytes: request.body, name: nameIn(request.headers['content-disposition']) }
  if (isFilePart(given.file)) return { bytes: given.file.bytes, name: given.file.filename }
  throw notAnImage()
}

/** WordPress' clients name a raw upload in this header. */
function nameIn(disposition: string | undefined): string {
  return /filename="?([^";]{1,200})/i.exec(disposition ?? '')?.[1] ?? ''
}
