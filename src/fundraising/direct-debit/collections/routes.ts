import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { contentTag, ifMatch, isFresh, versionTag } from '#platform/conditional.ts'
import { once } from '#platform/idempotency.ts'
import { preferredLanguage } from '#platform/language.ts'
import { cursorOf, numberIn, Paging, readCursor, rowsToFetch, sendPage } from '#platform/paging.ts'
import type { Scope } from '#platform/service.ts'
import { collectionNotFound } from '../problems.ts'
import { makeCollection, previewCollection, recordDownload, writeFile } from './collection.ts'
import type { CollectionRow, ItemRow } from './queries.ts'
import * as collections from './queries.ts'
import {
  CollectedDonation,
  Collection,
  CollectionChange,
  CollectionPreview,
  NewCollection,
  PreviewQuery
} from './schema.ts'
import { changeCollection } from './steps.ts'
import { itemToWire, previewToWire, toWire } from './wire.ts'

const OneCollection = Type.Object({ collectionId: Type.Integer() })

export function collectionRoutes(scope: Scope): void {
  const { app, db, settings, soon } = scope
  const languageOf = (request: FastifyRequest) =>
    preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)

  async function found(id: number): Promise<CollectionRow> {
    const row = await collections.find(db, id)
    if (row === undefined) throw collectionNotFound()
    return row
  }

  app.get('/collections/preview', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'See what a collection would have if it were made now, and the first day for it',
      querystring: PreviewQuery,
      response: { 200: CollectionPreview }
    },
    handler: async request =>
      previewToWire(await previewCollection(db, request.query.campaignId, { settings }), languageOf(request))
  })

  app.post('/collections', {
    config: { needs: ['treasurer'], creates: true },
    schema: {
      summary: 'Collect the donations that were made with a mandate',
      description:
        'Takes everything that can be collected and is in no other collection, at most 5,000 donations, and tells donors with an e-mail address.',
      body: NewCollection,
      response: { 201: Collection }
    },
    handler: async (request, reply) => {
      const answer = await once(scope, request, reply, async tx => {
        const row = await makeCollection(tx, request.caller, request.body, { settings })
        const body = toWire(row, languageOf(request))
        return { location: `/collections/${row.id}`, body, etag: versionTag(row.version) }
      })
      soon('send-mail')
      return answer
    }
  })

  app.get('/collections', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'List the collections, newest first',
      querystring: Paging,
      response: { 200: Type.Array(Collection) }
    },
    handler: async (request, reply) => {
      const { limit, cursor } = request.query
      const beforeId = readCursor(cursor, numberIn)
      const [rows, total] = await Promise.all([
        collections.list(db, { beforeId, rows: rowsToFetch(limit) }),
        collections.count(db)
      ])
      const page = { rows, limit, total, cursorAfter: (row: CollectionRow) => cursorOf(row.id) }
      return sendPage(request, reply, settings, page).map(row => toWire(row, languageOf(request)))
    }
  })

  app.get('/collections/:collectionId', {
    config: { needs: ['treasurer'] },
    schema: { summary: 'Read a collection', params: OneCollection, response: { 200: Collection } },
    handler: async (request, reply) => {
      const row = await found(request.params.collectionId)
      const changed = row.status === 'made' ? await collections.listChanged(db, row.id) : []
      const answer = toWire(row, languageOf(request), changed)
      reply.header('etag', contentTag(JSON.stringify(answer), row.version))
      return answer
    }
  })

  app.get('/collections/:collectionId/donations', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'List the donations of a collection, in the order of its file',
      params: OneCollection,
      querystring: Paging,
      response: { 200: Type.Array(CollectedDonation) }
    },
    handler: async (request, reply) => {
      const { limit, cursor } = request.query
      const { id, count: total } = await found(request.params.collectionId)
      const afterPosition = readCursor(cursor, numberIn) ?? 0
      const rows = await collections.listItems(db, id, { afterPosition, rows: rowsToFetch(limit) })
      const cursorAfter = (row: ItemRow) => cursorOf(row.position)
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter }).map(itemToWire)
    }
  })

  app.get('/collections/:collectionId/pain.008.xml', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Take out the file for the bank (ISO 20022, pain.008.001.08)',
      description: 'The same bytes each time. Who took it is written down.',
      params: OneCollection,
      produces: 'application/xml',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const { row, xml } = await writeFile(db, request.params.collectionId, settings)
      reply.header('etag', contentTag(xml))
      // Whoever has it already, or only asks what it would be like, takes nothing out.
      if (request.method === 'GET' && !isFresh(request, reply)) await recordDownload(db, request.caller, row)
      return reply
        .type('application/xml; charset=utf-8')
        .header('content-disposition', `attachment; filename="direct-debits-${row.collectOn}-${row.id}.xml"`)
        .header('cache-control', 'no-store')
        .serializer(String)
        .send(xml)
    }
  })

  app.patch('/collections/:collectionId', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Move a collection on: the bank has it, the money came, or it is cancelled',
      params: OneCollection,
      body: CollectionChange,
      response: { 200: Collection }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const row = await changeCollection(db, caller, params.collectionId, body, ifMatch(request), { settings })
      soon('fold-totals')
      reply.header('etag', versionTag(row.version))
      return toWire(row, languageOf(request))
    }
  })
}
