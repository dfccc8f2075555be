import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { defaultBatchRows, fetchBatches } from '#platform/database/streaming.ts'
import { parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import type { Donor } from './donor.ts'
import { eraseDonor, findDonor, findRetentionYears, findSummary, recordExport } from './donor.ts'
import { personalDataSources } from './personal-data.ts'
import type { PersonDonation } from './queries.ts'
import * as donors from './queries.ts'
import { DonorData, DonorQuery, DonorSummary, Erased, Erasure } from './schema.ts'
import { toRetainedJson, toWire } from './wire.ts'

const DonorParams = Type.Object({ donationId: Type.String({ format: 'uuid' }) })

/** Enough to see that the identifiers match several people. */
const namesMax = 10

/** Export and erasure of the person behind a donation. */
export function registerDonorRoutes({ app, db, settings }: RouteContext): void {
  const languageOf = (request: FastifyRequest) =>
    negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)

  app.get('/donors/:donationId', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Export a donor’s personal data (GDPR Art. 15)',
      description: 'IBANs are included in full. The export is recorded in the activity log.',
      problems: { 404: ['donation-not-found'] },
      params: DonorParams,
      querystring: DonorQuery,
      produces: 'application/json',
      response: { 200: DonorData }
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      const donor = await findDonor(db, settings, params.donationId, query.scope ?? 'person')
      if (request.method === 'GET') await recordExport(db, { by: caller }, donor, await donors.count(db, donor, 'all'))
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="donor-${params.donationId}.json"`)
        .header('cache-control', 'no-store')
        .serializer(String)
        .send(Readable.from(exported(donor, new Date())) as never)
    }
  })

  /** Streamed, because a company can have thousands of donations. */
  async function* exported(donor: Donor, now: Date): AsyncGenerator<string> {
    const foundBy = { donation: donor.donation.id, email: donor.email, iban: donor.iban }
    yield `{"exportedAt":${JSON.stringify(now)},"foundBy":${JSON.stringify(foundBy)},"donations":[`
    const keys: donors.DonorDonationKey[] = []
    const rows = fetchBatches<PersonDonation>(after =>
      donors.listOfPerson(db, donor, { after, rows: defaultBatchRows })
    )
    for await (const chunk of rows) {
      const [histories, notes] = await Promise.all([donors.listHistories(db, chunk), donors.listNotes(db, chunk)])
      const written = chunk.map(row => JSON.stringify(toWire(row, settings, { histories, notes })))
      yield `${keys.length === 0 ? '' : ','}${written.join(',')}`
      keys.push(...chunk.map(({ campaignId, id }) => ({ campaignId, id })))
    }
    yield ']'
    for (const what of ['mandates', 'receipts', 'payments', 'payerRules', 'donorRecords', 'news'] as const) {
      yield `,"${what}":${JSON.stringify(await knownBy(what, keys))}`
    }
    yield '}'
  }

  /** Loads the source in batches; removes duplicates of records that belong to several donations. */
  async function knownBy(what: string, keys: donors.DonorDonationKey[]): Promise<object[]> {
    const part = personalDataSources.find(one => one.kind === what)
    const found = new Map<string, object>()
    for (let start = 0; start < keys.length; start += defaultBatchRows) {
      const some = (await part?.list(db, keys.slice(start, start + defaultBatchRows))) ?? []
      for (const one of some) found.set(JSON.stringify(one), one)
    }
    return [...found.values()]
  }

  app.get('/donors/:donationId/summary', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Preview the erasure of a donor’s personal data',
      description:
        'Finds the other donations of the same person as `GET /donors/{donationId}` does. Nothing is changed.',
      problems: { 404: ['donation-not-found'] },
      params: DonorParams,
      querystring: DonorQuery,
      response: { 200: DonorSummary }
    },
    handler: async request => {
      const { params, query } = request
      const donor = await findDonor(db, settings, params.donationId, query.scope ?? 'person')
      const [{ donations, kept }, names, years] = await Promise.all([
        findSummary(db, donor),
        donors.listNames(db, donor, namesMax),
        findRetentionYears(db)
      ])
      return { donations, names, kept: toRetainedJson(kept, years, languageOf(request)) }
    }
  })

  app.post('/donors/:donationId/erase', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Erase a donor’s personal data (GDPR Art. 17)',
      description:
        'Name, email, postal address, account, message, consents and notes are erased; amounts, statuses and references are ' +
        'kept. Idempotent.',
      problems: { 404: ['donation-not-found'] },
      params: DonorParams,
      body: Erasure,
      response: { 200: Erased }
    },
    handler: async request => {
      const { caller, params, body } = request
      const donor = await findDonor(db, settings, params.donationId, body.scope ?? 'person')
      const { donations, kept } = await eraseDonor(db, caller, donor, {
        reason: body.reason ?? 'request',
        expected: parseIfMatch(request)
      })
      return { donations, kept: toRetainedJson(kept, await findRetentionYears(db), languageOf(request)) }
    }
  })
}
