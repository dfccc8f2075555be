import { Type } from 'typebox'
import { ifMatch, refuseStale, versionTag } from '#platform/conditional.ts'
import { once } from '#platform/idempotency.ts'
import type { Scope } from '#platform/service.ts'
import * as campaigns from '../campaigns/queries.ts'
import * as donations from '../donations/queries.ts'
import { campaignNotFound, donationNotFound } from '../problems.ts'
import { addNote, removeNote } from './note.ts'
import * as notes from './queries.ts'
import { NewNote, Note } from './schema.ts'

const OfDonation = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })
const OneNote = Type.Object({ ...OfDonation.properties, noteId: Type.String({ format: 'uuid' }) })

/** A note is never edited. */
const onlyVersion = 1

export function noteRoutes(scope: Scope): void {
  const { app, db } = scope

  app.get('/campaigns/:campaignId/donations/:donationId/notes', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'List the notes on a donation, oldest first',
      params: OfDonation,
      response: { 200: Type.Array(Note) }
    },
    handler: async ({ params: { campaignId, donationId } }) => {
      const [campaign, donation, found] = await Promise.all([
        campaigns.findTerms(db, campaignId),
        donations.find(db, campaignId, donationId, 'all'),
        notes.listOfDonation(db, campaignId, donationId)
      ])
      if (campaign === undefined) throw campaignNotFound(campaignId)
      if (donation === undefined) throw donationNotFound()
      return found
    }
  })

  app.post('/campaigns/:campaignId/donations/:donationId/notes', {
    config: { needs: ['treasurer'], creates: true },
    schema: {
      summary: 'Write down a note on a donation, for treasurers',
      params: OfDonation,
      body: NewNote,
      response: { 201: Note }
    },
    handler: async (request, reply) =>
      await once(scope, request, reply, async tx => {
        const { campaignId, donationId } = request.params
        const note = await addNote(tx, request.caller, request.params, request.body)
        const location = `/campaigns/${campaignId}/donations/${donationId}/notes/${note.id}`
        return { location, body: note, etag: versionTag(onlyVersion) }
      })
  })

  app.delete('/campaigns/:campaignId/donations/:donationId/notes/:noteId', {
    config: { needs: ['treasurer'] },
    schema: { summary: 'Remove a note', params: OneNote, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      refuseStale(ifMatch(request), onlyVersion)
      await removeNote(db, request.caller, request.params, request.params.noteId)
      return reply.code(204).send(null)
    }
  })
}
