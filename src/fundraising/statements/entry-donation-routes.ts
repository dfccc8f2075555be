import { Type } from 'typebox'
import { ifMatch } from '#platform/conditional.ts'
import { once } from '#platform/idempotency.ts'
import { preferredLanguage } from '#platform/language.ts'
import type { Scope } from '#platform/service.ts'
import { dayOf } from '../days.ts'
import { toAmount } from '../money.ts'
import { entryNotFound } from '../problems.ts'
import { loadContext } from './entry-context.ts'
import { donateEntry } from './entry-donation.ts'
import { DonatedEntries, EntryDonation } from './schema.ts'
import { entryTag, entryToWire } from './wire.ts'

const OneEntry = Type.Object({ statementId: Type.Integer(), entryId: Type.String({ format: 'uuid' }) })

/** Donations that nobody had promised: made of the payments themselves. */
export function entryDonationRoutes(scope: Scope): void {
  const { app, settings, soon } = scope

  app.post('/bank-statements/:statementId/entries/:entryId/donation', {
    config: { needs: ['treasurer'], creates: true },
    schema: {
      summary: 'Create a donation from an unmatched transaction and book the transaction for it',
      description:
        'Name and account come from the transaction; e-mail, address, language and the wish for a receipt from the newest donation of the same account and name, unless they are given. Without campaignId it is the campaign that the remittance text or a rule for the payer names. The donation is TRANSFERRED on the day of the bank.',
      params: OneEntry,
      body: EntryDonation,
      response: { 201: DonatedEntries }
    },
    handler: async (request, reply) => {
      const { caller: by, params, body } = request
      const now = new Date()
      const deciding = { by, settings, now, today: dayOf(now, settings.timezone) }
      const language = preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)
      const answer = await once(scope, request, reply, async tx => {
        const one = { statementId: params.statementId, id: params.entryId }
        const made = await donateEntry(tx, deciding, one, body, ifMatch(request))
        const [first] = made
        if (first === undefined) throw entryNotFound()
        const entry = entryToWire(first.entry, await loadContext(tx, settings, [first.entry]), settings, language)
        return {
          location: `/campaigns/${first.donation.campaignId}/donations/${first.donation.id}`,
          etag: entryTag(entry),
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
      soon('fold-totals')
      return answer
    }
  })
}
