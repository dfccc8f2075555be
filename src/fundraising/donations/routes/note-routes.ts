import { Type } from 'typebox'
import { buildVersionEtag, parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import type { RouteContext } from '#platform/http/service.ts'
import * as campaigns from '../../campaigns/queries.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import { newDonationNotFoundProblem } from '../../problems/donations.ts'
import { addNote, removeNote } from '../note.ts'
import * as notes from '../notes/queries.ts'
import { NewNote, Note } from '../notes/schema.ts'
import * as donations from '../queries.ts'

const DonationParams = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })
const NoteParams = Type.Object({ ...DonationParams.properties, noteId: Type.String({ format: 'uuid' }) })

/** Notes are never edited, so they have no versions. */
const onlyVersion = 1

export function registerNoteRoutes(scope: RouteContext): void {
  const { app, db } = scope

  app.get('/campaigns/:campaignId/donations/:donationId/notes', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'List notes on a donation, oldest first',
      description: 'Notes are for treasurers: neither the public nor the donor sees them on the donation.',
      problems: { 404: ['campaign-not-found', 'donation-not-found'] },
      params: DonationParams,
      response: { 200: Type.Array(Note) }
    },
    handler: async ({ params: { campaignId, donationId } }) => {
      const [campaign, donation, found] = await Promise.all([
        campaigns.findTerms(db, campaignId),
        donations.find(db, campaignId, donationId, 'all'),
        notes.listOfDonation(db, campaignId, donationId)
      ])
      if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId)
      if (donation === undefined) throw newDonationNotFoundProblem()
      return found
    }
  })

  app.post('/campaigns/:campaignId/donations/:donationId/notes', {
    config: { requires: ['treasurer'], creates: true },
    schema: {
      summary: 'Create a note on a donation (for treasurers)',
      description: 'A note has its author and time. It cannot be changed, only deleted.',
      problems: { 404: ['campaign-not-found', 'donation-not-found'] },
      params: DonationParams,
      body: NewNote,
      response: { 201: Note }
    },
    handler: async (request, reply) =>
      await withIdempotency(scope, request, reply, async tx => {
        const { campaignId, donationId } = request.params
        const note = await addNote(tx, { by: request.caller }, request.params, request.body)
        const location = `/campaigns/${campaignId}/donations/${donationId}/notes/${note.id}`
        return { location, body: note, etag: buildVersionEtag(onlyVersion) }
      })
  })

  app.delete('/campaigns/:campaignId/donations/:donationId/notes/:noteId', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Delete a note',
      description: 'This cannot be undone.',
      problems: { 404: ['campaign-not-found', 'donation-not-found', 'note-not-found'] },
      params: NoteParams,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await removeNote(db, { by: request.caller }, request.params, request.params.noteId)
      return reply.code(204).send(null)
    }
  })
}
