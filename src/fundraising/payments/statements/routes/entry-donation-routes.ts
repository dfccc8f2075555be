import { Type } from 'typebox'
import { parseIfMatch } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { toLocalDay } from '../../../dates.ts'
import { toAmount } from '../../../money/money.ts'
import { newEntryNotFoundProblem } from '../../../problems/statements.ts'
import { loadContext } from '../entries/entry-context.ts'
import { createEntryDonations } from '../entries/entry-donation.ts'
import { buildEntryEtag, toEntryJson } from '../entries/wire.ts'
import { DonatedEntries, EntryDonation } from '../entry-donation-schema.ts'

const EntryParams = Type.Object({ statementId: Type.Integer(), entryId: Type.String({ format: 'uuid' }) })

/** Donations created from payments that were not promised before. */
export function registerEntryDonationRoutes(scope: RouteContext): void {
  const { app, settings, enqueueSoon } = scope

  app.post('/bank-statements/:statementId/entries/:entryId/donation', {
    config: { requires: ['treasurer'], creates: true },
    schema: {
      summary: 'Create a donation from an unmatched transaction and book the transaction for it',
      description:
        'Name and account are taken from the transaction; email, postal address, language and wantReceipt from the latest donation with the same account and name, unless given. Default campaign: the one named by the remittance text or a payer rule. The donation is TRANSFERRED on the booking date.',
      problems: {
        404: ['entry-not-found', 'statement-not-found'],
        409: ['entry-cannot-be-assigned', 'entry-is-not-open', 'entry-is-outgoing'],
        422: [
          'amount-differs',
          'amount-for-one',
          'campaign-is-draft',
          'campaign-missing',
          'campaign-not-found',
          'donor-name-missing',
          'other-currency',
          'payer-without-iban',
          'too-many'
        ]
      },
      params: EntryParams,
      body: EntryDonation,
      response: { 201: DonatedEntries }
    },
    handler: async (request, reply) => {
      const { caller: by, params, body } = request
      const now = new Date()
      const deciding = { by, settings, now, today: toLocalDay(now, settings.timezone) }
      const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
      const answer = await withIdempotency(scope, request, reply, async tx => {
        const one = { statementId: params.statementId, id: params.entryId }
        const made = await createEntryDonations(tx, deciding, one, { input: body, expected: parseIfMatch(request) })
        const [first] = made
        if (first === undefined) throw newEntryNotFoundProblem()
        const entry = toEntryJson(first.entry, await loadContext(tx, settings, [first.entry]), settings, language)
        return {
          location: `/campaigns/${first.donation.campaignId}/donations/${first.donation.id}`,
          etag: buildEntryEtag(entry),
          body: {
            entry,
            donations: made.map(({ donation, entry: { statementId, id } }) => ({
              campaignId: donation.campaignId,
              id: donation.id,
              reference: donation.reference,
              amount: toAmount(donation.amountCents),
              statementId,
              entryId: id
            }))
          }
        }
      })
      enqueueSoon('fold-totals')
      return answer
    }
  })
}
