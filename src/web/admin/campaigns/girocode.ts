import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { AdminContext } from '../shared/context.ts'

/** URL of the GiroCode image that banking apps scan, or the reason why there is none. */
export type CampaignGirocode = { picture: string } | { reason: string }

/** The image URL is public: the browser requests it without API credentials, so a draft has no image yet. */
export async function findGirocode(context: AdminContext, campaign: Campaign): Promise<CampaignGirocode> {
  if (campaign.status === 'draft') return { reason: getMessages('campaign', context.language).form.codeOfDraft }
  const picture = `/campaigns/${campaign.id}/qr.svg`
  const { status, text } = await context.api.raw({ method: 'GET', path: picture, headers: {} })
  return status === 200 ? { picture } : { reason: JSON.parse(text).detail }
}
