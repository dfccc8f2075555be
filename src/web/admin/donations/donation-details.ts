import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { Mandate } from '#fundraising/payments/direct-debit/mandates/schema.ts'
import { findMandate } from '../collections/mandate-part.tsx'
import type { AdminContext } from '../shared/context.ts'
import { getApiPath } from './links/paths.ts'

/** All data that the donation page shows. */
export interface DonationDetails {
  donation: DonationWithHistory
  campaign: Campaign
  etag: string
  /** Only for donations by direct debit. */
  mandate?: Mandate | undefined
}

/** Loads the donation of the URL with its related data. */
export async function readDonationDetails(context: AdminContext): Promise<DonationDetails> {
  const [donation, campaign] = await Promise.all([
    context.api.get<DonationWithHistory>(getApiPath(context)),
    context.api.get<Campaign>(`/campaigns/${encodeURIComponent(context.params.campaign ?? '')}`)
  ])
  const { paymentMethod, reference = '' } = donation.body
  const mandate = paymentMethod === 'direct_debit' ? await findMandate(context, reference) : undefined
  return { donation: donation.body, etag: donation.etag, campaign: campaign.body, mandate }
}
