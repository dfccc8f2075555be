import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { Mandate } from '#fundraising/payments/direct-debit/mandates/schema.ts'
import { findMandate } from '../collections/mandate-part.tsx'
import type { AdminContext } from '../shared/context.ts'
import { getApiPath } from './links/paths.ts'

/** A donation as its page shows it. */
export interface DonationDetails {
  donation: DonationWithHistory
  campaign: Campaign
  etag: string
  /** Where it is collected by direct debit. */
  mandate?: Mandate | undefined
}

/** The donation of the address, with what belongs to it. */
export async function readDonationDetails(context: AdminContext): Promise<DonationDetails> {
  const [donation, campaign] = await Promise.all([
    context.api.get<DonationWithHistory>(getApiPath(context)),
    context.api.get<Campaign>(`/campaigns/${encodeURIComponent(context.params.campaign ?? '')}`)
  ])
  const { paymentMethod, reference = '' } = donation.body
  const mandate = paymentMethod === 'direct_debit' ? await findMandate(context, reference) : undefined
  return { donation: donation.body, etag: donation.etag, campaign: campaign.body, mandate }
}
