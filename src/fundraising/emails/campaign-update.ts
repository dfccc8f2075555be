import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { listOtherLanguages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { buildSitePath } from '#platform/messages/site-paths.ts'
import { toMultilineText } from '#platform/rich-text/html.ts'
import * as site from '#platform/site/queries.ts'
import * as campaigns from '../campaigns/queries.ts'
import { parseMailingKey } from '../campaigns/updates/mailing.ts'
import * as updates from '../campaigns/updates/queries.ts'
import { decryptToken } from '../encryption/donor-token.ts'
import * as news from '../news/queries.ts'
import { renderBlocks } from './layout.ts'

/** The site has the rest of a longer text. */
const textMax = 3000

/**
 * News for a donor who asked for it. Sends nothing if the donor unsubscribed in the meantime, or if the update is no longer
 * published.
 */
export async function buildCampaignUpdateEmail(
  db: Database,
  settings: Settings,
  about: string
): Promise<Email | undefined> {
  const { campaignId, id, donationId } = parseMailingKey(about)
  const [recipient, update, campaign, { name: siteName }] = await Promise.all([
    news.findRecipient(db, { campaignId, id: donationId }),
    updates.find(db, { campaignId, id }, 'published'),
    campaigns.find(db, campaignId, 'published'),
    site.find(db)
  ])
  const { publicUrl } = settings
  if (recipient === undefined || update === undefined || campaign === undefined || publicUrl === undefined) {
    return undefined
  }
  const language = recipient.language ?? settings.defaultLanguage
  const written = [language, ...listOtherLanguages(language)]
    .map(one => update.texts[one])
    .find(one => one !== undefined)
  if (written === undefined) return undefined
  const text = getMessages('campaign-update-email', language)
  const { greeting, greetingTo, regards } = getMessages('donation-emails', language)
  const campaignName = campaign.translations[language]?.name ?? campaign.name
  const token = decryptToken(settings, { encryptedToken: recipient.encryptedToken, plaintextToken: null })
  const unsubscribeUrl = publicUrl + buildSitePath('unsubscribe', language, String(token))
  const updatePath = buildSitePath('campaignUpdate', language, String(campaignId)).replace(/:\w+/, String(id))
  const blocks = [
    recipient.donorName === null ? greeting : greetingTo({ name: recipient.donorName }),
    text.opening({ campaign: campaignName }),
    written.title,
    ...truncate(toMultilineText(written.text)).split('\n\n'),
    { link: publicUrl + updatePath, label: text.read },
    `${regards}\n${siteName === '' ? campaign.accountName : siteName}`,
    text.why({ campaign: campaignName }),
    { link: unsubscribeUrl, label: text.unsubscribe }
  ]
  return {
    to: { name: recipient.donorName ?? '', address: recipient.email },
    subject: text.subject({ campaign: campaignName, title: written.title }),
    ...renderBlocks(blocks, language),
    unsubscribeUrl
  }
}

function truncate(text: string): string {
  if (text.length <= textMax) return text
  const cut = text.slice(0, textMax)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), textMax / 2))} …`
}
