import { Type } from 'typebox'
import { buildVersionEtag, parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { DonorParams } from '../listing/schema.ts'
import { readDuplicates } from './duplicates.ts'
import { markDifferentDonors, mergeDonors, undoMerge } from './merge.ts'
import * as merging from './queries.ts'
import { Duplicate, Merge, OtherDonor } from './schema.ts'
import { toMergeJson } from './wire.ts'

/** As many as a treasurer looks at in one go; the next ones follow when these are decided. */
const duplicatesMax = 100
/** A merge is undone, never edited, so it has no versions. */
const onlyVersion = 1

/** Donors who are the same person, for treasurers: suggested by the program, never merged by it. */
export function registerDonorMergeRoutes(scope: RouteContext): void {
  const { app, db } = scope
  const requires = ['treasurer'] as const

  app.get('/donor-duplicates', {
    config: { requires },
    schema: {
      summary: 'List pairs of donors who may be the same person',
      description: 'At most 100, those with most in common first. Nothing is merged automatically.',
      response: { 200: Type.Array(Duplicate) }
    },
    handler: async (_request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return await readDuplicates(db, await merging.listDuplicates(db, duplicatesMax))
    }
  })

  app.post('/donor-records/:donorId/merges', {
    config: { requires, creates: true },
    schema: {
      summary: 'Merge another donor into this one',
      description:
        'Both are shown as one donor from now on. Donations, receipts and letters are not changed. The merge can be undone.',
      problems: { 404: ['donor-not-found'], 409: ['same-donor'], 422: ['donor-not-found'] },
      params: DonorParams,
      body: OtherDonor,
      response: { 201: Merge }
    },
    handler: async (request, reply) =>
      await withIdempotency(scope, request, reply, async tx => {
        const { donorId } = request.params
        const merge = await mergeDonors(tx, { by: request.caller }, donorId, request.body.donorId)
        return {
          location: `/donor-records/${donorId}/merges/${merge.id}`,
          body: toMergeJson(merge),
          etag: buildVersionEtag(onlyVersion)
        }
      })
  })

  app.delete('/donor-records/:donorId/merges/:mergeId', {
    config: { requires },
    schema: {
      summary: 'Undo a merge of two donors',
      description:
        'Both are shown separately again. Refused if one of them was merged with a third one later, or was erased. The record of the merge is kept.',
      problems: { 404: ['merge-not-found'], 409: ['merge-is-undone', 'merge-superseded', 'merged-donor-erased'] },
      params: Type.Object({ ...DonorParams.properties, mergeId: Type.String({ format: 'uuid' }) }),
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      const { donorId, mergeId } = request.params
      await undoMerge(db, { by: request.caller }, donorId, mergeId)
      return reply.code(204).send(null)
    }
  })

  app.post('/donor-records/:donorId/distinctions', {
    config: { requires },
    schema: {
      summary: 'Mark two donors as different people',
      description: 'The pair is no longer suggested as a duplicate. They can still be merged.',
      problems: { 404: ['donor-not-found'], 409: ['same-donor'], 422: ['donor-not-found'] },
      params: DonorParams,
      body: OtherDonor,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await markDifferentDonors(db, { by: request.caller }, request.params.donorId, request.body.donorId)
      return reply.code(204).send(null)
    }
  })
}
