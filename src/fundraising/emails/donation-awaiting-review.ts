import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { getMessages } from '#platform/messages/messages.ts'
import * as site from '#platform/site/queries.ts'
import * as campaigns from '../campaigns/queries.ts'
import * as donations from '../donations/queries.ts'
import { toAmount } from '../money/money.ts'

/** Notifies the organisation that a donation waits for review. `about`: campaign and donation. Leaves out the donor. */
export async function buildAwaitingReviewEmail(
  db: Database,
  settings: Settings,
  about: string
): Promise<Email | undefined> {
  const [campaignId = '', donationId = ''] = about.split(' ')
  const [{ contactEmail, name: siteName }, donation, campaign] = await Promise.all([
    site.find(db),
    donations.find(db, Number(campaignId), donationId, 'all'),
    campaigns.find(db, Number(campaignId), 'drafts too')
  ])
  // A treasurer may have reviewed the donation before the e-mail is sent.
  if (contactEmail === null || donation?.review !== 'waiting' || campaign === undefined) return undefined
  const language = settings.defaultLanguage
  const { currency } = campaign
  const amount = new Intl.NumberFormat(language, { style: 'currency', currency }).format(toAmount(donation.amountCents))
  const { publicUrl } = settings
  const link = publicUrl === undefined ? '' : `${publicUrl}/admin/donations?review=waiting`
  const { subject, opening, advice } = getMessages('review-email', language)
  const text = [opening({ amount, campaign: campaign.name, reference: donation.reference }), advice, link, siteName]
  return { to: contactEmail, subject: subject({ amount }), text: `${text.filter(Boolean).join('\n\n')}\n` }
}
