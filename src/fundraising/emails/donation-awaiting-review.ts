import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
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
  const { subject, text } = pickByLanguage(
    strings,
    language
  )({ amount, campaign: campaign.name, reference: donation.reference })
  return { to: contactEmail, subject, text: `${[...text, link, siteName].filter(Boolean).join('\n\n')}\n` }
}

interface Fields {
  amount: string
  campaign: string
  reference: string
}

const strings: Record<Language, (fields: Fields) => { subject: string; text: string[] }> = {
  en: ({ amount, campaign, reference }) => ({
    subject: `Donation of ${amount} to review`,
    text: [
      `A donor has pledged ${amount} to “${campaign}” (${reference}). Because the amount is large, the donation is hidden and not counted until a treasurer approves it.`,
      'When the money is received, it is approved automatically. If it is not genuine, cancel it.'
    ]
  }),
  de: ({ amount, campaign, reference }) => ({
    subject: `Spende über ${amount} zur Freigabe`,
    text: [
      `Für „${campaign}“ wurden ${amount} zugesagt (${reference}). Weil der Betrag hoch ist, wird die Spende nicht angezeigt und nicht mitgezählt, bis die Kasse sie freigibt.`,
      'Geht das Geld ein, wird sie automatisch freigegeben. Ist sie nicht ernst gemeint, stornieren Sie sie.'
    ]
  })
}
