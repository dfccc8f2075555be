import { Type } from 'typebox'
import { parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { isDonorToken } from '../../encryption/donor-token.ts'
import { newDonationTokenNotFoundProblem } from '../../problems/donations.ts'
import { canHaveSimplifiedProof } from '../../receipts/issuing/simplified-proof.ts'
import * as receipts from '../../receipts/queries.ts'
import { forOwner as receiptForOwner } from '../../receipts/wire.ts'
import type { DonationRow } from '../donation-row.ts'
import { changeOwnDonation } from '../own-donation.ts'
import * as donations from '../queries.ts'
import { DonationOfDonor, OwnDonationChange } from '../schema.ts'
import { listHistory } from '../status-queries.ts'
import { buildOwnDonationEtag, forOwner } from '../wire.ts'

/** What donors do with the token of their donation, without an account. */
export function registerOwnDonationRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope

  app.get('/donations/by-token/:token', {
    config: { requires: 'public' },
    schema: {
      summary: 'Get your donation by its token',
      description: 'Works for cancelled donations and for closed or deleted campaigns as well.',
      problems: { 404: ['donation-not-found'] },
      params: Type.Object({ token: Type.String() }),
      response: { 200: DonationOfDonor }
    },
    handler: async ({ params }, reply) => {
      const { row, shown } = await ownDonation(params.token)
      reply.headers({ 'cache-control': 'private, no-store', etag: buildOwnDonationEtag(row, shown) })
      return shown
    }
  })

  app.patch('/donations/by-token/:token', {
    config: { requires: 'public' },
    schema: {
      summary: 'Add contact details and a postal address to your donation',
      description: 'The data is not returned; the response only says that it is stored.',
      problems: { 404: ['donation-not-found'], 409: ['donation-is-over', 'receipt-issued'] },
      params: Type.Object({ token: Type.String() }),
      body: OwnDonationChange,
      response: { 200: DonationOfDonor }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      if (!isDonorToken(params.token)) throw newDonationTokenNotFoundProblem()
      await changeOwnDonation(db, { by: caller, settings, expected: parseIfMatch(request) }, params.token, body)
      if (settings.smtpUrl !== undefined) enqueueSoon('send-emails')
      const { row, shown } = await ownDonation(params.token)
      reply.headers({ 'cache-control': 'private, no-store', etag: buildOwnDonationEtag(row, shown) })
      return shown
    }
  })

  async function ownDonation(token: string): Promise<{ row: DonationRow; shown: DonationOfDonor }> {
    const row = isDonorToken(token) ? await donations.findByToken(db, token) : undefined
    if (row === undefined) throw newDonationTokenNotFoundProblem()
    const [history, issued, canHaveProof] = await Promise.all([
      listHistory(db, row.campaignId, row.id),
      receipts.listOfDonation(db, row),
      canHaveSimplifiedProof(db, settings, row)
    ])
    const shown = {
      ...forOwner(row, history, settings.defaultLanguage),
      receipts: issued.filter(receipt => receipt.state === 'issued').map(receiptForOwner),
      canHaveSimplifiedProof: canHaveProof
    }
    return { row, shown }
  }
}
