import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { getLocale } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { decryptIban } from '../encryption/iban-encryption.ts'
import { maskIban } from '../money/iban.ts'
import { toAmount } from '../money/money.ts'
import * as collections from '../payments/direct-debit/collections/queries.ts'
import { renderBlocks } from './layout.ts'
import { buildDonationLink } from './link.ts'

/**
 * Announces the debit day to the donor, as the SEPA scheme requires. `about`: collection, campaign, donation. Sends
 * nothing if the donation will not be collected.
 */
export async function buildPreNotificationEmail(
  db: Database,
  settings: Settings,
  about: string
): Promise<Email | undefined> {
  const [collectionId, campaignId, donationId = ''] = about.split(' ')
  const of = { collectionId: Number(collectionId), campaignId: Number(campaignId), donationId }
  const notice = await collections.findPreNotification(db, of)
  if (notice === undefined || notice.email === null || notice.encryptedIban === null) return undefined
  const language = notice.language ?? settings.defaultLanguage
  const text = getMessages('pre-notification-email', language)
  const { greeting, greetingTo, amount, reference, look, regards } = getMessages('donation-emails', language)
  const euros = new Intl.NumberFormat(getLocale(language), { style: 'currency', currency: 'EUR' })
  const day = new Intl.DateTimeFormat(getLocale(language), { dateStyle: 'long', timeZone: 'UTC' })
  const sum = euros.format(toAmount(notice.amountCents))
  const collectOn = day.format(new Date(`${notice.collectOn}T12:00:00Z`))
  const campaign = notice.campaignTranslations[language]?.name ?? notice.campaignName
  const blocks = [
    notice.donorName === null ? greeting : greetingTo({ name: notice.donorName }),
    text.opening({ sum, campaign, day: collectOn }),
    {
      facts: [
        [text.day, collectOn],
        [amount, sum],
        [text.account, maskIban(decryptIban(settings, notice.encryptedIban))],
        [text.creditor, notice.creditorName],
        [text.creditorId, notice.creditorId],
        [text.mandate, notice.reference],
        [reference, notice.reference]
      ] satisfies [string, string][]
    },
    text.rights,
    ...buildDonationLink(settings, notice, { language, look }),
    `${regards}\n${notice.creditorName}`
  ]
  const to = { name: notice.donorName ?? '', address: notice.email }
  return { to, subject: text.subject({ sum, day: collectOn }), ...renderBlocks(blocks, language) }
}
