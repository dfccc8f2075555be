import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { getOtherLanguage, type Language } from '#platform/language.ts'
import { toMultilineText } from '#platform/rich-text/html.ts'
import * as site from '#platform/site/queries.ts'
import * as campaigns from '../campaigns/queries.ts'
import { parseMailingKey } from '../campaigns/updates/mailing.ts'
import * as updates from '../campaigns/updates/queries.ts'
import { decryptToken } from '../encryption/donor-token.ts'
import * as news from '../news/queries.ts'
import { renderBlocks } from './layout.ts'
import { strings as common } from './strings.ts'

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
  const written = update.texts[language] ?? update.texts[getOtherLanguage(language)]
  if (written === undefined) return undefined
  const text = strings[language]
  const { greeting, greetingTo, regards } = common[language]
  const campaignName = campaign.translations[language]?.name ?? campaign.name
  const token = decryptToken(settings, { encryptedToken: recipient.encryptedToken, plaintextToken: null })
  const unsubscribeUrl = `${publicUrl}${text.unsubscribePage}${token}`
  const blocks = [
    recipient.donorName === null ? greeting : greetingTo(recipient.donorName),
    text.opening(campaignName),
    written.title,
    ...truncate(toMultilineText(written.text)).split('\n\n'),
    { link: publicUrl + text.updatePage(campaignId, id), label: text.read },
    `${regards}\n${siteName === '' ? campaign.accountName : siteName}`,
    text.why(campaignName),
    { link: unsubscribeUrl, label: text.unsubscribe }
  ]
  return {
    to: { name: recipient.donorName ?? '', address: recipient.email },
    subject: text.subject(campaignName, written.title),
    ...renderBlocks(blocks, language),
    unsubscribeUrl
  }
}

function truncate(text: string): string {
  if (text.length <= textMax) return text
  const cut = text.slice(0, textMax)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), textMax / 2))} …`
}

interface UpdateEmailStrings {
  /** Paths on the site (src/web/server/paths.ts). */
  updatePage(campaignId: number, updateId: number): string
  unsubscribePage: string
  subject(campaign: string, title: string): string
  opening(campaign: string): string
  read: string
  why(campaign: string): string
  unsubscribe: string
}

const strings: Record<Language, UpdateEmailStrings> = {
  en: {
    updatePage: (campaignId, updateId) => `/en/donate/${campaignId}/updates/${updateId}`,
    unsubscribePage: '/en/donate/news/',
    subject: (campaign, title) => `${campaign}: ${title}`,
    opening: campaign => `There is news about “${campaign}”, which you donated to.`,
    read: 'Read it on our site, with pictures',
    why: campaign => `You get this email because you asked for news about “${campaign}” when you donated.`,
    unsubscribe: 'Unsubscribe from this news'
  },
  de: {
    updatePage: (campaignId, updateId) => `/de/spenden/${campaignId}/neuigkeiten/${updateId}`,
    unsubscribePage: '/de/spenden/abmelden/',
    subject: (campaign, title) => `${campaign}: ${title}`,
    opening: campaign => `es gibt Neues von „${campaign}“, wofür Sie gespendet haben.`,
    read: 'Auf unserer Website lesen, mit Bildern',
    why: campaign =>
      `Sie erhalten diese E-Mail, weil Sie bei Ihrer Spende um Neuigkeiten zu „${campaign}“ gebeten haben.`,
    unsubscribe: 'Diese Neuigkeiten abbestellen'
  }
}
