import { Type } from 'typebox'
import { record } from '#platform/activity/activity.ts'
import { newCsvWriter } from '#platform/csv/csv.ts'
import { streamLines } from '#platform/database/streaming.ts'
import { buildVersionEtag, parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { linkNumberedPages } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { NewNote, Note } from '../donations/notes/schema.ts'
import { newDonorNotFoundProblem } from '../problems/donors.ts'
import { readDonorDetails } from './donor-details.ts'
import { linkDonors } from './linking/link-donors.ts'
import * as donors from './listing/queries.ts'
import { DonorFilter, DonorListQuery, DonorParams, ListedDonor } from './listing/schema.ts'
import { buildCsvHeader, toCsvRows, toListedDonor } from './listing/wire.ts'
import { addNote, removeNote } from './notes/note.ts'
import * as notes from './notes/queries.ts'
import { DonorRecord } from './schema.ts'
import { toWire } from './wire.ts'

/** Notes are never edited, so they have no versions. */
const onlyVersion = 1
/** Donors per statement of an export. */
const exportRows = 5000

/** The donors behind the donations, for treasurers. */
export function registerDonorRecordRoutes(scope: RouteContext): void {
  const { app, db, settings } = scope
  const requires = ['treasurer'] as const

  app.get('/donor-records', {
    config: { requires },
    schema: {
      summary: 'List donors with the sums of their donations',
      description:
        'A donor is a group of donations with the same name and the same email address, account or postal address. `X-Total-Count` has the number of all that match.',
      querystring: DonorListQuery,
      response: { 200: Type.Array(ListedDonor) }
    },
    handler: async (request, reply) => {
      const { sort = 'lastDonation', order, page = 1, limit = 25, ...filter } = request.query
      // New donations are linked by a job every minute; a treasurer who looks sees the newest.
      await linkDonors(db, settings, { rounds: 1 })
      const { rows, total } = await donors.list(db, filter, settings, {
        sort,
        order: order ?? (sort === 'name' ? 'asc' : 'desc'),
        limit,
        offset: (page - 1) * limit
      })
      linkNumberedPages(request, reply, settings, { page, pages: Math.ceil(total / limit) })
      reply.header('x-total-count', String(total)).header('cache-control', 'private, no-store')
      const years = await donors.listYears(
        db,
        rows.map(({ id }) => id)
      )
      return rows.map(row => toListedDonor(row, years))
    }
  })

  app.get('/donor-records.csv', {
    config: { requires },
    schema: {
      summary: 'Export donors as CSV, by name',
      description:
        'One line for each donor and currency. With `Accept-Language: de` the file has the format that German spreadsheets expect. The export is recorded in the activity log.',
      querystring: DonorFilter,
      produces: 'text/csv',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
      const csv = newCsvWriter(language)
      await linkDonors(db, settings)
      if (request.method === 'GET') {
        const now = new Date()
        const details = { searched: request.query.search ? true : undefined }
        await db.transaction(
          async tx =>
            await record(tx, { by: request.caller, now }, 'donor.listed', { subject: 'donor', id: 'all', details })
        )
      }
      async function* batches() {
        for (let offset = 0; ; offset += exportRows) {
          const page = { sort: 'name', order: 'asc', limit: exportRows, offset } as const
          const { rows } = await donors.list(db, request.query, settings, page)
          const years = await donors.listYears(
            db,
            rows.map(({ id }) => id)
          )
          yield rows.flatMap(row => toCsvRows(toListedDonor(row, years)))
          if (rows.length < exportRows) return
        }
      }
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="donors.csv"')
        .header('content-language', language)
        .header('cache-control', 'private, no-store')
        .serializer(String)
      return reply.send(
        streamLines(csv.formatHeader(buildCsvHeader(language)), batches(), row => csv.formatRow(row)) as never
      )
    }
  })

  app.get('/donor-records/:donorId', {
    config: { requires },
    schema: {
      summary: 'Get a donor with donations, payments, receipts, mandates, letters, notes and consents',
      description:
        'A donor that was merged into another one is found as that one. Other donors who may be the same person are suggested, with the reasons.',
      problems: { 404: ['donor-not-found'] },
      params: DonorParams,
      response: { 200: DonorRecord }
    },
    handler: async ({ params }, reply) => {
      reply.header('cache-control', 'private, no-store')
      return toWire(await readDonorDetails(db, params.donorId), settings)
    }
  })

  app.get('/donor-records/:donorId/notes', {
    config: { requires },
    schema: {
      summary: 'List notes on a donor, oldest first',
      description: 'Notes are for treasurers; a donor sees them only in an export of personal data.',
      problems: { 404: ['donor-not-found'] },
      params: DonorParams,
      response: { 200: Type.Array(Note) }
    },
    handler: async ({ params }, reply) => {
      const main = await donors.findMain(db, params.donorId)
      if (main === undefined) throw newDonorNotFoundProblem()
      reply.header('cache-control', 'private, no-store')
      return await notes.listOfDonors(db, await donors.listMembers(db, main.mainId))
    }
  })

  app.post('/donor-records/:donorId/notes', {
    config: { requires, creates: true },
    schema: {
      summary: 'Create a note on a donor (for treasurers)',
      description: 'A note has its author and time. It cannot be changed, only deleted.',
      problems: { 404: ['donor-not-found'] },
      params: DonorParams,
      body: NewNote,
      response: { 201: Note }
    },
    handler: async (request, reply) =>
      await withIdempotency(scope, request, reply, async tx => {
        const { donorId } = request.params
        const note = await addNote(tx, { by: request.caller }, donorId, request.body)
        return {
          location: `/donor-records/${donorId}/notes/${note.id}`,
          body: note,
          etag: buildVersionEtag(onlyVersion)
        }
      })
  })

  app.delete('/donor-records/:donorId/notes/:noteId', {
    config: { requires },
    schema: {
      summary: 'Delete a note on a donor',
      description: 'This cannot be undone.',
      problems: { 404: ['donor-not-found', 'note-not-found'] },
      params: Type.Object({ ...DonorParams.properties, noteId: Type.String({ format: 'uuid' }) }),
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      const { donorId, noteId } = request.params
      await removeNote(db, { by: request.caller }, donorId, noteId)
      return reply.code(204).send(null)
    }
  })
}
