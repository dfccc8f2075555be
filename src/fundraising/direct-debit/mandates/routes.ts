import { Type } from 'typebox'
import { cursorOf, readCursor, rowsToFetch, sendPage, uuidIn } from '#platform/paging.ts'
import type { Scope } from '#platform/service.ts'
import * as donations from '../../donations/queries.ts'
import { isDonorToken } from '../../donor-token.ts'
import { donationLimit } from '../../guard/guard.ts'
import * as organisation from '../../organisation/queries.ts'
import { noDonationForToken } from '../../problems.ts'
import { campaignIn, readReference } from '../../reference.ts'
import { mandateNotFound, noDirectDebit } from '../problems.ts'
import { mandateTerms, revokeMandate } from './mandate.ts'
import type { MandateRow } from './queries.ts'
import * as mandates from './queries.ts'
import { Mandate, MandateQuery, MandateTerms, OwnMandate } from './schema.ts'
import { statusOf, toWire } from './wire.ts'

const OneMandate = Type.Object({ reference: Type.String() })

export function mandateRoutes({ app, db, settings }: Scope): void {
  async function found(text: string): Promise<MandateRow> {
    const reference = readReference(text)
    const row = reference === undefined ? undefined : await mandates.find(db, campaignIn(reference), reference)
    if (row === undefined) throw mandateNotFound()
    return row
  }

  app.get('/mandate', {
    config: { needs: 'nothing', shared: { restsOn: ['fundraising'] } },
    schema: {
      summary: 'Read the text that donors agree to who want to be debited',
      description: '404 as long as the organisation has no legal name or no creditor identifier.',
      response: { 200: MandateTerms }
    },
    handler: async () => {
      const terms = mandateTerms(await organisation.find(db))
      if (terms === undefined) throw noDirectDebit()
      return terms
    }
  })

  app.get('/mandates', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'List the mandates, newest first',
      querystring: MandateQuery,
      response: { 200: Type.Array(Mandate) }
    },
    handler: async (request, reply) => {
      const { limit, cursor, ...filter } = request.query
      const [rows, total] = await Promise.all([
        mandates.list(db, filter, { beforeId: readCursor(cursor, uuidIn), rows: rowsToFetch(limit) }),
        mandates.count(db, filter)
      ])
      const cursorAfter = (row: MandateRow) => cursorOf(row.donationId)
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter }).map(toWire)
    }
  })

  app.get('/mandates/:reference', {
    config: { needs: ['treasurer'] },
    schema: { summary: 'Read a mandate', params: OneMandate, response: { 200: Mandate } },
    handler: async ({ params }) => toWire(await found(params.reference))
  })

  app.post('/mandates/:reference/revoke', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Write down that a donor has taken a mandate back',
      description: 'The donation then waits for a transfer. Twice is the same as once.',
      params: OneMandate,
      response: { 200: Mandate }
    },
    handler: async ({ caller, params }) => {
      const { reference } = await revokeMandate(db, caller, await found(params.reference))
      return toWire(await found(reference))
    }
  })

  app.post('/donations/by-token/:token/mandate/revoke', {
    config: { needs: 'nothing', limit: donationLimit(settings) },
    schema: {
      summary: 'Take back the mandate of an own donation',
      description: 'With the token that came when it was made. The donation then waits for a transfer.',
      params: Type.Object({ token: Type.String() }),
      response: { 200: OwnMandate }
    },
    handler: async ({ caller, params }, reply) => {
      const own = isDonorToken(params.token) ? await donations.findByToken(db, params.token) : undefined
      if (own === undefined) throw noDonationForToken()
      const row = await revokeMandate(db, caller, { campaignId: own.campaignId, donationId: own.id })
      reply.header('cache-control', 'private, no-store')
      return { reference: row.reference, status: statusOf(row), revokedAt: row.revokedAt }
    }
  })
}
