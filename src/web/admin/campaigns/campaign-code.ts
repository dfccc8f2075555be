import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { campaignWords } from '../../text/campaigns.ts'
import type { Desk } from '../console.ts'

/** What banking apps scan, as the address of a picture; or why there is none. */
export type CampaignCode = { picture: string } | { reason: string }

/** The picture is the public's: a browser asks for it without our credentials, so a draft has none yet. */
export async function findCode(desk: Desk, campaign: Campaign): Promise<CampaignCode> {
  if (campaign.status === 'draft') return { reason: campaignWords[desk.language].form.codeOfDraft }
  const picture = `/campaigns/${campaign.id}/qr.svg`
  const { status, text } = await desk.api.raw({ method: 'GET', path: picture, headers: {} })
  return status === 200 ? { picture } : { reason: JSON.parse(text).detail }
}
