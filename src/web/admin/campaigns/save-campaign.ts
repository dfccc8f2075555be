import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { isSecondPersonNeeded, requestAccountChange } from '../account-requests/account-request-notices.tsx'
import type { AdminContext } from '../shared/context.ts'
import type { CampaignBody } from './campaign-input.ts'

/**
 * Saves everything; if a second person has to confirm the account, requests that and saves the rest. The request comes
 * first: if it is refused, nothing is saved, and the form still shows the input.
 */
export async function saveOrRequest(
  context: AdminContext,
  saved: Campaign,
  body: CampaignBody,
  etag: string
): Promise<boolean> {
  const path = `/campaigns/${saved.id}`
  const headers = { 'if-match': etag }
  try {
    await context.api.put<Campaign>(path, body, headers)
    return false
  } catch (error) {
    if (!isSecondPersonNeeded(error)) throw error
    const { iban, name, nameOfBank } = body.account
    // An unchanged bank name belongs to the current IBAN: omit it, so that the API looks up the new IBAN's bank.
    const bank = nameOfBank === saved.account.nameOfBank ? {} : { nameOfBank }
    await requestAccountChange(context, {
      change: 'campaign_account',
      campaignId: saved.id,
      account: { iban, name, ...bank }
    })
    await context.api.put<Campaign>(path, { ...body, account: saved.account }, headers)
    return true
  }
}
