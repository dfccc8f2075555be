import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Mandate } from '#fundraising/direct-debit/mandates/schema.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { findMandate } from '../collections/mandate-part.tsx'
import type { Desk } from '../console.ts'
import { getApiPath } from './addresses.ts'

/** A donation as its page shows it. */
export interface Shown {
  donation: DonationWithHistory
  campaign: Campaign
  etag: string
  /** Where it is collected by direct debit. */
  mandate?: Mandate | undefined
}

/** The donation of the address, with what belongs to it. */
export async function readShown(desk: Desk): Promise<Shown> {
  const [donation, campaign] = await Promise.all([
    desk.api.get<DonationWithHistory>(getApiPath(desk)),
    desk.api.get<Campaign>(`/campaigns/${encodeURIComponent(desk.params.campaign ?? '')}`)
  ])
  const { paymentMethod, reference = '' } = donation.body
  const mandate = paymentMethod === 'direct_debit' ? await findMandate(desk, reference) : undefined
  return { donation: donation.body, etag: donation.etag, campaign: campaign.body, mandate }
}
