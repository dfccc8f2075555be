import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { buildContentEtag, buildVersionEtag, isFresh, parseIfMatch } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { decodeCursor, encodeCursor, getFetchSize, Paging, parseNumber, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { newCollectionNotFoundProblem } from '../../../problems/direct-debit.ts'
import { buildCollectionFile, createCollection, previewCollection, recordDownload } from './collection.ts'
import type { CollectionItemRow } from './item-queries.ts'
import * as collectionItems from './item-queries.ts'
import type { CollectionRow } from './queries.ts'
import * as collections from './queries.ts'
import {
  CollectedDonation,
  Collection,
  CollectionChange,
  CollectionPreview,
  NewCollection,
  PreviewQuery
} from './schema.ts'
import { changeCollection } from './status.ts'
import { toItemJson, toPreviewJson, toWire } from './wire.ts'

const CollectionParams = Type.Object({ collectionId: Type.Integer() })

export function registerCollectionRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope
  const languageOf = (request: FastifyRequest) =>
    negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)

  async function found(id: number): Promise<CollectionRow> {
    const row = await collections.find(db, id)
    if (row === undefined) throw newCollectionNotFoundProblem()
    return row
  }

  app.get('/collections/preview', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Preview the next direct debit batch and its earliest collection date',
      description: 'Number and sum of the donations to collect. Nothing is changed.',
      problems: { 409: ['no-direct-debit'] },
      querystring: PreviewQuery,
      response: { 200: CollectionPreview }
    },
    handler: async request =>
      toPreviewJson(await previewCollection(db, request.query.campaignId, { settings }), languageOf(request))
  })

  app.post('/collections', {
    config: { requires: ['treasurer'], creates: true },
    schema: {
      summary: 'Create a direct debit batch',
      description:
        'Contains all donations that can be collected and are in no other batch, at most 5,000. Donors with an email address get a pre-notification.',
      problems: {
        400: ['wrong-number'],
        409: ['no-direct-debit'],
        422: ['nothing-to-collect', 'wrong-collection-day']
      },
      body: NewCollection,
      response: { 201: Collection }
    },
    handler: async (request, reply) => {
      const answer = await withIdempotency(scope, request, reply, async tx => {
        const row = await createCollection(tx, request.caller, request.body, { settings })
        const body = toWire(row, languageOf(request))
        return { location: `/collections/${row.id}`, body, etag: buildVersionEtag(row.version) }
      })
      enqueueSoon('send-emails')
      return answer
    }
  })

  app.get('/collections', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'List direct debit batches, newest first',
      description: 'Each with its status, collection date, number of donations and amount.',
      querystring: Paging,
      response: { 200: Type.Array(Collection) }
    },
    handler: async (request, reply) => {
      const { limit, cursor } = request.query
      const beforeId = decodeCursor(cursor, parseNumber)
      const [rows, total] = await Promise.all([
        collections.list(db, { beforeId, rows: getFetchSize(limit) }),
        collections.count(db)
      ])
      const page = { rows, limit, total, cursorAfter: (row: CollectionRow) => encodeCursor(row.id) }
      return sendPage(request, reply, settings, page).map(row => toWire(row, languageOf(request)))
    }
  })

  app.get('/collections/:collectionId', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Get a direct debit batch',
      description: 'Status, collection date, amount and the possible next statuses.',
      problems: { 404: ['collection-not-found'] },
      params: CollectionParams,
      response: { 200: Collection }
    },
    handler: async (request, reply) => {
      const row = await found(request.params.collectionId)
      const changed = row.status === 'made' ? await collectionItems.listChangedReferences(db, row.id) : []
      const answer = toWire(row, languageOf(request), changed)
      reply.header('etag', buildContentEtag(JSON.stringify(answer), row.version))
      return answer
    }
  })

  app.get('/collections/:collectionId/donations', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'List donations of a direct debit batch, in file order',
      description: 'With reference, name and amount of each donation.',
      problems: { 404: ['collection-not-found'] },
      params: CollectionParams,
      querystring: Paging,
      response: { 200: Type.Array(CollectedDonation) }
    },
    handler: async (request, reply) => {
      const { limit, cursor } = request.query
      const { id, count: total } = await found(request.params.collectionId)
      const afterPosition = decodeCursor(cursor, parseNumber) ?? 0
      const rows = await collectionItems.listItems(db, id, { afterPosition, rows: getFetchSize(limit) })
      const cursorAfter = (row: CollectionItemRow) => encodeCursor(row.position)
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter }).map(toItemJson)
    }
  })

  app.get('/collections/:collectionId/pain.008.xml', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Download the bank file (ISO 20022 pain.008.001.08)',
      description: 'Every download returns the same bytes. Downloads are recorded in the activity log.',
      problems: { 404: ['collection-not-found'], 409: ['collection-out-of-date'], 410: ['collection-file-gone'] },
      params: CollectionParams,
      produces: 'application/xml',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const { row, xml } = await buildCollectionFile(db, request.params.collectionId, settings)
      reply.header('etag', buildContentEtag(xml))
      // A HEAD request or a 304 response downloads nothing, so it is not recorded.
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
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Update the status of a direct debit batch (submitted, done, cancelled)',
      description:
        '`submitted`: the file was sent to the bank. `done`: the sum was credited, and its donations become TRANSFERRED. `cancelled`: its donations can be collected with another batch.',
      problems: {
        404: ['collection-not-found'],
        409: ['collected-too-early', 'collection-out-of-date', 'donation-has-receipt', 'later-payments'],
        422: ['illegal-review', 'illegal-status-change', 'more-than-received', 'recall-first', 'too-large']
      },
      params: CollectionParams,
      body: CollectionChange,
      response: { 200: Collection }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const row = await changeCollection(
        db,
        { by: caller, expected: parseIfMatch(request), settings },
        params.collectionId,
        body
      )
      enqueueSoon('fold-totals')
      reply.header('etag', buildVersionEtag(row.version))
      return toWire(row, languageOf(request))
    }
  })
}
